/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-words.h"
#include "solver/image/variable/variable.h"
#include "solver/output/arguments.h"
#include "solver/source/expression/expression.h"

#include <string.h>

enum { LONGEST_TEXT = 400, MOST_BYTES = 256 };

/* ---- memory and expressions ---- */

static bool peek_at_call(const struct check_call *call, uint64_t at, size_t size, uint8_t *out)
{
	const struct trace_module *m = call->module;
	bool writable;

	return trace_cursor_read(call->cursor, at, size, out) ||
	       image_initial(m->image, at - m->bias, size, out, &writable);
}

static bool read_memory_at_call(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	*value = 0;
	return size <= sizeof(*value) && peek_at_call(arg, address, size, (uint8_t *)value);
}

/* The scalar value of text as 8 bytes, extended by its type's sign. */
static bool evaluate_argument_text(const struct check_call *call, const char *text, uint64_t *value)
{
	struct image_frame frame = trace_cursor_frame(call->cursor);
	struct c_expression *e = c_expression_parse(call->module->image, text, NULL);
	struct expression_code *code;
	bool known = false;

	frame.read = read_memory_at_call;
	frame.arg = (void *)call;
	code = e ? expression_compile(call->module->image, &frame, e, NULL) : NULL;
	if (code && code->value >= 0) {
		const struct ir_op *op = &code->ir.ops[code->value];

		expression_run(code, &frame, call->cursor);
		known = code->temps[code->value].known;
		*value = code->temps[code->value].w[0];
		if (op->width < 64 && code->type && code->type->is_signed)
			*value = (uint64_t)((int64_t)(*value << (64 - op->width)) >>
					    (64 - op->width));
	}
	expression_code_free(code);
	c_expression_free(e);
	return known;
}

/* Caller frees; NULL = not known. */
static GString *text_at_call(const struct check_call *call, uint64_t at)
{
	GString *s = g_string_new(NULL);
	uint8_t byte = 1;

	while (s->len < LONGEST_TEXT && at && peek_at_call(call, at + s->len, 1, &byte) && byte)
		g_string_append_c(s, (char)byte);
	if (!byte || s->len == LONGEST_TEXT)
		return s;
	g_string_free(s, TRUE);
	return NULL;
}

/* ---- conditions ---- */

/* The end of the list of arguments that begins after `('; NULL = it has none. */
static const char *end_of_arguments(const char *from)
{
	unsigned depth = 1;

	for (; *from; from++) {
		depth += *from == '(';
		if (*from == ')' && --depth == 0)
			return from;
	}
	return NULL;
}

static bool append_text(GString *out, const struct check_call *call, const char *argument)
{
	uint64_t at;
	GString *s = evaluate_argument_text(call, argument, &at) ? text_at_call(call, at) : NULL;

	if (!s)
		return false;
	g_string_append_c(out, '"');
	for (gsize i = 0; i < s->len; i++)
		g_string_append_printf(out, "\\%03o", (unsigned char)s->str[i]);
	g_string_append_c(out, '"');
	g_string_free(s, TRUE);
	return true;
}

static bool append_same(GString *out, const struct check_call *call, const char *arguments)
{
	g_auto(GStrv) parts = g_strsplit(arguments, ",", 3);
	uint64_t n;

	if (g_strv_length(parts) != 3 || !evaluate_argument_text(call, parts[2], &n))
		return false;
	g_string_append(out, "(1");
	for (uint64_t i = 0; i < MIN(n, MOST_BYTES); i++)
		g_string_append_printf(out,
				       " && ((unsigned char *)(%s))[%" G_GUINT64_FORMAT
				       "] == ((unsigned char *)(%s))[%" G_GUINT64_FORMAT "]",
				       parts[0], i, parts[1], i);
	g_string_append_c(out, ')');
	return true;
}

char *check_condition(const struct check_call *call, const char *holds)
{
	GString *out = g_string_new(NULL);
	bool ok = true;

	while (*holds && ok) {
		bool text = g_str_has_prefix(holds, "text("),
		     same = g_str_has_prefix(holds, "same(");
		const char *end = text || same ? end_of_arguments(holds + 5) : NULL;

		if (end) {
			g_autofree char *inside = g_strndup(holds + 5, (gsize)(end - holds - 5));

			ok = text ? append_text(out, call, inside) : append_same(out, call, inside);
			holds = end + 1;
		} else {
			g_string_append_c(out, *holds++);
		}
	}
	return g_string_free(out, !ok);
}

bool check_holds(const struct check_call *call, const char *condition, bool *known)
{
	g_autofree char *truth = g_strdup_printf("(%s) ? 1 : 0", condition);
	uint64_t value = 0;

	*known = evaluate_argument_text(call, truth, &value);
	return *known && value;
}

