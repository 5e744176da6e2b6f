/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/requirement/requirement-condition.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"
#include "solver/image/variable/variable.h"
#include "solver/source/expression/expression.h"

#include <string.h>

struct condition {
	struct requirement base; /* first */
	const struct deadline *until;
	struct image *const *images;
	size_t n_images;
	unsigned thread;
	const struct stop *stop;
	const char *text;
	const struct image *image; /* that the condition's names are of */
	struct c_expression *condition;
	GArray *pcs;		      /* uint64_t: runtime addresses of the stop */
	uint64_t counted, times;      /* of requirement_condition_count; 0 = the stop is counted */
	struct expression_code *code; /* compiled for the failing run's frame there */
	int32_t truth;		      /* its operation of width 1: the condition */
};

struct reading {
	const struct trace_cursor *cursor;
	const struct trace_module *module;
};

static bool read_memory_at_condition(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct reading *r = arg;

	*value = 0;
	return size <= sizeof(*value) &&
	       trace_cursor_read_initial(r->cursor, r->module, address, size, (uint8_t *)value);
}

static bool is_true(const struct expression_code *code, int32_t truth, bool *known)
{
	*known = code->temps[truth].known;
	return *known && code->temps[truth].w[0] & 1;
}

static bool compile_condition(struct condition *r, const struct trace_point *m, const char *text,
			      bool *holds, GError **error)
{
	const struct image_frame *frame = trace_point_frame(m);
	bool known;

	r->condition = c_expression_parse(r->image, text, error);
	if (!r->condition)
		return false;
	r->code = expression_compile(r->image, frame, r->condition, error);
	if (!r->code)
		return false;
	r->truth = expression_truth(r->code, error);
	if (r->truth < 0)
		return false;
	expression_run(r->code, frame, trace_point_cursor(m));
	*holds = is_true(r->code, r->truth, &known);
	if (!known)
		g_set_error(error, C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_VALUE,
			    "whether it holds is not known: %s",
			    r->code->unknown
				    ? r->code->unknown
				    : "the program's own code had not touched that memory, or a "
				      "null pointer is followed");
	return known;
}

static void condition_free(struct requirement *requirement)
{
	struct condition *r = (struct condition *)requirement;

	expression_code_free(r->code);
	c_expression_free(r->condition);
	g_array_free(r->pcs, TRUE);
	g_free(r);
}

struct requirement *requirement_new_condition(struct image *const *images, size_t n_images,
					      unsigned thread, const struct trace_point *m,
					      const struct stop *stop, const char *condition,
					      bool *holds, GError **error)
{
	struct condition *r = g_new0(struct condition, 1);
	uint64_t bias = 0;

	r->base.kind = &requirement_condition;
	r->images = images;
	r->n_images = n_images;
	r->thread = thread;
	r->stop = stop;
	r->text = condition;
	r->image = trace_point_image(m);
	r->until = trace_point_until(m);
	r->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	trace_point_bias_of(m, stop->image, &bias);
	for (guint i = 0; i < stop->places->len; i++) {
		uint64_t pc = g_array_index(stop->places, uint64_t, i) + bias;

		g_array_append_val(r->pcs, pc);
	}
	if (compile_condition(r, m, condition, holds, error))
		return &r->base;
	condition_free(&r->base);
	return NULL;
}

/* ---- the formula ---- */

/* Is the walker about to come to the stop for the time that is meant? */
static bool is_next(const struct condition *r, const struct run_walker *l)
{
	const uint64_t *pcs = (const uint64_t *)(const void *)r->pcs->data;
	uint64_t pc = trace_cursor_pc(l->cursor), passed = 0;
	bool here = false;

	for (guint i = 0; i < r->pcs->len; i++)
		here |= pcs[i] == pc;
	if (here && r->counted)
		return walker_count(l, r->counted) == r->times;
	for (guint i = 0; here && i < r->pcs->len; i++)
		passed += walker_count(l, pcs[i]);
	return here && passed + 1 == r->stop->count;
}

/* Whichever way a run ends: it did not come to the stop. */
static bool condition_ends_run(const struct walk *w, const struct run_walker *l,
			       enum requirement_point point)
{
	if (point == REQUIREMENT_BEFORE_STEP)
		return is_next((const struct condition *)w->options->requirement, l);
	return point != REQUIREMENT_AT_STEP &&
	       (l->step.exit_kind == TRACE_EXIT_AWAY || l->step.exit_kind == TRACE_EXIT_CUT);
}

/* code: compiled for the walker's frame; truth: its operation. */
static void require_code(struct walk *w, struct run_walker *l, struct expression_code *code,
			 int32_t truth)
{
	struct image_frame frame = trace_cursor_frame(l->cursor);
	g_autoptr(GPtrArray) alone = g_ptr_array_new();
	GPtrArray *others = w->active;
	struct trace_step step;
	uint32_t term;

	requirement_stand_before_step(w, l, &step);
	expression_run(code, &frame, l->cursor);
	step.ir = &code->ir;
	step.temps = code->temps;
	step.n_ran = code->ir.n_ops;
	g_ptr_array_add(alone, l);
	w->active = alone;
	exec_step(w);
	w->active = others;
	term = w->terms[truth];
	walk_require(w, term ? term : term_false(w->p), true);
	w->step = &l->step;
}

