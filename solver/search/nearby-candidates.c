/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is near the failure: executions that may be changed, and the values to try there. */
#include "solver/image/variable/variable.h"
#include "solver/slice/kept-bits.h"
#include "solver/search/nearby-private.h"

#include "solver/source/expression/assigned-field.h"
#include "solver/source/failing-lines.h"
#include "solver/slice/missing.h"

#include <string.h>

const struct image_statement *nearby_statement(const struct slice_instance *i)
{
	const struct image *im = i->module->image;
	const struct image_row *row = image_row_at(im, i->insn->addr);

	return row && !row->prologue && !failing_lines_is_of_nobody(im, row)
		       ? image_statement(im, row->statement)
		       : NULL;
}

/* ---- candidates ---- */

static struct image_frame frame_of_instance(const struct nearby *n, const struct slice_instance *i)
{
	struct image_frame frame = *trace_point_frame(n->options.point);

	frame.pc = i->insn->addr;
	frame.bias = i->module->bias;
	frame.regs[TRACE_RBP] = i->rbp;
	frame.regs[TRACE_RSP] = i->rsp;
	return frame;
}

static const struct image_type *type_of_instance(const struct nearby *n,
						 const struct slice_instance *i)
{
	struct image_frame frame = frame_of_instance(n, i);
	const struct image_type *type;
	struct image_lvalue lv;

	if (!image_name_memory(i->module->image, &frame, i->place.address, i->place.size, &lv))
		return NULL;
	type = lv.type;
	image_lvalue_clear(&lv);
	return type;
}

