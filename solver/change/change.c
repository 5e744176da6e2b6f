/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/change-private.h"

#include "solver/image/variable/variable.h"
#include "solver/source/expression/expression.h"
#include "solver/source/source.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - change, change_error)

bool change_nothing(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(CHANGE_ERROR, CHANGE_ERROR_NONE, format, args));
	va_end(args);
	return false;
}

void change_walk_clear(struct change_walk *w)
{
	trace_cursor_free(w->cursor);
	trace_run_free(w->run);
	lift_free(w->lift);
	g_hash_table_unref(w->counts);
}

bool change_walk_step(struct change_walk *w, GError **error)
{
	gpointer pc = GSIZE_TO_POINTER(trace_cursor_pc(w->cursor));
	gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(w->counts, pc));

	if (trace_cursor_step(w->cursor, &w->step, error) != 1)
		return false;
	g_hash_table_insert(w->counts, pc, GSIZE_TO_POINTER(n + 1));
	w->before = w->step.pc;
	return true;
}

const struct trace_module *change_module_here(const struct change_walk *w, uint64_t *link)
{
	uint64_t pc = trace_cursor_pc(w->cursor);

	return pc ? trace_run_module_at(w->run, pc, link) : NULL;
}

bool change_walk_begin(struct change_walk *w, const struct change_of *of, const char *record,
		       GError **error)
{
	w->lift = lift_new();
	w->counts = g_hash_table_new(NULL, NULL);
	w->run = trace_run_open(record, of->images, of->n_images, error);
	if (!w->run || !trace_run_choose(w->run, of->thread, error))
		return false;
	trace_run_end_at(w->run, of->until);
	w->cursor = trace_cursor_new(w->run, of->thread, w->lift);
	return true;
}

/* Goes on until control is at the stop for the right time. */
static bool walk_to(struct change_walk *w, const struct change_of *of, const struct stop *stop,
		    GError **error)
{
	uint64_t passed = 0, link;
	GError *wrong = NULL;

	if (!change_walk_begin(w, of, of->record, error))
		return false;
	do {
		const struct trace_module *m = change_module_here(w, &link);

		if (m && stop_is_at(stop, m->image, link) && ++passed == stop->count)
			return true;
	} while (change_walk_step(w, &wrong));
	if (wrong)
		g_propagate_error(error, wrong);
	else
		change_nothing(error, "The run comes to %s only %" G_GUINT64_FORMAT " time%s.",
			       stop->text, passed, passed == 1 ? "" : "s");
	return false;
}

void change_place(const struct change_walk *w, uint64_t pc, unsigned thread, struct trace_action *a)
{
	uint64_t link = 0;
	const struct trace_module *m = trace_run_module_at(w->run, pc, &link);

	a->module = trace_run_module_number(w->run, m);
	a->thread = thread;
	a->addr = link;
	a->nth = GPOINTER_TO_SIZE(g_hash_table_lookup(w->counts, GSIZE_TO_POINTER(pc)));
}

const struct image_statement *change_statement_at(const struct image *im, uint64_t link)
{
	const struct image_row *row = image_row_at(im, link);

	return row ? image_statement(im, row->statement) : NULL;
}

struct change_line change_line_here(const struct change_walk *w)
{
	uint64_t link = 0;
	const struct trace_module *m = change_module_here(w, &link);

	return (struct change_line){ m->image, change_statement_at(m->image, link),
				     trace_cursor_reg(w->cursor, TRACE_RSP) };
}

enum change_whose change_whose_line(const struct change_walk *w, const struct change_line *line)
{
	uint64_t link = 0;
	const struct trace_module *m = change_module_here(w, &link);
	const struct image_statement *s =
		m && m->image == line->image ? change_statement_at(m->image, link) : NULL;

	if (trace_cursor_reg(w->cursor, TRACE_RSP) < line->sp)
		return LINE_CALLED;
	return s && line->statement && s->line == line->statement->line &&
			       g_strcmp0(s->file, line->statement->file) == 0
		       ? LINE_OURS
		       : LINE_LEFT;
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

static bool look_up_changed_place(const struct change_walk *w, const struct image *im,
				  const char *text, struct expression *x, GError **error)
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
		change_nothing(error, "`%s' cannot be used: %s.", text, wrong->message);
		g_error_free(wrong);
	}
	expression_code_free(code);
	c_expression_free(parsed);
	return code != NULL;
}

static double double_of_expression(const struct expression *x)
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

static bool is_number_expression(const struct expression *x)
{
	return x->type && x->type->kind < IMAGE_TYPE_STRUCT && x->type->size > 0 &&
	       x->type->size <= 8;
}

/* Converts a value as an assignment does. */
static void convert_value(const struct expression *value, const struct image_type *to, uint8_t *out)
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
		d = double_of_expression(&wide);
		f = (float)d;
		bits = (uint64_t)(int64_t)d;
		if (to->kind == IMAGE_TYPE_FLOAT)
			memcpy(&bits, to->size == 4 ? (void *)&f : (void *)&d, to->size);
	}
	memcpy(out, &bits, sizeof(bits));
}

/* Of a bit-field only its own bits are written, in the bytes that it has a part of.  False when
 * these are more than 8. */
static bool put_into_field(const struct expression *field, struct trace_action *a)
{
	const uint64_t mask = field->bits < 64 ? (UINT64_C(1) << field->bits) - 1 : ~UINT64_C(0);
	const uint64_t bits = mask << field->bit;
	uint64_t value;

	if (field->bit + field->bits > 64)
		return false;
	memcpy(&value, a->value, sizeof(value));
	value = (value & mask) << field->bit;
	memcpy(a->value, &value, sizeof(value));
	memcpy(a->value + TRACE_MEM_MASK, &bits, sizeof(bits));
	a->reg = TRACE_MEM_BITS;
	a->size = (uint16_t)((field->bit + field->bits + 7) / 8);
	return true;
}

