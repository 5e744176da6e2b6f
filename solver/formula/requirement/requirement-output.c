/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/requirement/requirement-output.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

#include <string.h>

struct output {
	struct requirement base; /* first */
	const struct output_plan *plan;
};

static const struct output *output_of(const struct walk *w)
{
	return (const struct output *)w->options->requirement;
}

static void output_free(struct requirement *requirement)
{
	g_free(requirement);
}

struct requirement *requirement_new_output(const struct requirement_end *end,
					   const struct output_plan *plan)
{
	struct output *r = g_new0(struct output, 1);

	r->base = (struct requirement){ .kind = &requirement_output, .end = *end };
	r->plan = plan;
	return &r->base;
}

/* ---- where ---- */

static const struct output_check *output_check_at(const struct output_plan *plan, guint i)
{
	return &g_array_index(plan->checks, struct output_check, i);
}

/* How often the instruction was executed, with what the record leaves out. */
static uint64_t print_executions(const struct walk *w, const struct run_walker *l, uint64_t pc)
{
	return walker_count(l, pc) + prefix_counts_of(w->options->before, pc);
}

/* Is the walker about to make the call of the last check? */
static bool is_last_required_call(const struct walk *w, const struct run_walker *l)
{
	const struct output_plan *plan = output_of(w)->plan;
	const struct output_check *last =
		plan->checks->len ? output_check_at(plan, plan->checks->len - 1) : NULL;
	uint64_t pc = trace_cursor_pc(l->cursor);

	return last && !plan->at_end && last->pc == pc &&
	       print_executions(w, l, pc) + 1 == last->nth;
}

static bool output_ends_run(const struct walk *w, const struct run_walker *l,
			    enum requirement_point point)
{
	if (point == REQUIREMENT_BEFORE_STEP)
		return is_last_required_call(w, l);
	return point != REQUIREMENT_AT_STEP &&
	       (l->step.exit_kind == TRACE_EXIT_AWAY || l->step.exit_kind == TRACE_EXIT_CUT);
}

/* ---- what ---- */

/* The size low bytes of the argument; 0 = not known. */
static uint32_t printed_argument_term(struct walk *w, const struct printed_place *place,
				      unsigned size)
{
	uint32_t term;

	if (place->kind == PRINTED_MEMORY)
		return memory_bytes(w, place->address, size);
	term = place->reg < TRACE_XMM0 ? exec_register(w, place->reg)
				       : exec_vector(w, place->reg - TRACE_XMM0);
	return term ? term_extract(w->p, term, 0, 8 * size) : 0;
}

static uint32_t value_holds(struct walk *w, const struct output_check *c)
{
	uint32_t value = printed_argument_term(w, &c->place, c->size), low, high;

	if (!value)
		return 0;
	low = term_const(w->p, 8 * c->size, c->low);
	high = term_const(w->p, 8 * c->size, c->high);
	if (!c->is_float)
		return term_eq(w->p, value, low);
	return term_and(w->p, term_op(w->p, IR_FP, 1, low, value, 0, IR_FP_LE),
			term_op(w->p, IR_FP, 1, value, high, 0, IR_FP_LE));
}

static uint32_t points_to(struct walk *w, const struct output_check *c, uint32_t value,
			  uint64_t address)
{
	(void)c;
	return term_eq(w->p, value, term_const(w->p, 64, address));
}

/* The bytes where the argument pointed are the expected ones; 0 = not known. */
static uint32_t bytes_hold(struct walk *w, const struct output_check *c)
{
	uint32_t all = term_true(w->p);

	for (size_t i = 0; i < c->length + c->whole; i++) {
		uint32_t byte = memory_byte(w, c->address + c->skip + i);
		uint8_t wanted = i < c->length ? (uint8_t)c->text[i] : 0;

		if (!byte)
			return 0;
		all = term_and(w->p, all, term_eq(w->p, byte, term_const(w->p, 8, wanted)));
	}
	return all;
}

static uint32_t string_holds(struct walk *w, const struct output_check *c)
{
	uint32_t value = printed_argument_term(w, &c->place, 8), bytes = bytes_hold(w, c), any = 0;

	if (bytes && value)
		bytes = term_and(w->p, bytes, points_to(w, c, value, c->address));
	any = bytes ? bytes : term_false(w->p);
	for (guint i = 0; value && c->others && i < c->others->len; i++)
		any = term_or(w->p, any,
			      points_to(w, c, value, g_array_index(c->others, uint64_t, i)));
	return any;
}

/* Some instruction that prints what is missing was executed once more. */
static uint32_t wanted_came(struct walk *w)
{
	return w->wanted ? w->wanted : term_false(w->p);
}

static uint32_t output_check_holds(struct walk *w, const struct output_check *c)
{
	switch (c->kind) {
	case OUTPUT_VALUE:
		return value_holds(w, c);
	case OUTPUT_STRING:
		return string_holds(w, c);
	default:
		return wanted_came(w);
	}
}

