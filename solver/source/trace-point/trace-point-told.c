/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/trace-point-private.h"

#include "solver/source/executed.h"
#include "solver/source/expression/expression.h"
#include "solver/source/source.h"
#include "solver/source/trace-point/call-results.h"
#include "solver/source/trace-point/past-memory.h"
#include "solver/source/value.h"

#include <string.h>

const struct deadline *trace_point_until(const struct trace_point *m)
{
	return m->until;
}

void trace_point_ask(struct trace_point *m, trace_point_memory_fn *memory, void *arg)
{
	m->memory = memory;
	m->memory_arg = arg;
}

uint64_t trace_point_passed(const struct trace_point *m)
{
	return m->stop ? m->passed : 0;
}

uint64_t trace_point_exit_step(const struct trace_point *m)
{
	return m->ended_by.module ? m->ended_by.step : UINT64_MAX;
}

const struct trace_cursor *trace_point_cursor(const struct trace_point *m)
{
	return m->cursor;
}

const struct image_frame *trace_point_frame(const struct trace_point *m)
{
	return &m->frame;
}

bool trace_point_read_before(const struct trace_point *m, uint64_t step, uint64_t address,
			     unsigned size, uint64_t *value)
{
	const struct past_memory past = { m->run, m->index, m->foreign, m->stack };

	return past_memory_read(&past, step, address, size, value);
}

uint64_t trace_point_in_frame(const struct trace_point *m, const struct limits *limits,
			      uint64_t step, uint64_t pc)
{
	uint32_t depth;

	if (!m->index || step >= reverse_index_steps(m->index))
		return UINT64_MAX;
	depth = reverse_index_at(m->index, step)->depth;
	for (uint64_t left = limits_or_default(limits)->frame_calls; left > 0; left--) {
		step = reverse_index_find_insn(m->index, 0, step, &pc, 1);
		if (step == UINT64_MAX || reverse_index_at(m->index, step)->depth <= depth)
			break;
	}
	return step != UINT64_MAX && reverse_index_at(m->index, step)->depth == depth ? step
										      : UINT64_MAX;
}

char *trace_point_stop_text(const struct trace_point *m, const struct step_count *execution)
{
	uint64_t bias = 0, link;
	const struct image *im = trace_point_image_at(m, execution->pc, &bias);
	const struct image_function *f;

	link = execution->pc - bias;
	f = im ? image_function_at(im, link) : NULL;
	if (!f || f->parent || !execution->nth)
		return NULL;
	return g_strdup_printf("%s+%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, f->name, link - f->lo,
			       execution->nth);
}

bool trace_point_executions(const struct trace_point *m, struct step_count **counts, size_t n)
{
	struct lift *lift;
	bool ok;

	if (trace_point_left_out(m))
		return false;
	lift = lift_new();
	ok = step_counts_fill(m->run, lift, counts, n, NULL);
	lift_free(lift);
	return ok;
}

bool trace_point_is_signalled(const struct trace_point *m)
{
	return m->signalled;
}

const struct image *trace_point_image(const struct trace_point *m)
{
	return m->module ? m->module->image : m->images[0];
}

const struct image_statement *trace_point_statement(const struct trace_point *m)
{
	const struct image_row *row = image_row_at(trace_point_image(m), m->frame.pc);

	return row ? image_statement(trace_point_image(m), row->statement) : NULL;
}

const struct image *trace_point_image_at(const struct trace_point *m, uint64_t pc, uint64_t *bias)
{
	const struct trace_module *module = trace_run_module_at(m->run, pc, NULL);

	if (!module)
		return NULL;
	*bias = module->bias;
	return module->image;
}

uint64_t trace_point_left_out(const struct trace_point *m)
{
	return trace_run_left_out(m->run, trace_run_chosen(m->run));
}

bool trace_point_bias_of(const struct trace_point *m, const struct image *im, uint64_t *bias)
{
	const struct trace_head *head = trace_run_head(m->run, trace_run_chosen(m->run));

	for (size_t i = 0; i < m->n_images && i < head->n_modules; i++)
		if (m->images[i] == im) {
			*bias = head->bias[i];
			return true;
		}
	return false;
}

void trace_point_coverage(const struct trace_point *m, struct explanation *e)
{
	executed_describe(m->executed, m->images, m->n_images,
			  !trace_point_left_out(m) && trace_point_threads(m) == 1, e);
}

