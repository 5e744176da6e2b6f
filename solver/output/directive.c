/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/directive.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More would be a mistake of the program, and of ours to print. */
enum { MOST_WIDTH = 4096, MOST_NUMBER = 1 << 14 };

/* ---- a format, taken apart ---- */

static const char *take_number(const char *p, int *number)
{
	if (*p == '*') {
		*number = DIRECTIVE_STAR;
		return p + 1;
	}
	for (*number = 0; g_ascii_isdigit(*p) && *number < MOST_WIDTH; p++)
		*number = 10 * *number + (*p - '0');
	return p;
}

static const char *take_size(const char *p, unsigned *size)
{
	static const struct {
		const char *text;
		unsigned size;
	} sizes[] = { { "hh", 1 }, { "h", 2 }, { "ll", 8 }, { "l", 8 }, { "z", 8 },
		      { "j", 8 },  { "t", 8 }, { "q", 8 },  { "L", 16 } };

	*size = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
		if (g_str_has_prefix(p, sizes[i].text)) {
			*size = sizes[i].size;
			return p + strlen(sizes[i].text);
		}
	return p;
}

static enum directive_kind kind_of_conversion(char conversion, unsigned size)
{
	switch (conversion) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		return size == 16 ? DIRECTIVE_OPAQUE : DIRECTIVE_INT;
	case 'c':
		return size ? DIRECTIVE_OPAQUE : DIRECTIVE_CHAR;
	case 's':
		return size ? DIRECTIVE_OPAQUE : DIRECTIVE_STRING;
	case 'p':
		return DIRECTIVE_POINTER;
	case 'f':
	case 'F':
	case 'e':
	case 'E':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		return size == 16 ? DIRECTIVE_OPAQUE : DIRECTIVE_FLOAT;
	case 'n':
		return DIRECTIVE_COUNT;
	default:
		return DIRECTIVE_OPAQUE;
	}
}

/* p: behind the `%'.  NULL: it is none that can be followed. */
static const char *take_directive(const char *p, struct directive *d)
{
	size_t n = strspn(p, "-+ #0'");

	if (n >= sizeof(d->flags))
		return NULL;
	memcpy(d->flags, p, n);
	d->left = strchr(d->flags, '-');
	p += n;
	d->width = d->precision = DIRECTIVE_NONE;
	if (*p == '*' || g_ascii_isdigit(*p))
		p = take_number(p, &d->width);
	if (*p == '.')
		p = take_number(p + 1, &d->precision);
	if (*p == '$' || strchr(d->flags, '\''))
		return NULL;
	p = take_size(p, &d->size);
	if (!*p || strchr("mCS", *p))
		return NULL;
	d->conversion = *p;
	d->kind = kind_of_conversion(*p, d->size);
	d->is_signed = *p == 'd' || *p == 'i';
	if (!d->size)
		d->size = d->kind == DIRECTIVE_INT ? 4 : d->kind == DIRECTIVE_CHAR ? 1 : 8;
	return p + 1;
}

GArray *directives_parse(const char *format)
{
	GArray *all = g_array_new(FALSE, TRUE, sizeof(struct directive));
	const char *p = format;

	while (p && *p) {
		struct directive d = { .text = p, .length = strcspn(p, "%") };

		if (!d.length && p[1] == '%') {
			d.length = 1; /* printed once */
			p += 2;
		} else if (d.length) {
			p += d.length;
		} else {
			p = take_directive(p + 1, &d);
			d.length = p ? (size_t)(p - d.text) : 0;
		}
		g_array_append_val(all, d);
	}
	if (p)
		return all;
	g_array_free(all, TRUE);
	return NULL;
}

/* ---- values as text ---- */

static int64_t extended_by_directive(const struct directive *d, uint64_t bits)
{
	unsigned shift = 64 - 8 * d->size;

	return d->is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)(bits << shift >> shift);
}