/* ---- words ---- */

/* Control characters and rows of blanks become one blank. */
static char *in_one_line(GString *text)
{
	GString *out = g_string_new(NULL);
	g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)text->len);

	for (const char *c = valid; *c; c++) {
		bool blank = g_ascii_isspace(*c) || g_ascii_iscntrl(*c);

		if (!blank)
			g_string_append_c(out, *c);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	g_string_free(text, TRUE);
	return g_strchomp(g_string_free(out, FALSE));
}

static bool append_format(GString *out, const struct check_call *call, const char *argument)
{
	guint64 number = g_ascii_strtoull(argument, NULL, 10);
	struct arguments a;
	struct printed_piece p;
	bool known;

	if (!number || !arguments_begin_format(&a, call->cursor, call->module, call->insn,
					       (unsigned)number - 1)) {
		g_string_append_c(out, '?');
		return false;
	}
	while (arguments_next(&a, &p)) {
		size_t length = 0;
		g_autofree char *text = arguments_print(&a, &p, &length);

		if (text)
			g_string_append_len(out, text, (gssize)length);
		else
			g_string_append_c(out, '?');
	}
	known = !a.failed;
	arguments_end(&a);
	return known;
}

static bool append_long_double(GString *out, const struct check_call *call, uint64_t at)
{
	uint8_t bytes[16] = { 0 };
	long double value;

	if (!peek_at_call(call, at, 10, bytes))
		return false;
	memcpy(&value, bytes, sizeof(value));
	g_string_append_printf(out, "%Lg", value);
	return true;
}

static void append_float(GString *out, uint64_t bits, bool is_double)
{
	float single;
	double value;
	uint32_t low = (uint32_t)bits;

	memcpy(&single, &low, sizeof(single));
	memcpy(&value, &bits, sizeof(value));
	g_string_append_printf(out, "%g", is_double ? value : (double)single);
}

static bool append_string(GString *out, const struct check_call *call, uint64_t at)
{
	GString *s = at ? text_at_call(call, at) : g_string_new("NULL");

	if (!s)
		return false;
	g_string_append_len(out, s->str, (gssize)s->len);
	g_string_free(s, TRUE);
	return true;
}

/* conversion: what stands between % and (. */
static bool append_value(GString *out, const struct check_call *call, const char *conversion,
			 const char *argument)
{
	char last = *conversion ? conversion[strlen(conversion) - 1] : 0;
	uint64_t value = 0;
	bool known = evaluate_argument_text(call, argument, &value);

	if (known && last == 's')
		known = append_string(out, call, value);
	else if (known && strcmp(conversion, "Lg") == 0)
		known = append_long_double(out, call, value);
	else if (known && last == 'g')
		append_float(out, value, *conversion == 'l');
	else if (known && last == 'd')
		g_string_append_printf(out, "%" G_GINT64_FORMAT,
				       *conversion == 'l' ? (gint64)value : (gint32)value);
	else if (known && last == 'u')
		g_string_append_printf(out, "%" G_GUINT64_FORMAT,
				       *conversion == 'l' ? value : (guint32)value);
	else if (known)
		g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x",
				       *conversion == 'l' ? value : (guint32)value);
	if (!known)
		g_string_append_c(out, '?');
	return known;
}

/* Appends the words until `stop'; false when something in them is not known. */
static bool append_check_words(GString *out, const struct check_call *call, const char *says,
			       const char *stop)
{
	bool known = true;

	while (says < stop) {
		size_t length = *says == '%' ? strspn(says + 1, "abcdefghijklmnopqrstuvwxyzL") : 0;
		const char *end = length && says[1 + length] == '('
					  ? end_of_arguments(says + length + 2)
					  : NULL;

		if (end) {
			g_autofree char *conversion = g_strndup(says + 1, length);
			g_autofree char *inside =
				g_strndup(says + length + 2, (gsize)(end - says) - length - 2);

			known &= strcmp(conversion, "format") == 0
					 ? append_format(out, call, inside)
					 : append_value(out, call, conversion, inside);
			says = end + 1;
		} else {
			g_string_append_c(out, *says++);
		}
	}
	return known;
}

char *check_words(const struct check_call *call, const char *says)
{
	GString *out = g_string_new(NULL);

	while (*says) {
		const char *end = *says == '{' ? strchr(says, '}') : NULL;
		size_t plain = end ? 0 : strcspn(says + 1, "{") + 1;
		gsize before = out->len;

		if (!end)
			append_check_words(out, call, says, says + plain);
		else if (!append_check_words(out, call, says + 1, end))
			g_string_truncate(out, before);
		else if (before == 0 && out->len)
			return in_one_line(out);
		says = end ? end + 1 : says + plain;
	}
	return in_one_line(out);
}
