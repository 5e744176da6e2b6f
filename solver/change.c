/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change.h"

#include "solver/expression.h"
#include "solver/sense.h"
#include "solver/trace/run.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - change, change_error)

/* A walk through the record, counting executions. */
struct walk {
	struct trace_run *run;
	struct lift *lift;
	struct trace_cursor *cursor;
	GHashTable *counts; /* pc -> executions so far */
	struct trace_step step;
	uint64_t before; /* pc of the last step, 0 = none yet */
};

static bool nothing(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool nothing(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(CHANGE_ERROR, CHANGE_ERROR_NONE, format, args));
	va_end(args);
	return false;
}

static void walk_clear(struct walk *w)
{
	trace_cursor_free(w->cursor);
	trace_run_free(w->run);
	lift_free(w->lift);
	g_hash_table_unref(w->counts);
}

static bool walk_step(struct walk *w, GError **error)
{
	gpointer pc = GSIZE_TO_POINTER(trace_cursor_pc(w->cursor));
	gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(w->counts, pc));

	if (trace_cursor_step(w->cursor, &w->step, error) != 1)
		return false;
	g_hash_table_insert(w->counts, pc, GSIZE_TO_POINTER(n + 1));
	w->before = w->step.pc;
	return true;
}

static const struct trace_module *module_here(const struct walk *w, uint64_t *link)
{
	uint64_t pc = trace_cursor_pc(w->cursor);

	return pc ? trace_run_module_at(w->run, pc, link) : NULL;
}

/* Goes on until control is at the stop for the time that is meant. */
static bool walk_to(struct walk *w, const struct change_of *of, const struct stop *stop,
		    GError **error)
{
	uint64_t passed = 0, link;
	GError *wrong = NULL;

	w->lift = lift_new();
	w->counts = g_hash_table_new(NULL, NULL);
	w->run = trace_run_open(of->record, of->images, of->n_images, error);
	if (!w->run || !trace_run_choose(w->run, of->thread, error))
		return false;
	w->cursor = trace_cursor_new(w->run, of->thread, w->lift);
	do {
		const struct trace_module *m = module_here(w, &link);

		if (m && stop_is_at(stop, m->image, link) && ++passed == stop->count)
			return true;
	} while (walk_step(w, &wrong));
	if (wrong)
		g_propagate_error(error, wrong);
	else
		nothing(error, "The run comes to %s only %" G_GUINT64_FORMAT " time%s.", stop->text,
			passed, passed == 1 ? "" : "s");
	return false;
}

static void place_action(const struct walk *w, uint64_t pc, unsigned thread, struct trace_action *a)
{
	uint64_t link = 0;
	const struct trace_module *m = trace_run_module_at(w->run, pc, &link);

	a->module = trace_run_module_number(w->run, m);
	a->thread = thread;
	a->addr = link;
	a->nth = GPOINTER_TO_SIZE(g_hash_table_lookup(w->counts, GSIZE_TO_POINTER(pc)));
}

static const struct image_statement *statement_at(const struct image *im, uint64_t link)
{
	const struct image_row *row = image_row_at(im, link);

	return row ? image_statement(im, row->statement) : NULL;
}

static char *words_of_flip(const struct image *im, const struct trace_step *step)
{
	struct sources *sources = sources_new(im);
	struct sense s = { 0 };
	char *text;
	bool truth;

	sense_find(im, sources, step->insn->addr, &s);
	truth = (s.meaning == SENSE_TAKEN_IS_TRUE) == step->taken;
	if (s.clause && (s.meaning == SENSE_TAKEN_IS_TRUE || s.meaning == SENSE_TAKEN_IS_FALSE))
		text = g_strdup_printf("`%s' goes %s instead of %s", s.clause,
				       truth ? "false" : "true", truth ? "true" : "false");
	else
		text = g_strdup("the branch goes the other way");
	sense_clear(&s);
	sources_free(sources);
	return text;
}

/* The line that control is in, without what it calls. */
struct line {
	const struct image *image;
	const struct image_statement *statement;
	uint64_t sp;
};

static struct line line_here(const struct walk *w)
{
	uint64_t link = 0;
	const struct trace_module *m = module_here(w, &link);

	return (struct line){ m->image, statement_at(m->image, link),
			      trace_cursor_reg(w->cursor, TRACE_RSP) };
}

enum whose { LINE_OURS, LINE_CALLED, LINE_LEFT };

static enum whose whose_line(const struct walk *w, const struct line *line)
{
	uint64_t link = 0;
	const struct trace_module *m = module_here(w, &link);
	const struct image_statement *s =
		m && m->image == line->image ? statement_at(m->image, link) : NULL;

	if (trace_cursor_reg(w->cursor, TRACE_RSP) < line->sp)
		return LINE_CALLED;
	return s && line->statement && s->line == line->statement->line &&
			       g_strcmp0(s->file, line->statement->file) == 0
		       ? LINE_OURS
		       : LINE_LEFT;
}

static bool find_branch(struct walk *w, const struct change_of *of, const struct stop *stop,
			struct change *out, GError **error)
{
	const struct line line = line_here(w);
	GError *wrong = NULL;
	enum whose whose;

	while ((whose = whose_line(w, &line)) != LINE_LEFT && walk_step(w, &wrong)) {
		if (whose != LINE_OURS || w->step.insn->flow != TRACE_FLOW_COND)
			continue;
		out->action = (struct trace_action){ .kind = TRACE_ACT_FORCE, .size = 1 };
		place_action(w, w->step.pc, of->thread, &out->action);
		out->action.value[0] = !w->step.taken;
		out->file = g_strdup(line.statement->file);
		out->line = line.statement->line;
		out->text = words_of_flip(line.image, &w->step);
		return true;
	}
	if (!wrong)
		return nothing(error, "There is no branch in %s that the run came to then.",
			       stop->text);
	g_propagate_error(error, wrong);
	return false;
}

