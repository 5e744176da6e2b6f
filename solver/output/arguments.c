/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/arguments.h"
#include "solver/library/mangled.h"

#include <string.h>

/* NULL = it is not known to print or to format. */
static const struct library_function *printer_named(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->prints ? f : NULL;
}

/* The number, from 0, of the first argument that is a value. */
static unsigned first_value(const struct library_function *p)
{
	return p->prints == LIBRARY_PRINTS_FORMAT ? p->format : p->printed - 1u;
}

bool arguments_in_source(const char *called, const char **name, unsigned *first)
{
	size_t n;
	const struct library_function *rows = library_rows(&n), *best = NULL;

	for (size_t i = 0; called && i < n; i++)
		if (rows[i].prints && !rows[i].writes && !rows[i].block && *rows[i].name != '_' &&
		    strstr(called, rows[i].name) &&
		    (!best || strlen(rows[i].name) > strlen(best->name)))
			best = &rows[i];
	if (!best ||
	    (best->prints != LIBRARY_PRINTS_FORMAT && best->prints != LIBRARY_PRINTS_VALUE))
		return false;
	*name = best->name;
	*first = first_value(best);
	return true;
}

bool arguments_follow_format(const char *name)
{
	const struct library_function *p = printer_named(name);

	return p && p->prints == LIBRARY_PRINTS_FORMAT;
}

bool arguments_are_put(const char *name)
{
	g_autofree char *words = name ? mangled_words(name) : NULL;

	return g_strcmp0(words, "operator<<") == 0;
}

/* ---- memory ---- */

/* The bytes as traced code left them, or as the program's file has them. */
static bool peek_at_argument(const struct arguments *a, uint64_t at, size_t size, uint8_t *out)
{
	bool writable;

	return trace_cursor_read(a->cursor, at, size, out) ||
	       image_initial(a->module->image, at - a->module->bias, size, out, &writable);
}

static bool peek_word(const struct arguments *a, uint64_t at, uint64_t *value)
{
	return peek_at_argument(a, at, sizeof(*value), (uint8_t *)value);
}

enum { LONGEST_STRING = 1 << 20 };

/* Caller frees; NULL = not known. */
static char *peek_string(const struct arguments *a, uint64_t at, size_t most, size_t *length)
{
	GString *s = g_string_new(NULL);
	uint8_t byte = 1;
	bool known = true;

	while (s->len < MIN(most, LONGEST_STRING) &&
	       (known = peek_at_argument(a, at + s->len, 1, &byte)) && byte)
		g_string_append_c(s, (char)byte);
	*length = s->len;
	return g_string_free(s, !known);
}

/* ---- the arguments ---- */

static const enum trace_reg in_order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					   TRACE_RCX, TRACE_R8,	 TRACE_R9 };
enum { N_GP = 6, N_FP = 8, SAVED_GP = 48, SAVED_FP = 176 };

static struct printed_place take_from_stack(struct arguments *a)
{
	struct printed_place place = { .kind = PRINTED_MEMORY, .address = a->overflow };

	a->overflow += 8;
	return place;
}

static struct printed_place take_argument_word(struct arguments *a)
{
	struct printed_place place = { .kind = PRINTED_REGISTER };

	if (a->is_list && a->gp < SAVED_GP) {
		place = (struct printed_place){ PRINTED_MEMORY, 0, a->saved + a->gp };
		a->gp += 8;
	} else if (!a->is_list && a->gp < N_GP) {
		place.reg = in_order[a->gp++];
	} else {
		place = take_from_stack(a);
	}
	return place;
}

static struct printed_place take_float(struct arguments *a)
{
	struct printed_place place = { .kind = PRINTED_REGISTER };

	if (a->is_list && a->fp < SAVED_FP) {
		place = (struct printed_place){ PRINTED_MEMORY, 0, a->saved + a->fp };
		a->fp += 16;
	} else if (!a->is_list && a->fp < N_FP) {
		place.reg = TRACE_XMM0 + a->fp++;
	} else {
		place = take_from_stack(a);
	}
	return place;
}

static void skip_long_double(struct arguments *a)
{
	a->overflow = ((a->overflow + 15) & ~UINT64_C(15)) + 16;
}

