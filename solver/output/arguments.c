/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/arguments.h"

#include <string.h>

enum printer_kind {
	PRINTS_FORMAT, /* .format, or the string that argument .first is; its arguments follow */
	PRINTS_LIST,   /* the same, and the next argument is a va_list */
	PRINTS_BYTES,  /* argument .first points to as many as .next says, times .times */
	PRINTS_STRING, /* the same of a std::string */
};

struct printer {
	const char *name;
	enum printer_kind kind;
	unsigned first;	    /* number of the argument */
	unsigned next;	    /* FORMAT: the first value; LIST: the va_list; BYTES: the number */
	unsigned times;	    /* BYTES: the argument that it is multiplied by, 0 = none */
	const char *format; /* FORMAT: when it is no argument */
};

static const struct printer printers[] = {
	{ "printf", PRINTS_FORMAT, 0, 1, 0, NULL },
	{ "__printf_chk", PRINTS_FORMAT, 1, 2, 0, NULL },
	{ "fprintf", PRINTS_FORMAT, 1, 2, 0, NULL },
	{ "__fprintf_chk", PRINTS_FORMAT, 2, 3, 0, NULL },
	{ "dprintf", PRINTS_FORMAT, 1, 2, 0, NULL },
	{ "__dprintf_chk", PRINTS_FORMAT, 2, 3, 0, NULL },
	{ "vprintf", PRINTS_LIST, 0, 1, 0, NULL },
	{ "__vprintf_chk", PRINTS_LIST, 1, 2, 0, NULL },
	{ "vfprintf", PRINTS_LIST, 1, 2, 0, NULL },
	{ "__vfprintf_chk", PRINTS_LIST, 2, 3, 0, NULL },
	{ "vdprintf", PRINTS_LIST, 1, 2, 0, NULL },
	{ "__vdprintf_chk", PRINTS_LIST, 2, 3, 0, NULL },
	{ "puts", PRINTS_FORMAT, 0, 0, 0, "%s\n" },
	{ "fputs", PRINTS_FORMAT, 0, 0, 0, "%s" },
	{ "fputs_unlocked", PRINTS_FORMAT, 0, 0, 0, "%s" },
	{ "putchar", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "putchar_unlocked", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "putc", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "_IO_putc", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "putc_unlocked", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "fputc", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "fputc_unlocked", PRINTS_FORMAT, 0, 0, 0, "%c" },
	{ "__overflow", PRINTS_FORMAT, 1, 1, 0, "%c" },
	{ "fwrite", PRINTS_BYTES, 0, 2, 1, NULL },
	{ "fwrite_unlocked", PRINTS_BYTES, 0, 2, 1, NULL },
	{ "write", PRINTS_BYTES, 1, 2, 0, NULL },
	/* C++: ostream << value */
	{ "_ZNSolsEi", PRINTS_FORMAT, 1, 1, 0, "%d" },
	{ "_ZNSolsEj", PRINTS_FORMAT, 1, 1, 0, "%u" },
	{ "_ZNSolsEs", PRINTS_FORMAT, 1, 1, 0, "%hd" },
	{ "_ZNSolsEt", PRINTS_FORMAT, 1, 1, 0, "%hu" },
	{ "_ZNSolsEl", PRINTS_FORMAT, 1, 1, 0, "%ld" },
	{ "_ZNSolsEm", PRINTS_FORMAT, 1, 1, 0, "%lu" },
	{ "_ZNSolsEx", PRINTS_FORMAT, 1, 1, 0, "%ld" },
	{ "_ZNSolsEy", PRINTS_FORMAT, 1, 1, 0, "%lu" },
	{ "_ZNSolsEb", PRINTS_FORMAT, 1, 1, 0, "%hhd" },
	{ "_ZNSolsEd", PRINTS_FORMAT, 1, 1, 0, "%g" },
	{ "_ZNSo9_M_insertIdEERSoT_", PRINTS_FORMAT, 1, 1, 0, "%g" },
	{ "_ZNSo9_M_insertIlEERSoT_", PRINTS_FORMAT, 1, 1, 0, "%ld" },
	{ "_ZNSo9_M_insertImEERSoT_", PRINTS_FORMAT, 1, 1, 0, "%lu" },
	{ "_ZNSo9_M_insertIbEERSoT_", PRINTS_FORMAT, 1, 1, 0, "%hhd" },
	{ "_ZNSo3putEc", PRINTS_FORMAT, 1, 1, 0, "%c" },
	{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", PRINTS_FORMAT, 1, 1, 0, "%s" },
	{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", PRINTS_FORMAT, 1, 1, 0, "%c" },
	{ "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
	  PRINTS_BYTES, 1, 2, 0, NULL },
	{ "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_"
	  "stringIS4_S5_T1_EE",
	  PRINTS_STRING, 1, 0, 0, NULL },
};

/* The same into memory, which argument 0 points to. */
static const struct printer formatters[] = {
	{ "sprintf", PRINTS_FORMAT, 1, 2, 0, NULL },
	{ "__sprintf_chk", PRINTS_FORMAT, 3, 4, 0, NULL },
	{ "snprintf", PRINTS_FORMAT, 2, 3, 0, NULL },
	{ "__snprintf_chk", PRINTS_FORMAT, 4, 5, 0, NULL },
	{ "vsprintf", PRINTS_LIST, 1, 2, 0, NULL },
	{ "__vsprintf_chk", PRINTS_LIST, 3, 4, 0, NULL },
	{ "vsnprintf", PRINTS_LIST, 2, 3, 0, NULL },
	{ "__vsnprintf_chk", PRINTS_LIST, 4, 5, 0, NULL },
};

static const struct printer *find_printer(const struct printer *table, size_t n, const char *name)
{
	for (size_t i = 0; name && i < n; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

bool arguments_format_memory(const char *name)
{
	return find_printer(formatters, G_N_ELEMENTS(formatters), name) != NULL;
}

static const struct printer *printer_named(const char *name)
{
	const struct printer *p = find_printer(printers, G_N_ELEMENTS(printers), name);

	return p ? p : find_printer(formatters, G_N_ELEMENTS(formatters), name);
}

bool arguments_in_source(const char *called, const char **name, unsigned *first)
{
	const struct printer *best = NULL;

	for (size_t i = 0; called && i < G_N_ELEMENTS(printers); i++) {
		const struct printer *p = &printers[i];

		if (*p->name != '_' && strstr(called, p->name) &&
		    (!best || strlen(p->name) > strlen(best->name)))
			best = p;
	}
	if (!best || best->kind != PRINTS_FORMAT)
		return false;
	*name = best->name;
	*first = best->next;
	return true;
}

bool arguments_follow_format(const char *name)
{
	const struct printer *p = name ? printer_named(name) : NULL;

	return p && p->kind == PRINTS_FORMAT && !p->format;
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
	return trace_cursor_reg(a->cursor, in_order[number]);
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
	const struct printer *p = a->printer;
	g_autofree char *format = NULL;
	size_t length;

	format = p->format ? g_strdup(p->format)
			   : peek_string(a, printer_argument(a, p->first), SIZE_MAX, &length);
	/* directives point into it */
	a->directives = format ? directives_parse(g_intern_string(format)) : NULL;
	a->failed = !a->directives;
	if (p->kind == PRINTS_LIST && !a->failed)
		begin_list(a, printer_argument(a, p->next));
	else
		a->gp = p->next;
}

/* A single piece. */
static void begin_bytes(struct arguments *a)
{
	const struct printer *p = a->printer;
	struct directive d = { .kind = DIRECTIVE_BYTES };
	uint64_t n = 0;

	a->directives = g_array_new(FALSE, TRUE, sizeof(d));
	if (p->kind == PRINTS_STRING)
		a->failed = !peek_word(a, printer_argument(a, p->first) + 8, &n);
	else
		n = printer_argument(a, p->next) * (p->times ? printer_argument(a, p->times) : 1);
	d.length = (size_t)n;
	g_array_append_val(a->directives, d);
	a->gp = p->first;
}

static bool begin_arguments(struct arguments *a, const struct trace_cursor *cursor,
			    const struct trace_module *module, const struct trace_insn *insn,
			    const struct printer *printer)
{
	bool is_call = insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;

	*a = (struct arguments){ .cursor = cursor, .module = module, .printer = printer };
	if (!a->printer)
		return false;
	/* a tail call leaves the caller's return address on the stack */
	a->overflow = trace_cursor_reg(cursor, TRACE_RSP) + (is_call ? 0 : 8);
	if (a->printer->kind == PRINTS_FORMAT || a->printer->kind == PRINTS_LIST)
		begin_format(a);
	else
		begin_bytes(a);
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
	static const struct printer any[N_GP] = {
		{ NULL, PRINTS_FORMAT, 0, 1, 0, NULL }, { NULL, PRINTS_FORMAT, 1, 2, 0, NULL },
		{ NULL, PRINTS_FORMAT, 2, 3, 0, NULL }, { NULL, PRINTS_FORMAT, 3, 4, 0, NULL },
		{ NULL, PRINTS_FORMAT, 4, 5, 0, NULL }, { NULL, PRINTS_FORMAT, 5, 6, 0, NULL },
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
		p->place = p->directive.kind == DIRECTIVE_FLOAT ? take_float(a)
								: take_argument_word(a);
		a->failed |= !argument_value_at(a, p->place, &p->bits);
	}
	if (a->printer->kind == PRINTS_STRING)
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
