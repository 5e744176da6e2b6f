/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/styled.h"

#include <string.h>

enum { MOST_PRECISION = 17 };

/* The default comes first.  False: there is no style of that number. */
static bool take_style(struct printed_piece *p, unsigned number)
{
	static const char floats[] = "gfe", integers[] = "dxXo", flags[] = "+#";
	struct directive *d = &p->directive;
	const unsigned precisions = MOST_PRECISION + 1;

	if (!number)
		return true;
	number--;
	if (d->kind == DIRECTIVE_FLOAT && number < (sizeof(floats) - 1) * precisions * 2) {
		d->conversion = floats[number / 2 / precisions];
		p->precision = (int)(number / 2 % precisions);
		g_strlcpy(d->flags, number % 2 ? "+" : "", sizeof(d->flags));
		return true;
	}
	if (d->kind != DIRECTIVE_INT || number > (sizeof(integers) - 1) * 3)
		return false;
	if (number == (sizeof(integers) - 1) * 3) {
		d->conversion = 'B';
		return d->size == 1;
	}
	d->conversion = integers[number / 3];
	d->is_signed &= d->conversion == 'd';
	if (d->conversion == 'd' && !d->is_signed)
		d->conversion = 'u';
	d->flags[0] = number % 3 ? flags[number % 3 - 1] : '\0';
	d->flags[1] = '\0';
	return true;
}

/* Of a string that is not known only blanks are known to be no part. */
static bool is_filled_with(const char *text, size_t length, char fill, bool is_known)
{
	size_t n = 0;

	while (n < length && text[n] == fill)
		n++;
	return n == length && (is_known || fill == ' ');
}

/* Is the text that string, and what fills the width?  string: NULL = any. */
static bool fit_filled(struct printed_piece *p, const char *string, size_t n, const char *text,
		       size_t length)
{
	const size_t filled = length - n;

	if (length < n)
		return false;
	if (!filled)
		return !string || memcmp(string, text, n) == 0;
	p->width = (int)length;
	p->directive.left = false;
	p->directive.fill = text[0];
	if (is_filled_with(text, filled, text[0], string) &&
	    (!string || memcmp(string, text + filled, n) == 0))
		return true;
	p->directive.left = true;
	p->directive.fill = text[length - 1];
	return is_filled_with(text + n, filled, text[length - 1], string) &&
	       (!string || memcmp(string, text, n) == 0);
}

/* Is the piece that text, in its style but for what fills it? */
static bool fit_style(struct printed_piece *p, const char *string, size_t n, const char *text,
		      size_t length)
{
	g_autofree char *printed = NULL;
	const enum directive_kind kind = p->directive.kind;
	size_t printed_length = n;

	p->width = DIRECTIVE_NONE;
	p->directive.fill = 0;
	if (length > INT16_MAX || kind == DIRECTIVE_TEXT || kind == DIRECTIVE_OPAQUE)
		return false;
	if (kind == DIRECTIVE_STRING || kind == DIRECTIVE_BYTES)
		return (string || kind == DIRECTIVE_BYTES) &&
		       fit_filled(p, string, n, text, length);
	printed = directive_print(&p->directive, DIRECTIVE_NONE, p->precision, p->bits, NULL, 0,
				  &printed_length);
	return fit_filled(p, printed, printed_length, text, length);
}

bool styled_fit(struct printed_piece *p, const char *string, size_t n, const char *text,
		size_t length)
{
	struct printed_piece styled = *p;

	for (unsigned i = 0; p->directive.styled && take_style(&styled, i); i++) {
		if (fit_style(&styled, string, n, text, length)) {
			*p = styled;
			return true;
		}
		styled = *p;
	}
	return false;
}

/* May it be a number, in some base, and what fills it? */
static bool is_numeric(const char *text, size_t length)
{
	bool has_digit = false;

	for (size_t i = 0; i < length; i++)
		has_digit |= g_ascii_isxdigit(text[i]);
	return has_digit && length <= 64;
}

bool styled_read(const struct printed_piece *p, const char *actual, size_t actual_length,
		 const char *text, size_t length, struct directive_value *out)
{
	struct printed_piece plain = *p, styled;

	if (directive_read(&p->directive, p->width, p->precision, text, length, out))
		return true;
	if (p->directive.kind != DIRECTIVE_FLOAT || !is_numeric(text, length))
		return false;
	plain.directive.flags[0] = '\0';
	styled = plain;
	for (unsigned i = 1; take_style(&styled, i); i++) {
		if (fit_style(&styled, NULL, 0, actual, actual_length) &&
		    directive_read(&styled.directive, styled.width, styled.precision, text, length,
				   out))
			return true;
		styled = plain;
	}
	return false;
}