/* What is not known of a value that is right already is left alone. */
static void require_check(struct walk *w, const struct output_check *c)
{
	uint32_t term = output_check_holds(w, c);

	if (term)
		walk_require(w, term, true);
	else if (!c->keeps)
		walk_require(w, term_false(w->p), true);
}

/* All checks of this execution of the call. */
static void require_here(struct walk *w, struct run_walker *l)
{
	const struct output_plan *plan = output_of(w)->plan;
	uint64_t pc = trace_cursor_pc(l->cursor), nth = print_executions(w, l, pc) + 1;
	struct trace_step step;
	bool stands = false;

	for (guint i = 0; i < plan->checks->len; i++) {
		const struct output_check *c = output_check_at(plan, i);

		if (c->pc != pc || c->nth != nth)
			continue;
		if (!stands)
			requirement_stand_before_step(w, l, &step);
		stands = true;
		require_check(w, c);
	}
	if (stands)
		w->step = &l->step;
}

static bool is_checked(const struct output_plan *plan, uint64_t pc)
{
	for (guint i = 0; i < plan->checks->len; i++)
		if (output_check_at(plan, i)->pc == pc)
			return true;
	return false;
}

/* Requires that the call which is about to be made is given what the missing text shows, as far
 * as that is known. */
static uint32_t wanted_values_hold(struct walk *w, struct run_walker *l,
				   const struct output_plan *plan, uint64_t pc)
{
	uint32_t all = term_true(w->p);
	struct trace_step step;
	bool stands = false;

	for (guint i = 0; i < plan->wanted_values->len; i++) {
		const struct output_check *c =
			&g_array_index(plan->wanted_values, struct output_check, i);
		uint32_t term;

		if (c->pc != pc)
			continue;
		if (!stands)
			requirement_stand_before_step(w, l, &step);
		stands = true;
		term = value_holds(w, c);
		all = term ? term_and(w->p, all, term) : all;
	}
	if (stands)
		w->step = &l->step;
	return all;
}

static void note_wanted(struct walk *w, struct run_walker *l, const struct output_plan *plan,
			uint64_t pc)
{
	for (guint i = 0; i < plan->wanted->len; i++) {
		uint32_t here;

		if (g_array_index(plan->wanted, uint64_t, i) != pc ||
		    print_executions(w, l, pc) < g_array_index(plan->wanted_before, uint64_t, i))
			continue;
		here = term_and(w->p, w->reach, wanted_values_hold(w, l, plan, pc));
		w->wanted = w->wanted ? term_or(w->p, w->wanted, here) : here;
	}
}

static void output_pass(struct walk *w, struct run_walker *l)
{
	const struct output_plan *plan = output_of(w)->plan;
	uint64_t pc = trace_cursor_pc(l->cursor);

	note_wanted(w, l, plan, pc);
	if (is_checked(plan, pc))
		require_here(w, l);
}

static const uint64_t *output_wanted(const struct walk *w, size_t *n)
{
	const GArray *wanted = output_of(w)->plan->wanted;

	*n = wanted->len;
	return (const uint64_t *)(const void *)wanted->data;
}

static void output_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			  bool others_go_on)
{
	const struct output_plan *plan = output_of(w)->plan;
	const struct output_check *last =
		plan->checks->len ? output_check_at(plan, plan->checks->len - 1) : NULL;
	bool may_end = last && last->is_extra, /* without the last check's call */
		text_was_missing = last && last->kind == OUTPUT_NOT_HERE;

	(void)others_go_on;
	if (point == REQUIREMENT_BEFORE_STEP || may_end)
		return; /* output_pass has done it */
	if (plan->at_end || (text_was_missing && point != REQUIREMENT_RAN_OUT))
		walk_require(w, wanted_came(w), true);
	else
		requirement_forbid_path(w, l, point);
}

/* ---- a run ---- */

static bool output_met(const struct requirement *r, const struct run_result *result,
		       const struct run_request *request)
{
	(void)request;
	return requirement_looks_at_output(r, result).met;
}

/* ---- in words ---- */

static void output_describe(const struct requirement *r, const struct trace_point *m,
			    struct explanation *e)
{
	const struct output_plan *plan = ((const struct output *)r)->plan;
	g_autofree char *wanted = plan->expected ? g_strdup_printf("output %s", plan->expected)
						 : g_strdup("output without it");
	g_autofree char *change =
		g_strdup_printf("%s -> %s", plan->actual ? plan->actual : "missing",
				plan->expected ? plan->expected : "not printed");
	struct explanation_failure *f = &e->failure;

	requirement_describe_end(e, m, plan->sentence, wanted);
	f->statement = f->text;
	f->mended = (struct explanation_value){ "output", explanation_string(e, change) };
}

const struct requirement_kind requirement_output = {
	.name = "output",
	.ends_run = output_ends_run,
	.pass = output_pass,
	.wanted = output_wanted,
	.encode = output_encode,
	.met = output_met,
	.describe = output_describe,
	.free = output_free,
};