uint64_t nearby_cut(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

/* Has the value a name in the type, where that has names for all of its values? */
static bool is_enumerator(const struct image_type *t, uint64_t value, unsigned size)
{
	if (t->kind == IMAGE_TYPE_BOOL)
		return value <= 1;
	for (uint32_t i = 0; i < t->n_enumerators; i++)
		if (nearby_cut((uint64_t)t->enumerators[i].value, size) == value)
			return true;
	return t->kind != IMAGE_TYPE_ENUM;
}

/* Is it `movzx' of what a `setcc' before it gave, 0 or 1? */
static bool gives_truth(const struct slice_instance *i)
{
	const struct image *im = i->module->image;
	const struct trace_insn *all, *insn = i->insn;
	size_t n = image_insns(im, &all), avail = 0;
	const struct trace_insn *set = insn > all && insn < all + n ? insn - 1 : insn;
	const uint8_t *code = image_bytes(im, insn->addr, &avail);
	const bool extends = code && avail >= 2 && code[0] == 0x0f && code[1] == 0xb6;

	code = image_bytes(im, set->addr, &avail);
	return extends && set != insn && code && avail >= 2 && code[0] == 0x0f &&
	       (code[1] & 0xf0) == 0x90;
}

/* Is it `return true;' of a function that returns a truth value? */
static bool returns_truth(const struct slice_instance *i)
{
	enum { MOVE_TO_EAX = 0xb8 };
	const struct image *im = i->module->image;
	const struct image_function *f = image_function_at(im, i->insn->addr);
	const struct image_type *t = f ? image_return_type(im, f) : NULL;
	size_t avail = 0;
	const uint8_t *code = image_bytes(im, i->insn->addr, &avail);

	return t && t->kind == IMAGE_TYPE_BOOL && code && avail && code[0] == MOVE_TO_EAX;
}

/* Can a programmer have meant that value?  An enumeration whose members are combined as bits
 * does not tell. */
static bool is_meaningful(const struct nearby *n, const struct candidate_instance *c,
			  uint64_t value)
{
	const unsigned size = c->at.place.size;
	const struct image_type *t = c->at.place.memory ? type_of_instance(n, &c->at) : NULL;

	if (!c->at.place.memory && value > 1 && (gives_truth(&c->at) || returns_truth(&c->at)))
		return false;
	return !t || t->size != size || is_enumerator(t, value, size) ||
	       !is_enumerator(t, nearby_cut(c->at.value, size), size);
}

void nearby_add_value(const struct nearby *n, struct candidate_instance *c, uint64_t value)
{
	nearby_add_stored(n, c, c->bits ? value << __builtin_ctzll(c->bits) : value);
}

/* The number that was given: of a bit-field, the field's. */
static uint64_t number_given(const struct candidate_instance *c)
{
	return c->bits ? (c->at.value & c->bits) >> __builtin_ctzll(c->bits) : c->at.value;
}

void nearby_add_stored(const struct nearby *n, struct candidate_instance *c, uint64_t value)
{
	if (c->bits)
		value = (value & c->bits) | (c->at.value & ~c->bits);
	value = nearby_cut(value, c->at.place.size);
	if (!is_meaningful(n, c, value))
		return;
	for (unsigned i = 0; i < c->n_values; i++)
		if (c->values[i] == value)
			return;
	if (c->n_values < n->limits->nearby_values &&
	    value != nearby_cut(c->at.value, c->at.place.size))
		c->values[c->n_values++] = value;
}

enum { BESIDE_STEPS = 8 };

/* NULL = there is none. */
static const struct image_statement *statement_near_step(struct reverse_index *index, uint64_t step)
{
	struct reverse_index_step s;
	const struct reverse_index_insn *info;
	const struct image_row *row;

	if (step >= reverse_index_steps(index))
		return NULL;
	s = *reverse_index_at(index, step);
	info = reverse_index_insn_of(index, &s);
	row = image_row_at(info->module->image, info->insn->addr);
	return row ? image_statement(info->module->image, row->statement) : NULL;
}

/* What the place held before the store, as far as traced code stored it. */
static bool value_before_store(const struct nearby *n, const struct slice_instance *i,
			       uint64_t *value)
{
	struct reverse_index_event event;
	uint64_t step;

	if (reverse_index_find(n->options.index, &i->place, i->step, &step, &event) !=
		    INDEX_WRITTEN ||
	    event.address != i->place.address || event.size != i->place.size)
		return false;
	*value = event.value;
	return true;
}

static void add_float_values(const struct nearby *n, struct candidate_instance *c)
{
	double value;
	float single;
	uint64_t bits = 0;

	for (int change = -1; change <= 1; change++) {
		if (c->at.place.size == 4) {
			memcpy(&single, &c->at.value, sizeof(single));
			single = change ? single + (float)change : -single;
			memcpy(&bits, &single, sizeof(single));
		} else {
			memcpy(&value, &c->at.value, sizeof(value));
			value = change ? value + change : -value;
			memcpy(&bits, &value, sizeof(value));
		}
		nearby_add_value(n, c, bits);
	}
}

/* What the line that used the value loaded beside it, as `first' where `first - last' is wrong
 * because of `last'. */
static void add_values_used_with(const struct nearby *n, struct candidate_instance *c)
{
	struct reverse_index *index = n->options.index;
	const uint64_t steps = reverse_index_steps(index);
	const struct image_statement *user = statement_near_step(index, c->at.user), *here;
	unsigned n_events;

	if (!c->at.place.memory || !c->at.effect || !user)
		return;
	for (uint64_t at = c->at.user - MIN(c->at.user, BESIDE_STEPS);
	     at < MIN(c->at.user + BESIDE_STEPS, steps); at++) {
		const struct reverse_index_event *e = reverse_index_events(index, at, &n_events);

		here = n_events ? statement_near_step(index, at) : NULL;
		for (unsigned k = 0; here && image_line_equal(here, user) && k < n_events; k++)
			if (e[k].kind != INDEX_STORE && e[k].size == c->at.place.size &&
			    e[k].address != c->at.place.address)
				nearby_add_stored(n, c, e[k].value);
	}
}

static void add_values(const struct nearby *n, struct candidate_instance *c)
{
	const struct image_type *type = c->at.place.memory ? type_of_instance(n, &c->at) : NULL;
	bool is_pointer = type && type->kind == IMAGE_TYPE_POINTER;
	uint64_t before;

	if (n->options.wanted)
		nearby_add_value(n, c, *n->options.wanted);
	nearby_add_cases(n, c, true);
	if (c->at.place.memory && value_before_store(n, &c->at, &before))
		nearby_add_stored(n, c, before);
	nearby_add_value(n, c, 0);
	if (type && type->kind == IMAGE_TYPE_FLOAT && type->size == c->at.place.size) {
		add_float_values(n, c);
	} else if (!is_pointer) {
		nearby_add_value(n, c, number_given(c) - 1);
		nearby_add_value(n, c, number_given(c) + 1);
		nearby_add_value(n, c, 1);
		add_values_used_with(n, c);
	}
	nearby_add_cases(n, c, false);
}

/* The values that the instruction gave in its latest executions before this one.  They are
 * objects that exist, and constants that mean something here. */
/* What an earlier execution gave. */
static bool value_given_earlier(const struct nearby *n, const struct candidate_instance *c,
				unsigned i, uint64_t *value)
{
	const struct reverse_index_event *events;
	unsigned n_events;

	*value = c->earlier[i];
	if (!(c->earlier_steps >> i & 1))
		return true;
	if (!c->at.place.memory) {
		*value = reverse_index_at(n->options.index, c->earlier[i])->value;
		return true;
	}
	events = reverse_index_events(n->options.index, c->earlier[i], &n_events);
	for (unsigned k = 0; k < n_events; k++)
		if (events[k].kind == INDEX_STORE && events[k].size == c->at.place.size) {
			*value = events[k].value;
			return true;
		}
	return false;
}

void nearby_add_earlier(const struct nearby *n, struct candidate_instance *c)
{
	c->looked_back = true;
	for (unsigned i = 0; i < c->n_earlier && c->n_values < n->limits->nearby_values; i++) {
		uint64_t value;

		if (!value_given_earlier(n, c, i, &value))
			continue;
		if (!c->at.place.memory && value >> 32)
			c->at.place.size = 8; /* NULL looked like an int */
		nearby_add_stored(n, c, value);
	}
}

/* Can this instruction be the fault?  Code that reports the failure and code without source
 * cannot. */
static bool is_candidate(const struct nearby *n, const struct slice_instance *i)
{
	const struct image_statement *s = nearby_statement(i);

	if (!s || failing_lines_has(n->failing_lines, s) ||
	    failing_lines_has(n->options.requirement->reporting, s))
		return false;
	if (n->options.requirement->inserted &&
	    g_hash_table_contains(n->options.requirement->inserted, i->insn))
		return false;
	if (n->options.decisions && n->options.is_known(n->options.known_arg, s))
		return false;
	if (i->decides)
		return i->insn->flow == TRACE_FLOW_COND;
	if (n->options.decisions)
		return false;
	if (!i->place.memory)
		return i->place.reg < 16;
	return i->place.size && i->place.size <= 8;
}

/* The bits of the bit-field that a store gives its value; 0 = it gives all of them. */
static uint64_t bits_of_assigned_field(const struct nearby *n, const struct slice_instance *i)
{
	const uint64_t all = nearby_cut(UINT64_MAX, i->place.size);
	struct reverse_index_event store = { .address = i->place.address,
					     .size = (uint8_t)i->place.size };
	struct expression field;
	uint64_t kept, bits = 0;

	if (i->decides || !i->place.memory)
		return 0;
	kept = kept_bits(n->options.index, i->step, &store);
	if (!kept)
		return 0;
	switch (assigned_by(n->sources, i->module->image, nearby_statement(i), i->insn->addr,
			    &field)) {
	case ASSIGNED_TO_WHOLE:
		return 0;
	case ASSIGNED_TO_FIELD:
		bits = assigned_bits(&field, i->place.address, i->place.size);
		break;
	default:
		break;
	}
	return bits ? bits : all & ~kept;
}

static struct candidate_instance *candidate_of(const struct nearby *n,
					       const struct slice_instance *i)
{
	struct candidate_instance *c = g_new0(struct candidate_instance, 1);

	c->at = *i;
	c->bits = bits_of_assigned_field(n, i);
	/* what is computed in 32 bits has zeros above */
	if (!i->decides && !i->place.memory)
		c->at.place.size = i->value >> 32 ? 8 : 4;
	if (i->decides)
		c->values[c->n_values++] = !i->value;
	else
		add_values(n, c);
	return c;
}

/* Does the run end in code that only reports the failure, to which control was led from
 * somewhere else, as `error' does in an interpreter?  Then the decision that led there is what
 * is looked for. */
static struct slice *slice_before_throw(struct slice *slice, struct slice_end *end,
					const struct nearby_options *o)
{
	const uint64_t most = limits_or_default(o->limits)->throw_looked;

	const struct slice_instance *last = NULL;

	for (uint64_t i = 0; i < most && !slice_thrown(slice, last, &end->thrown); i++) {
		last = slice_next(slice);
		if (!last)
			break;
	}
	slice_free(slice);
	return slice_new(o->index, end);
}

struct slice *nearby_slice(const struct nearby_options *o)
{
	const struct image_frame *frame = trace_point_frame(o->point);
	const uint64_t exited = trace_point_exit_step(o->point);
	const struct reverse_index_place status = { .reg = exited == UINT64_MAX ? TRACE_RAX
										: TRACE_RDI };
	const bool goes_on = o->requirement->end.end == RUN_TIMEOUT;
	const bool has_status = o->requirement->end.end == RUN_STATUS;
	struct slice_end end = {
		.image = trace_point_image(o->point),
		.bias = frame->bias,
		.link = frame->pc,
		.signalled = o->before || trace_point_is_signalled(o->point) || goes_on,
		.goes_on = goes_on,
		.thin = o->thin,
		.place_is_text = o->place_is_text,
		.place = o->before    ? o->place
			 : has_status ? &status
				      : NULL,
		.thrown = UINT64_MAX,
		.exited = has_status && !o->before ? exited : UINT64_MAX,
		.missing = o->missing,
		.n_missing = o->n_missing,
	};
	struct slice *slice = slice_new(o->index, &end);

	return has_status && !o->before && exited == UINT64_MAX ? slice_before_throw(slice, &end, o)
								: slice;
}

/* Where a text is missing, the last decisions before that place are candidates, too, in turns
 * with candidates of the slice. */
static GArray *last_decisions(const struct nearby *n)
{
	GArray *last = g_array_new(FALSE, FALSE, sizeof(struct slice_instance));

	if (n->options.lacks_text)
		slice_last_decisions(n->options.index, n->limits->nearby_last,
				     n->limits->nearby_last_insns, last);
	return last;
}

/* False when it is none, or known: the slice has some of the last decisions, too. */
static bool add_candidate(struct nearby *n, const struct slice_instance *i)
{
	if (!is_candidate(n, i) ||
	    (i->decides && !g_hash_table_add(n->decided, g_memdup2(&i->step, sizeof i->step))))
		return false;
	g_ptr_array_add(n->candidates, candidate_of(n, i));
	return true;
}

static void add_next_decision(struct nearby *n, const GArray *last, guint *next)
{
	while (*next < last->len &&
	       !add_candidate(n, &g_array_index(last, struct slice_instance, (*next)++)))
		;
}

void nearby_find_candidates(struct nearby *n)
{
	struct slice *slice = nearby_slice(&n->options);
	g_autoptr(GArray) last = last_decisions(n);
	const struct slice_instance *i;
	const guint all = (guint)n->limits->nearby_instances,
		    most = n->options.decisions ? MIN(n->options.decisions, all) : all;
	guint next = 0;

	/* the walk looks at many times as many steps as it finds candidates */
	for (uint64_t k = 0; k < n->limits->nearby_looked * all && n->candidates->len < most &&
			     !deadline_is_over(n->options.until);
	     k++) {
		i = slice_next(slice);
		if (!i)
			break;
		if (add_candidate(n, i))
			add_next_decision(n, last, &next);
	}
	while (next < last->len && n->candidates->len < most)
		add_next_decision(n, last, &next);
	slice_free(slice);
}