static bool argument_value_at(const struct arguments *a, struct printed_place place, uint64_t *bits)
{
	unsigned offset = IR_STATE_YMM + 32 * (place.reg - TRACE_XMM0);

	if (place.kind == PRINTED_MEMORY)
		return peek_word(a, place.address, bits);
	if (place.reg < TRACE_XMM0) {
		*bits = trace_cursor_reg(a->cursor, place.reg);
		return true;
	}
	memcpy(bits, trace_cursor_state(a->cursor) + offset, sizeof(*bits));
	return trace_cursor_state_known(a->cursor, offset, sizeof(*bits));
}

static uint64_t printer_argument(const struct arguments *a, unsigned number)
{
	return trace_cursor_reg(a->cursor, in_order[number - 1]);
}

static void begin_list(struct arguments *a, uint64_t list)
{
	uint32_t offsets[2] = { 0 };

	a->is_list = true;
	a->failed = !peek_at_argument(a, list, sizeof(offsets), (uint8_t *)offsets) ||
		    !peek_word(a, list + 8, &a->overflow) || !peek_word(a, list + 16, &a->saved);
	a->gp = offsets[0];
	a->fp = offsets[1];
}

static void begin_format(struct arguments *a)
{
	const struct library_function *p = a->printer;
	g_autofree char *format = NULL;
	size_t length;

	format = p->as ? g_strdup(p->as)
		       : peek_string(a, printer_argument(a, p->format), SIZE_MAX, &length);
	/* directives point into it */
	a->directives = format ? directives_parse(g_intern_string(format)) : NULL;
	a->failed = !a->directives;
	for (guint i = 0; p->styled && !a->failed && i < a->directives->len; i++)
		g_array_index(a->directives, struct directive, i).styled = true;
	if (p->prints == LIBRARY_PRINTS_LIST && !a->failed)
		begin_list(a, printer_argument(a, p->format + 1u));
	else
		a->gp = first_value(p);
}

/* As many as writev takes (IOV_MAX). */
enum { MOST_IN_VECTOR = 1024, VECTOR_STRIDE = 16 };

static void begin_vector(struct arguments *a)
{
	const uint64_t list = printer_argument(a, a->printer->printed),
		       n = printer_argument(a, a->printer->printed_bytes);

	a->directives = g_array_new(FALSE, TRUE, sizeof(struct directive));
	a->failed = n > MOST_IN_VECTOR;
	a->overflow = list;
	for (uint64_t i = 0; i < n && !a->failed; i++) {
		struct directive d = { .kind = DIRECTIVE_BYTES };
		uint64_t size = 0;

		a->failed = !peek_word(a, list + VECTOR_STRIDE * i + 8, &size);
		d.length = (size_t)size;
		g_array_append_val(a->directives, d);
	}
}

static struct printed_place take_from_vector(struct arguments *a)
{
	struct printed_place place = { .kind = PRINTED_MEMORY, .address = a->overflow };

	a->overflow += VECTOR_STRIDE;
	return place;
}

/* A single piece. */
static void begin_bytes(struct arguments *a)
{
	const struct library_function *p = a->printer;
	struct directive d = { .kind = DIRECTIVE_BYTES, .styled = p->styled };
	uint64_t n = 0;

	a->directives = g_array_new(FALSE, TRUE, sizeof(d));
	if (p->prints == LIBRARY_PRINTS_STRING)
		a->failed = !peek_word(a, printer_argument(a, p->printed) + 8, &n);
	else
		n = printer_argument(a, p->printed_bytes) *
		    (p->printed_times ? printer_argument(a, p->printed_times) : 1);
	d.length = (size_t)n;
	g_array_append_val(a->directives, d);
	a->gp = first_value(p);
}