/* Splits at the first `=' that is no part of another operator. */
static bool split_assignment(const char *assignment, char **left, char **right, GError **error)
{
	for (const char *p = strchr(assignment, '='); p; p = strchr(p + 1, '=')) {
		if (p == assignment || p[1] == '=' || strchr("=!<>+-*/%&|^", p[-1]))
			continue;
		*left = g_strstrip(g_strndup(assignment, (gsize)(p - assignment)));
		*right = g_strstrip(g_strdup(p + 1));
		return true;
	}
	return change_nothing(error, "`%s' is not an assignment; say LVALUE = VALUE.", assignment);
}

/* Are both parts of one statement of the source, as the operands of `s += a[i] * b[i]' are? */
static bool is_one_statement(struct sources *sources, const struct image_statement *a,
			     const struct image_statement *b)
{
	const struct source *s = a && b ? sources_get(sources, a->file) : NULL;
	size_t at, other;

	return a == b || (s && source_place(s, a->line, a->column, &at) &&
			  source_place(s, b->line, b->column, &other) &&
			  source_statement(s, at).from == source_statement(s, other).from);
}

/* Is control in another statement of the line? */
static bool left_statement(const struct change_walk *w, struct sources *sources,
			   const struct change_line *line)
{
	return change_whose_line(w, line) == LINE_OURS &&
	       !is_one_statement(sources, change_line_here(w).statement, line->statement);
}

/* Goes only through what the record has.  whole: the line, not only the statement of it. */
static void leave_line(struct change_walk *w, bool whole)
{
	const struct change_line line = change_line_here(w);
	struct sources *sources = sources_new(line.image);

	while (change_whose_line(w, &line) != LINE_LEFT &&
	       (whole || !left_statement(w, sources, &line)) && change_walk_step(w, NULL))
		;
	sources_free(sources);
}

/* What the value is given before, or behind. */
static const char *words_of_place(const struct stop *stop, bool after)
{
	if (stop->instruction)
		return after ? "after that statement" : "before that instruction";
	return after ? "after that line" : "before that line";
}

static bool find_object(struct change_walk *w, const struct change_of *of, const struct stop *stop,
			bool after, const char *assignment, struct change *out, GError **error)
{
	const struct change_line line = change_line_here(w);
	const struct image_statement *s = line.statement;
	g_autofree char *left = NULL, *right = NULL;
	struct expression object = { 0 }, value = { 0 };
	struct trace_action action;

	if (after)
		leave_line(w, !stop->instruction);
	if (!split_assignment(assignment, &left, &right, error) ||
	    !look_up_changed_place(w, line.image, left, &object, error) ||
	    !look_up_changed_place(w, line.image, right, &value, error))
		return false;
	if (!object.has_address || !is_number_expression(&object))
		return change_nothing(error, "`%s' is not a number or pointer in memory there.",
				      left);
	if (!value.has_value || !is_number_expression(&value))
		return change_nothing(error, "`%s' has no value there.", right);
	if (!w->before)
		return change_nothing(error, "Nothing of the program has run before that.");
	action = (struct trace_action){ .kind = TRACE_ACTION_MEM,
					.size = (uint16_t)object.type->size,
					.where = object.address };
	change_place(w, w->before, of->thread, &action);
	convert_value(&value, object.type, action.value);
	if (object.bits && !put_into_field(&object, &action))
		return change_nothing(error, "`%s' is a bit-field of more than 8 bytes of memory.",
				      left);
	out->actions = g_array_new(FALSE, FALSE, sizeof(action));
	g_array_append_val(out->actions, action);
	out->file = s ? g_strdup(s->file) : NULL;
	out->line = s ? s->line : 0;
	out->text = g_strdup_printf("%s = %s %s", left, right, words_of_place(stop, after));
	return true;
}

bool change_set(const struct change_of *run, const struct stop *stop, bool after,
		const char *assignment, struct change *out, GError **error)
{
	struct change_walk w = { 0 };
	bool ok = walk_to(&w, run, stop, error) &&
		  find_object(&w, run, stop, after, assignment, out, error);

	change_walk_clear(&w);
	return ok;
}

bool change_stack(const struct change_of *run, uint64_t *out, GError **error)
{
	struct change_walk w = { 0 };
	bool ok = change_walk_begin(&w, run, run->record, error);

	if (ok)
		*out = trace_cursor_reg(w.cursor, TRACE_RSP);
	change_walk_clear(&w);
	return ok;
}

/* --- the end of a changed run --- */

char *change_end(const struct change_of *of, const char *record, const struct change *c)
{
	struct change_walk w = { 0 };
	const struct image_statement *s = NULL;
	char *name, *place = NULL;

	if (change_walk_begin(&w, of, record, NULL)) {
		trace_cursor_set_actions(w.cursor, (const void *)c->actions->data, c->actions->len);
		while (change_walk_step(&w, NULL))
			;
		if (w.step.insn && w.step.exit_kind == TRACE_EXIT_CUT)
			s = change_statement_at(w.step.module->image, w.step.insn->addr);
	}
	if (s) {
		name = g_path_get_basename(s->file);
		place = g_strdup_printf("%s:%u in %s", name, s->line, s->function);
		g_free(name);
	}
	change_walk_clear(&w);
	return place;
}

void change_clear(struct change *c)
{
	g_clear_pointer(&c->actions, g_array_unref);
	g_free(c->file);
	g_free(c->text);
	g_free(c->check);
}
