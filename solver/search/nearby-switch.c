/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values near the failure that decide where a `switch' goes, by its jump table. */
#include "solver/search/nearby-private.h"

/* A `switch' and the value that decides about it.  Entry i of the table is taken for base + i. */
struct switched {
	const struct slice_instance *jump;
	const uint64_t *entries; /* link-time */
	size_t n;
	uint64_t taken, base; /* where it went, link-time */
};

static bool hands_on(const struct slice_instance *i, uint64_t value)
{
	const unsigned size = MIN(i->place.size, 4);

	return !i->place.memory || nearby_cut(i->value, size) == nearby_cut(value, size);
}

/* The jump through a table that the instance's value comes to as it is; NULL = it comes to none. */
static const struct slice_instance *jump_of_value(const struct nearby *n,
						  const struct slice_instance *i)
{
	const struct slice_instance *e = i->effect;

	for (uint64_t left = n->limits->nearby_switch; e && left; left--, e = e->effect) {
		if (e->decides)
			return e->insn->flow == TRACE_FLOW_JUMP_IND ? e : NULL;
		if (!hands_on(e, i->value))
			return NULL;
	}
	return NULL;
}

/* Compilers take the least case away before they look into the table, unless that is small.  What a
 * register holds may be a multiple of the entry's number already. */
static bool find_base(struct switched *s, const struct slice_instance *i)
{
	const uint64_t value = nearby_cut(i->value, MIN(i->place.size, 4));

	if (value < s->n && s->entries[value] == s->taken)
		return true;
	for (uint64_t k = 0; i->place.memory && k < s->n; k++)
		if (s->entries[k] == s->taken && value >= k) {
			s->base = value - k;
			return s->base <= UINT16_MAX;
		}
	return false;
}

static bool find_switch(const struct nearby *n, const struct slice_instance *i, struct switched *s)
{
	struct reverse_index_step next;
	const struct slice_instance *jump = jump_of_value(n, i);

	if (!jump || jump->step + 1 >= reverse_index_steps(n->options.index))
		return false;
	next = *reverse_index_at(n->options.index, jump->step + 1);
	*s = (struct switched){
		.jump = jump, .taken = reverse_index_insn_of(n->options.index, &next)->insn->addr
	};
	s->n = image_jump_entries(jump->module->image, jump->insn->addr, &s->entries);
	return s->n && find_base(s, i);
}

/* Does the code there come last before code that should have been executed? */
static bool leads_to_missing(const struct nearby *n, const struct switched *s, uint64_t target)
{
	for (size_t i = 0; i < n->options.n_missing; i++) {
		const uint64_t link = n->options.missing[i] - s->jump->module->bias;
		bool last = target <= link;

		for (size_t k = 0; last && k < s->n; k++)
			last = s->entries[k] <= target || s->entries[k] > link;
		if (last)
			return true;
	}
	return false;
}

/* Is it where an earlier entry leads, or where the run went? */
static bool is_known_target(const struct switched *s, size_t entry)
{
	bool known = s->entries[entry] == s->taken;

	for (size_t k = 0; k < entry && !known; k++)
		known = s->entries[k] == s->entries[entry];
	return known;
}

void nearby_add_cases(const struct nearby *n, struct candidate_instance *c, bool missing)
{
	struct switched s;

	if (c->at.decides || !find_switch(n, &c->at, &s))
		return;
	for (size_t k = 0; k < s.n && c->n_values < n->limits->nearby_values; k++)
		if (!is_known_target(&s, k) && (!missing || leads_to_missing(n, &s, s.entries[k])))
			nearby_add_value(n, c, s.base + k);
}