bool trace_point_has_executed(const struct trace_point *m, const struct image *im,
			      const struct trace_insn *insn)
{
	return executed_turn(m->executed, im, insn) > 0;
}

uint32_t trace_point_turn(const struct trace_point *m, const struct image *im,
			  const struct trace_insn *insn)
{
	return executed_turn(m->executed, im, insn);
}

uint64_t trace_point_first_step(const struct trace_point *m, const struct image *im,
				const struct trace_insn *insn)
{
	return executed_step(m->executed, im, insn);
}

bool trace_point_main_arguments(const struct trace_point *m, uint64_t *argc, uint64_t *argv)
{
	*argc = m->argc;
	*argv = m->argv;
	return m->argv != 0;
}

uint64_t trace_point_stack(const struct trace_point *m)
{
	return m->stack;
}

uint64_t trace_point_instructions(const struct trace_point *m)
{
	return m->instructions;
}

uint64_t trace_point_executed(const struct trace_point *m)
{
	return trace_point_left_out(m) + m->instructions;
}

unsigned trace_point_threads(const struct trace_point *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < trace_run_threads(m->run); i++)
		n += trace_run_head(m->run, i)->insns > 0;
	return n;
}

/* NULL: it has no value there that is known. */
static char *value_of_operand(const struct trace_point *m, const char *text)
{
	struct expression x;

	return expression_look_up(trace_point_image(m), &m->frame, text, &x) && x.has_value
		       ? value_text(trace_point_image(m), &m->frame, x.type, x.bytes, x.type->size)
		       : NULL;
}

static char *part_value(const struct trace_point *m, const GArray *parts, guint i)
{
	const struct expression_part *part = &g_array_index(parts, struct expression_part, i);

	return part->call ? call_results_text(m->calls, trace_point_image(m), &m->frame, parts, i)
			  : value_of_operand(m, part->text);
}

static bool is_named(const GArray *values, const char *name)
{
	for (guint i = 0; i < values->len; i++)
		if (strcmp(g_array_index(values, struct explanation_value, i).name, name) == 0)
			return true;
	return false;
}

/* A bare address tells a person nothing, and an enumerator needs no value. */
static void add_value(struct explanation *e, const char *name, const char *value, GArray *values)
{
	const struct explanation_value v = { .name = explanation_string(e, name),
					     .value = explanation_string(e, value) };

	if (value && !g_str_has_prefix(value, "0x") && strcmp(value, name) != 0 &&
	    !is_named(values, name))
		g_array_append_val(values, v);
}

/* Of a string, or of an array of characters that holds one; else NULL. */
static char *text_of_operand(const struct trace_point *m, const char *operand)
{
	struct expression x;
	g_autofree char *value = NULL;

	if (!expression_look_up(trace_point_image(m), &m->frame, operand, &x))
		return NULL;
	value = x.type->kind == IMAGE_TYPE_ARRAY && x.has_address
			? value_text_at(trace_point_image(m), &m->frame, x.type, x.address)
			: value_of_operand(m, operand);
	return value && *value == '"' ? g_steal_pointer(&value) : NULL;
}

/* `path' of `strcmp(path, "usr")': the text says more than what the call returned. */
static void add_texts_passed(const struct trace_point *m, struct explanation *e,
			     const struct expression_part *part, GArray *values)
{
	struct source *s = source_new(part->text);
	struct source_span span = { 0, 1 };

	for (unsigned i = 0; span.to > span.from; i++) {
		g_autofree char *text = NULL, *value = NULL;

		span = source_argument(s, 0, part->call, i);
		if (span.to <= span.from || s->code[span.from] == '"')
			continue;
		text = source_text(s, span);
		value = text ? text_of_operand(m, text) : NULL;
		add_value(e, text, value, values);
	}
	source_free(s);
}

void trace_point_values(const struct trace_point *m, struct explanation *e, const char *condition,
			GArray *values)
{
	g_autoptr(GArray) parts = expression_parts(condition ? condition : "");

	for (guint i = 0; i < parts->len; i++) {
		const struct expression_part *part =
			&g_array_index(parts, struct expression_part, i);
		g_autofree char *value = part_value(m, parts, i);

		add_value(e, part->text, value, values);
		if (part->call)
			add_texts_passed(m, e, part, values);
	}
}