static void print_integer(const struct directive *d, int width, int precision, uint64_t bits,
			  char *to, size_t room)
{
	g_autofree char *format = g_strdup_printf("%%%s*.*ll%c", d->flags, d->conversion);

	if (d->conversion == 'B') {
		g_strlcpy(to, extended_by_directive(d, bits) ? "true" : "false", room);
		return;
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	g_snprintf(to, room, format, width == DIRECTIVE_NONE ? 0 : width, precision,
		   (long long)extended_by_directive(d, bits));
#pragma GCC diagnostic pop
}

static void print_float(const struct directive *d, int width, int precision, uint64_t bits,
			char *to, size_t room)
{
	g_autofree char *format = g_strdup_printf("%%%s*.*%c", d->flags, d->conversion);
	double value;

	memcpy(&value, &bits, sizeof(value));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	g_snprintf(to, room, format, width == DIRECTIVE_NONE ? 0 : width, precision, value);
#pragma GCC diagnostic pop
}

static char *pad_text(const struct directive *d, int width, const char *text, size_t length,
		      size_t *printed)
{
	const char fill = d->fill ? d->fill : ' ';
	size_t all = MAX(length, width > 0 ? (size_t)width : 0);
	char *to = g_malloc(all + 1);

	memset(to, fill, all);
	memcpy(to + (d->left ? 0 : all - length), text, length);
	to[all] = '\0';
	*printed = all;
	return to;
}

/* The same style without what fills it. */
static struct directive unfilled_directive(const struct directive *d)
{
	struct directive plain = *d;

	plain.fill = 0;
	return plain;
}

static char *print_filled(const struct directive *d, int width, int precision, uint64_t bits,
			  const char *string, size_t length, size_t *printed)
{
	const struct directive plain = unfilled_directive(d);
	size_t n;
	g_autofree char *text =
		directive_print(&plain, DIRECTIVE_NONE, precision, bits, string, length, &n);

	return pad_text(d, width, text, n, printed);
}

char *directive_print(const struct directive *d, int width, int precision, uint64_t bits,
		      const char *string, size_t length, size_t *printed)
{
	if (d->fill)
		return print_filled(d, width, precision, bits, string, length, printed);

	char *to = g_malloc0(MOST_NUMBER);
	char c = (char)bits;

	switch (d->kind) {
	case DIRECTIVE_INT:
		print_integer(d, width, precision, bits, to, MOST_NUMBER);
		break;
	case DIRECTIVE_FLOAT:
		print_float(d, width, precision, bits, to, MOST_NUMBER);
		break;
	case DIRECTIVE_POINTER:
		g_free(to);
		to = bits ? g_strdup_printf("0x%" G_GINT64_MODIFIER "x", bits) : g_strdup("(nil)");
		string = to;
		to = pad_text(d, width, string, strlen(string), printed);
		g_free((char *)string);
		return to;
	case DIRECTIVE_CHAR:
		g_free(to);
		return pad_text(d, width, &c, 1, printed);
	case DIRECTIVE_STRING:
		g_free(to);
		if (precision >= 0)
			length = MIN(length, (size_t)precision);
		return pad_text(d, width, string, length, printed);
	case DIRECTIVE_BYTES:
		g_free(to);
		*printed = length;
		return g_memdup2(string, length);
	case DIRECTIVE_TEXT:
		g_free(to);
		*printed = d->length;
		return g_strndup(d->text, d->length);
	default:
		break;
	}
	*printed = strlen(to);
	return to;
}

/* ---- text as values ---- */

static bool prints_so(const struct directive *d, int width, int precision, uint64_t bits,
		      const char *string, size_t n, const char *text, size_t length)
{
	size_t printed;
	g_autofree char *again = directive_print(d, width, precision, bits, string, n, &printed);

	return printed == length && memcmp(again, text, length) == 0;
}

static bool read_integer(const struct directive *d, int width, int precision, const char *text,
			 size_t length, struct directive_value *out)
{
	g_autofree char *copy = g_strndup(text, length);
	int base = d->conversion == 'o' ? 8 : g_ascii_tolower(d->conversion) == 'x' ? 16 : 10;
	uint64_t mask = d->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * d->size) - 1;
	uint64_t value;
	char *end;

	if (d->conversion == 'B') {
		out->low = out->high = strcmp(copy, "true") == 0;
		return prints_so(d, width, precision, out->low, NULL, 0, text, length);
	}
	errno = 0;
	value = d->is_signed ? (uint64_t)strtoll(copy, &end, base) : strtoull(copy, &end, base);
	if (errno || end == copy)
		return false;
	out->low = out->high = value & mask;
	return prints_so(d, width, precision, out->low, NULL, 0, text, length);
}

/* Doubles in their order as integers. */
static int64_t order_of(uint64_t bits)
{
	return (int64_t)bits < 0 ? (int64_t)(UINT64_C(0x8000000000000000) - bits) : (int64_t)bits;
}