static bool begin_arguments(struct arguments *a, const struct trace_cursor *cursor,
			    const struct trace_module *module, const struct trace_insn *insn,
			    const struct library_function *printer)
{
	bool is_call = insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;

	*a = (struct arguments){ .cursor = cursor, .module = module, .printer = printer };
	if (!a->printer)
		return false;
	/* a tail call leaves the caller's return address on the stack */
	a->overflow = trace_cursor_reg(cursor, TRACE_RSP) + (is_call ? 0 : 8);
	if (a->printer->prints == LIBRARY_PRINTS_BYTES ||
	    a->printer->prints == LIBRARY_PRINTS_STRING)
		begin_bytes(a);
	else if (a->printer->prints == LIBRARY_PRINTS_VECTOR)
		begin_vector(a);
	else
		begin_format(a);
	return true;
}

bool arguments_begin(struct arguments *a, const struct trace_cursor *cursor,
		     const struct trace_module *module, const struct trace_insn *insn,
		     const char *name)
{
	return begin_arguments(a, cursor, module, insn, printer_named(name));
}

bool arguments_begin_format(struct arguments *a, const struct trace_cursor *cursor,
			    const struct trace_module *module, const struct trace_insn *insn,
			    unsigned format)
{
	static const struct library_function any[N_GP] = {
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 1 },
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 2 },
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 3 },
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 4 },
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 5 },
		{ .prints = LIBRARY_PRINTS_FORMAT, .format = 6 },
	};

	return format < N_GP && begin_arguments(a, cursor, module, insn, &any[format]);
}

static int take_star(struct arguments *a, int given)
{
	uint64_t bits = 0;

	if (given != DIRECTIVE_STAR)
		return given;
	a->failed |= !argument_value_at(a, take_argument_word(a), &bits);
	return (int)(int32_t)bits;
}

/* A negative width is the flag `-', a negative precision is none. */
static void take_widths(struct arguments *a, struct printed_piece *p)
{
	p->width = take_star(a, p->directive.width);
	p->precision = take_star(a, p->directive.precision);
	if (p->directive.width == DIRECTIVE_STAR && p->width < 0) {
		p->directive.left = true;
		g_strlcat(p->directive.flags, "-", sizeof(p->directive.flags));
		p->width = -p->width;
	}
	if (p->precision < 0)
		p->precision = DIRECTIVE_NONE;
}

bool arguments_next(struct arguments *a, struct printed_piece *p)
{
	if (a->failed || a->at == a->directives->len)
		return false;
	*p = (struct printed_piece){
		.directive = g_array_index(a->directives, struct directive, a->at++),
		.width = DIRECTIVE_NONE,
		.precision = DIRECTIVE_NONE,
	};
	if (p->directive.kind == DIRECTIVE_TEXT)
		return true;
	if (p->directive.kind != DIRECTIVE_BYTES)
		take_widths(a, p);
	if (p->directive.kind == DIRECTIVE_OPAQUE) {
		if (p->directive.size == 16)
			skip_long_double(a);
		else
			a->failed = true;
	} else {
		p->place = a->printer->prints == LIBRARY_PRINTS_VECTOR ? take_from_vector(a)
			   : p->directive.kind == DIRECTIVE_FLOAT      ? take_float(a)
								       : take_argument_word(a);
		a->failed |= !argument_value_at(a, p->place, &p->bits);
	}
	if (a->printer->prints == LIBRARY_PRINTS_STRING)
		a->failed |= !peek_word(a, p->bits, &p->bits);
	return !a->failed;
}

char *arguments_print(const struct arguments *a, const struct printed_piece *p, size_t *length)
{
	const struct directive *d = &p->directive;
	g_autofree char *string = NULL;
	size_t n = 0;

	if (d->kind == DIRECTIVE_OPAQUE)
		return NULL;
	if (d->kind == DIRECTIVE_BYTES) {
		string = d->length && d->length < LONGEST_STRING ? g_malloc(d->length) : NULL;
		n = d->length;
		if (!string || !peek_at_argument(a, p->bits, n, (uint8_t *)string))
			return NULL;
	}
	if (d->kind == DIRECTIVE_STRING) {
		string = peek_string(a, p->bits,
				     p->precision >= 0 ? (size_t)p->precision : SIZE_MAX, &n);
		if (!string)
			return NULL;
	}
	return directive_print(d, p->width, p->precision, p->bits, string, n, length);
}

void arguments_end(struct arguments *a)
{
	if (a->directives)
		g_array_free(a->directives, TRUE);
}