static void require_there(struct walk *w, struct run_walker *l, const struct condition *r)
{
	require_code(w, l, r->code, r->truth);
}

static void condition_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			     bool others_go_on)
{
	(void)others_go_on;
	if (point == REQUIREMENT_BEFORE_STEP)
		require_there(w, l, (const struct condition *)w->options->requirement);
	else
		requirement_forbid_path(w, l, point);
}

void requirement_condition_count(struct requirement *c, uint64_t pc, uint64_t times)
{
	struct condition *r = (struct condition *)c;

	r->counted = pc;
	r->times = times;
}

bool requirement_condition_is_next(const struct requirement *c, const struct run_walker *l)
{
	return is_next((const struct condition *)c, l);
}

void requirement_condition_require(const struct requirement *c, struct walk *w,
				   struct run_walker *l)
{
	require_there(w, l, (const struct condition *)c);
}

void requirement_condition_require_text(struct walk *w, struct run_walker *l, const char *text)
{
	uint64_t link;
	const struct trace_module *m =
		trace_run_module_at(l->run->record, trace_cursor_pc(l->cursor), &link);
	struct image_frame frame = trace_cursor_frame(l->cursor);
	struct reading reading = { l->cursor, m };
	struct c_expression *e = c_expression_parse(m->image, text, NULL);
	struct expression_code *code;
	int32_t truth;

	frame.read = read_memory_at_condition;
	frame.arg = &reading;
	code = e ? expression_compile(m->image, &frame, e, NULL) : NULL;
	truth = code ? expression_truth(code, NULL) : -1;
	if (truth >= 0)
		require_code(w, l, code, truth);
	expression_code_free(code);
	c_expression_free(e);
}

/* ---- a run ---- */

/* The condition is read in that run's own frame, because the run may have come there another way.
 */
static bool condition_holds_at(const struct condition *r, const struct trace_run *run,
			       const struct trace_cursor *c)
{
	struct image_frame frame = trace_cursor_frame(c);
	struct reading reading = { c, trace_run_module_at(run, trace_cursor_pc(c), NULL) };
	struct expression_code *code;
	int32_t truth;
	bool known, holds = false;

	frame.read = read_memory_at_condition;
	frame.arg = &reading;
	code = expression_compile(r->image, &frame, r->condition, NULL);
	truth = code ? expression_truth(code, NULL) : -1;
	if (truth >= 0) {
		expression_run(code, &frame, c);
		holds = is_true(code, truth, &known);
	}
	expression_code_free(code);
	return holds;
}

static bool comes_there(const struct condition *r, const struct trace_run *run,
			struct trace_cursor *c)
{
	struct trace_step step;
	uint64_t passed = 0;

	do {
		uint64_t link = 0, pc = trace_cursor_pc(c);
		const struct trace_module *m = pc ? trace_run_module_at(run, pc, &link) : NULL;

		if (m && stop_is_at(r->stop, m->image, link) && ++passed == r->stop->count)
			return true;
	} while (trace_cursor_step(c, &step, NULL) == 1);
	return false;
}

static bool condition_met(const struct requirement *requirement, const struct run_result *result,
			  const struct run_request *request)
{
	const struct condition *r = (const struct condition *)requirement;
	struct trace_run *run = trace_run_open(result->record, r->images, r->n_images, NULL);
	struct lift *lift = lift_new();
	struct trace_cursor *c = NULL;
	bool met = false;

	if (run && trace_run_choose(run, r->thread, NULL)) {
		trace_run_end_at(run, r->until);
		c = trace_cursor_new(run, r->thread, lift);
		if (request->n_actions)
			trace_cursor_set_actions(c, request->actions, request->n_actions);
		met = comes_there(r, run, c) && condition_holds_at(r, run, c);
	}
	trace_cursor_free(c);
	trace_run_free(run);
	lift_free(lift);
	return met;
}

/* ---- in words ---- */

static void condition_describe(const struct requirement *r, const struct trace_point *m,
			       struct explanation *e)
{
	const struct image_statement *s = trace_point_statement(m);
	struct explanation_failure *f = &e->failure;

	f->requirement = explanation_string(e, ((const struct condition *)r)->text);
	if (s) {
		f->function = s->function;
		f->file = s->file;
		f->line = s->line;
		f->column = s->column;
	}
	f->statement = f->requirement;
	f->mended = (struct explanation_value){ f->requirement, "false -> true" };
	trace_point_values(m, e, f->requirement, f->values);
}

const struct requirement_kind requirement_condition = {
	.name = "condition",
	.ends_run = condition_ends_run,
	.encode = condition_encode,
	.met = condition_met,
	.looks_at_record = true,
	.describe = condition_describe,
	.free = condition_free,
};
