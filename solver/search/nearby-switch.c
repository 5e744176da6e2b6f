/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values near the failure that decide where a `switch' goes, by its jump table or by comparisons.
 */
#include "solver/search/nearby-private.h"

#include <string.h>

/* A `switch' and the value that decides about it.  Entry i of the table is taken for base + i. */
struct switched {
	const struct slice_instance *jump;
	const uint64_t *entries; /* link-time */
	size_t n;
	uint64_t taken, base; /* where it went, link-time */
};

static bool stays_the_same(const struct slice_instance *i, uint64_t value)
{
	const unsigned size = MIN(i->place.size, 4);

	return !i->place.memory || nearby_cut(i->value, size) == nearby_cut(value, size);
}

/* The jump or branch that the instance's value comes to as it is; NULL = it comes to none. */
static const struct slice_instance *decided_by_value(const struct nearby *n,
						     const struct slice_instance *i)
{
	const struct slice_instance *e = i->effect;

	for (uint64_t left = n->limits->nearby_switch; e && left; left--, e = e->effect) {
		if (e->decides)
			return e;
		if (!stays_the_same(e, i->value))
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

static bool find_switch(const struct nearby *n, const struct slice_instance *i,
			const struct slice_instance *jump, struct switched *s)
{
	struct reverse_index_step next;

	if (jump->step + 1 >= reverse_index_steps(n->options.index))
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

static void add_table_cases(const struct nearby *n, struct candidate_instance *c,
			    const struct slice_instance *jump, bool missing)
{
	struct switched s;

	if (!find_switch(n, &c->at, jump, &s))
		return;
	for (size_t k = 0; k < s.n && c->n_values < n->limits->nearby_values; k++)
		if (!is_known_target(&s, k) && (!missing || leads_to_missing(n, &s, s.entries[k])))
			nearby_add_value(n, c, s.base + k);
}

/* ---- a few cases are told apart by comparisons ---- */

/* cmp $constant, …: AMD64 Architecture Programmer's Manual, volume 3, "CMP". */
static bool compared_constant(const struct image *im, const struct trace_insn *insn, int32_t *value)
{
	size_t avail, at = 0;
	const uint8_t *b = image_bytes(im, insn->addr, &avail);
	int8_t byte;

	if (!b || avail < insn->length)
		return false;
	at += (b[at] & 0xf0) == 0x40; /* REX */
	if (b[at] == 0x3c || ((b[at] == 0x80 || b[at] == 0x83) && (b[at + 1] >> 3 & 7) == 7)) {
		memcpy(&byte, b + insn->length - 1, sizeof byte);
		*value = byte;
		return true;
	}
	if (b[at] != 0x3d && (b[at] != 0x81 || (b[at + 1] >> 3 & 7) != 7))
		return false;
	memcpy(value, b + insn->length - 4, sizeof *value);
	return true;
}

/* int32_t: all that the branch's statement compares with. */
static GArray *compared_constants(const struct slice_instance *branch)
{
	const struct image *im = branch->module->image;
	const struct image_function *f = image_function_at(im, branch->insn->addr);
	const struct image_row *row = image_row_at(im, branch->insn->addr);
	const struct trace_insn *insn = f && row ? image_insn_at(im, f->lo) : NULL;
	GArray *constants = g_array_new(FALSE, FALSE, sizeof(int32_t));

	for (; insn && insn->addr < f->hi; insn = image_insn_at(im, insn->addr + insn->length)) {
		const struct image_row *of = image_row_at(im, insn->addr);
		int32_t value;
		bool known = !of || of->statement != row->statement ||
			     !compared_constant(im, insn, &value);

		for (guint i = 0; !known && i < constants->len; i++)
			known = g_array_index(constants, int32_t, i) == value;
		if (!known)
			g_array_append_val(constants, value);
	}
	return constants;
}

/* A single comparison is turned as a branch, but for the one that the run failed at: what it asked
 * for may be what the value should have been. */
static void add_compared_cases(const struct nearby *n, struct candidate_instance *c,
			       const struct slice_instance *branch)
{
	enum { CASES = 3 };
	g_autoptr(GArray) constants = compared_constants(branch);

	if (constants->len < CASES && branch->effect)
		return;
	for (guint i = 0; i < constants->len; i++)
		nearby_add_value(n, c, (uint64_t)(int64_t)g_array_index(constants, int32_t, i));
}

void nearby_add_cases(const struct nearby *n, struct candidate_instance *c, bool missing)
{
	const struct slice_instance *decided = c->at.decides ? NULL : decided_by_value(n, &c->at);

	/* what the failed check asked for comes first, and other cases behind all other values */
	if (decided && decided->insn->flow == TRACE_FLOW_JUMP_IND)
		add_table_cases(n, c, decided, missing);
	else if (decided && missing == !decided->effect)
		add_compared_cases(n, c, decided);
}