bool change_flip(const struct change_of *run, const struct stop *stop, struct change *out,
		 GError **error)
{
	struct walk w = { 0 };
	bool ok = walk_to(&w, run, stop, error) && find_branch(&w, run, stop, out, error);

	walk_clear(&w);
	return ok;
}

/* --- values --- */

static bool read_memory(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	uint8_t bytes[8] = { 0 };

	if (size > sizeof(bytes) || !trace_cursor_read(arg, address, size, bytes))
		return false;
	memcpy(value, bytes, sizeof(bytes));
	return true;
}

static bool look(const struct walk *w, const struct image *im, const char *text,
		 struct expression *x, GError **error)
{
	struct image_frame frame = trace_cursor_frame(w->cursor);
	struct c_expression *parsed;
	struct expression_code *code = NULL;
	GError *wrong = NULL;

	frame.read = read_memory;
	frame.arg = w->cursor;
	parsed = c_expression_parse(im, text, &wrong);
	if (parsed)
		code = expression_compile(im, &frame, parsed, &wrong);
	if (code) {
		expression_run(code, &frame, w->cursor);
		expression_result(code, &frame, x);
	} else {
		nothing(error, "`%s' cannot be used: %s.", text, wrong->message);
		g_error_free(wrong);
	}
	expression_code_free(code);
	c_expression_free(parsed);
	return code != NULL;
}

static double as_double(const struct expression *x)
{
	double d;
	float f;
	int64_t i = 0;

	if (x->type->kind == IMAGE_TYPE_FLOAT && x->type->size == 4) {
		memcpy(&f, x->bytes, sizeof(f));
		return (double)f;
	}
	if (x->type->kind == IMAGE_TYPE_FLOAT) {
		memcpy(&d, x->bytes, sizeof(d));
		return d;
	}
	memcpy(&i, x->bytes, sizeof(i));
	return (double)i;
}

static bool is_number(const struct expression *x)
{
	return x->type && x->type->kind < IMAGE_TYPE_STRUCT && x->type->size > 0 &&
	       x->type->size <= 8;
}

/* As an assignment converts it. */
static void convert(const struct expression *value, const struct image_type *to, uint8_t *out)
{
	unsigned size = value->type->size;
	uint64_t bits = 0;
	double d;
	float f;

	memcpy(&bits, value->bytes, size);
	if (value->type->is_signed && size < 8 && bits >> (8 * size - 1) & 1)
		bits |= ~UINT64_C(0) << (8 * size);
	if (to->kind == IMAGE_TYPE_FLOAT || value->type->kind == IMAGE_TYPE_FLOAT) {
		struct expression wide = *value;

		if (value->type->kind != IMAGE_TYPE_FLOAT)
			memcpy(wide.bytes, &bits, sizeof(bits));
		d = as_double(&wide);
		f = (float)d;
		bits = (uint64_t)(int64_t)d;
		if (to->kind == IMAGE_TYPE_FLOAT)
			memcpy(&bits, to->size == 4 ? (void *)&f : (void *)&d, to->size);
	}
	memcpy(out, &bits, sizeof(bits));
}

/* At the first `=' that is no part of an operator. */
static bool split(const char *assignment, char **left, char **right, GError **error)
{
	for (const char *p = strchr(assignment, '='); p; p = strchr(p + 1, '=')) {
		if (p == assignment || p[1] == '=' || strchr("=!<>+-*/%&|^", p[-1]))
			continue;
		*left = g_strstrip(g_strndup(assignment, (gsize)(p - assignment)));
		*right = g_strstrip(g_strdup(p + 1));
		return true;
	}
	return nothing(error, "`%s' is no assignment; say LVALUE = VALUE.", assignment);
}

/* Only what the record has is gone through. */
static void leave_line(struct walk *w)
{
	const struct line line = line_here(w);

	while (whose_line(w, &line) != LINE_LEFT && walk_step(w, NULL))
		;
}

static bool find_object(struct walk *w, const struct change_of *of, bool after,
			const char *assignment, struct change *out, GError **error)
{
	const struct line line = line_here(w);
	const struct image_statement *s = line.statement;
	g_autofree char *left = NULL, *right = NULL;
	struct expression object = { 0 }, value = { 0 };

	if (after)
		leave_line(w);
	if (!split(assignment, &left, &right, error) ||
	    !look(w, line.image, left, &object, error) ||
	    !look(w, line.image, right, &value, error))
		return false;
	if (!object.has_address || object.bits || !is_number(&object))
		return nothing(error, "`%s' is no number or pointer in memory there.", left);
	if (!value.has_value || !is_number(&value))
		return nothing(error, "`%s' has no value there.", right);
	if (!w->before)
		return nothing(error, "Nothing of the program has run before that.");
	out->action = (struct trace_action){ .kind = TRACE_ACT_MEM,
					     .size = (uint16_t)object.type->size,
					     .where = object.address };
	place_action(w, w->before, of->thread, &out->action);
	convert(&value, object.type, out->action.value);
	out->file = s ? g_strdup(s->file) : NULL;
	out->line = s ? s->line : 0;
	out->text =
		g_strdup_printf("%s = %s %s that line", left, right, after ? "after" : "before");
	return true;
}

bool change_set(const struct change_of *run, const struct stop *stop, bool after,
		const char *assignment, struct change *out, GError **error)
{
	struct walk w = { 0 };
	bool ok = walk_to(&w, run, stop, error) &&
		  find_object(&w, run, after, assignment, out, error);

	walk_clear(&w);
	return ok;
}

void change_clear(struct change *c)
{
	g_free(c->file);
	g_free(c->text);
}