static uint64_t at_order(int64_t order)
{
	return order < 0 ? UINT64_C(0x8000000000000000) - (uint64_t)order : (uint64_t)order;
}

/* The farthest double in that direction (1, -1) that prints so: printing is monotone. */
static uint64_t farthest_double(const struct directive *d, int width, int precision, uint64_t bits,
				int64_t direction, const char *text, size_t length)
{
	int64_t good = order_of(bits), step = 1;
	const int64_t most = order_of(UINT64_C(0x7ff0000000000000));

	while (step < most && ABS(good + direction * step) <= most &&
	       prints_so(d, width, precision, at_order(good + direction * step), NULL, 0, text,
			 length)) {
		good += direction * step;
		step *= 2;
	}
	for (; step; step /= 2)
		if (ABS(good + direction * step) <= most &&
		    prints_so(d, width, precision, at_order(good + direction * step), NULL, 0, text,
			      length))
			good += direction * step;
	return good == order_of(bits) ? bits : at_order(good); /* there are two zeros */
}

static bool read_float(const struct directive *d, int width, int precision, const char *text,
		       size_t length, struct directive_value *out)
{
	g_autofree char *copy = g_strndup(text, length);
	char *end;
	double value = g_ascii_strtod(copy, &end);
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (end == copy || !prints_so(d, width, precision, bits, NULL, 0, text, length))
		return false;
	out->low = out->high = bits;
	if (!isfinite(value))
		return true;
	out->low = farthest_double(d, width, precision, bits, -1, text, length);
	out->high = farthest_double(d, width, precision, bits, 1, text, length);
	return true;
}

static bool read_printed_pointer(const struct directive *d, int width, int precision,
				 const char *text, size_t length, struct directive_value *out)
{
	g_autofree char *copy = g_strndup(text, length);

	out->low = out->high = g_ascii_strtoull(copy, NULL, 16);
	return prints_so(d, width, precision, out->low, NULL, 0, text, length);
}

static bool read_printed_string(const struct directive *d, int width, int precision,
				const char *text, size_t length, struct directive_value *out)
{
	size_t n = length;

	out->text = text;
	if (width > 0 && length == (size_t)width) { /* blanks may be padding */
		while (n && !d->left && *out->text == ' ')
			out->text++, n--;
		while (n && d->left && out->text[n - 1] == ' ')
			n--;
	}
	out->length = n;
	out->whole = precision < 0 || n < (size_t)precision;
	return prints_so(d, width, precision, 0, out->text, n, text, length);
}

/* As much as can be filled the text with; what is left is read as if it stood alone. */
static bool read_filled(const struct directive *d, int width, int precision, const char *text,
			size_t length, struct directive_value *out)
{
	const struct directive plain = unfilled_directive(d);
	size_t filled = 0;

	if (width > 0 && length < (size_t)width)
		return false;
	while (width > 0 && length == (size_t)width && filled < length &&
	       text[d->left ? length - 1 - filled : filled] == d->fill)
		filled++;
	for (size_t n = filled;; n--) {
		if (directive_read(&plain, DIRECTIVE_NONE, precision, text + (d->left ? 0 : n),
				   length - n, out))
			return true;
		if (!n)
			return false;
	}
}

bool directive_read(const struct directive *d, int width, int precision, const char *text,
		    size_t length, struct directive_value *out)
{
	size_t at;

	if (d->fill)
		return read_filled(d, width, precision, text, length, out);
	*out = (struct directive_value){ .whole = true };
	if (d->kind != DIRECTIVE_STRING && d->kind != DIRECTIVE_BYTES && length >= MOST_NUMBER)
		return false;
	switch (d->kind) {
	case DIRECTIVE_INT:
		return read_integer(d, width, precision, text, length, out);
	case DIRECTIVE_FLOAT:
		return read_float(d, width, precision, text, length, out);
	case DIRECTIVE_CHAR:
		at = length && !d->left ? length - 1 : 0;
		out->low = out->high = length ? (uint8_t)text[at] : 0;
		return length && prints_so(d, width, precision, out->low, NULL, 0, text, length);
	case DIRECTIVE_POINTER:
		return read_printed_pointer(d, width, precision, text, length, out);
	case DIRECTIVE_STRING:
		return read_printed_string(d, width, precision, text, length, out);
	case DIRECTIVE_BYTES:
		out->text = text;
		out->length = length;
		out->whole = false;
		return length == d->length;
	default:
		return false;
	}
}
