/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/requirement.h"
#include "solver/formula/goal.h"

#include <string.h>

struct requirement {
	struct image *const *images;
	size_t n_images;
	unsigned thread;
	const struct stop *stop;
	const struct image *image; /* that the condition's names are of */
	struct c_expression *condition;
	GArray *pcs; /* uint64_t */
	struct walk_goal goal;
};

struct reading {
	const struct trace_cursor *cursor;
	const struct trace_module *module;
};

static bool read_memory(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct reading *r = arg;
	bool writable;

	*value = 0;
	return size <= sizeof(*value) &&
	       (trace_cursor_read(r->cursor, address, size, (uint8_t *)value) ||
		image_initial(r->module->image, address - r->module->bias, size, (uint8_t *)value,
			      &writable));
}

static bool is_true(const struct expression_code *code, int32_t truth, bool *known)
{
	*known = code->temps[truth].known;
	return *known && code->temps[truth].w[0] & 1;
}

static bool compile(struct requirement *r, const struct trace_point *m, const char *text,
		    bool *holds, GError **error)
{
	const struct image_frame *frame = trace_point_frame(m);
	bool known;

	r->condition = c_expression_parse(r->image, text, error);
	if (!r->condition)
		return false;
	r->goal.code = expression_compile(r->image, frame, r->condition, error);
	if (!r->goal.code)
		return false;
	r->goal.truth = expression_truth(r->goal.code, error);
	if (r->goal.truth < 0)
		return false;
	expression_run(r->goal.code, frame, trace_point_cursor(m));
	*holds = is_true(r->goal.code, r->goal.truth, &known);
	if (!known)
		g_set_error(error, C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_VALUE,
			    "whether it holds is not known: %s",
			    r->goal.code->unknown
				    ? r->goal.code->unknown
				    : "the program's own code had not touched that memory, or a "
				      "null pointer is followed");
	return known;
}

struct requirement *requirement_new(struct image *const *images, size_t n_images, unsigned thread,
				    const struct trace_point *m, const struct stop *stop,
				    const char *condition, bool *holds, GError **error)
{
	struct requirement *r = g_new0(struct requirement, 1);
	uint64_t bias = 0;

	r->images = images;
	r->n_images = n_images;
	r->thread = thread;
	r->stop = stop;
	r->image = trace_point_image(m);
	r->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	trace_point_bias_of(m, stop->image, &bias);
	for (guint i = 0; i < stop->places->len; i++) {
		uint64_t pc = g_array_index(stop->places, uint64_t, i) + bias;

		g_array_append_val(r->pcs, pc);
	}
	r->goal.pcs = (const uint64_t *)(const void *)r->pcs->data;
	r->goal.n_pcs = r->pcs->len;
	r->goal.count = stop->count;
	if (compile(r, m, condition, holds, error))
		return r;
	requirement_free(r);
	return NULL;
}

void requirement_free(struct requirement *r)
{
	if (!r)
		return;
	expression_code_free(r->goal.code);
	c_expression_free(r->condition);
	g_array_free(r->pcs, TRUE);
	g_free(r);
}

const struct walk_goal *requirement_goal(const struct requirement *r)
{
	return &r->goal;
}

/* In that run's own frame: it may have come there another way. */
static bool holds_at(const struct requirement *r, const struct trace_run *run,
		     const struct trace_cursor *c)
{
	struct image_frame frame = trace_cursor_frame(c);
	struct reading reading = { c, trace_run_module_at(run, trace_cursor_pc(c), NULL) };
	struct expression_code *code;
	int32_t truth;
	bool known, holds = false;

	frame.read = read_memory;
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

static bool comes_there(const struct requirement *r, const struct trace_run *run,
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

bool requirement_is_met(const struct requirement *r, const char *record,
			const struct trace_action *actions, size_t n_actions)
{
	struct trace_run *run = trace_run_open(record, r->images, r->n_images, NULL);
	struct lift *lift = lift_new();
	struct trace_cursor *c = NULL;
	bool met = false;

	if (run && trace_run_choose(run, r->thread, NULL)) {
		c = trace_cursor_new(run, r->thread, lift);
		if (n_actions)
			trace_cursor_set_actions(c, actions, n_actions);
		met = comes_there(r, run, c) && holds_at(r, run, c);
	}
	trace_cursor_free(c);
	trace_run_free(run);
	lift_free(lift);
	return met;
}
