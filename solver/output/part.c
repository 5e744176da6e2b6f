/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/part.h"

#include "solver/output/directive.h"

#include <string.h>

/* The pieces of the format in turns.  at[t]: how many of the text's first t characters were the
 * format's own when they were printed by the pieces so far, at most; -1 = they cannot be. */
struct alignment {
	const char *text;
	size_t length;
	int *at, *next;
	int best; /* of all of the text */
};

static void reach_alignment(struct alignment *a, size_t t, int own)
{
	if (t == a->length)
		a->best = MAX(a->best, own);
	a->next[t] = MAX(a->next[t], own);
}

/* The literal from its character .from on, the text from t on: as far as both go. */
static void align_literal(struct alignment *a, const struct directive *d, size_t from, size_t t)
{
	size_t n = MIN(d->length - from, a->length - t);

	if (memcmp(d->text + from, a->text + t, n) != 0)
		return;
	if (t + n == a->length || from + n == d->length)
		reach_alignment(a, t + n, (from ? 0 : a->at[t]) + (int)n);
}

static bool may_print(const struct directive *d, char c)
{
	switch (d->kind) {
	case DIRECTIVE_INT:
	case DIRECTIVE_POINTER:
		return strchr("0123456789abcdefABCDEFxX+- '", c);
	case DIRECTIVE_FLOAT:
		return strchr("0123456789abcdefABCDEFxXpPinINtTyY.,+- '", c);
	default:
		return true;
	}
}

static void align_value(struct alignment *a, const struct directive *d, size_t t)
{
	size_t end = t;

	reach_alignment(a, end, a->at[t]);
	while (end < a->length && a->text[end] && may_print(d, a->text[end]))
		reach_alignment(a, ++end, a->at[t]);
}

static void align_piece(struct alignment *a, const struct directive *d)
{
	const bool is_literal = d->kind == DIRECTIVE_TEXT;
	int *was = a->at;

	for (size_t t = 0; t <= a->length; t++)
		a->next[t] = -1;
	for (size_t from = 1; is_literal && from < d->length; from++)
		align_literal(a, d, from, 0);
	for (size_t t = 0; t < a->length; t++) {
		if (a->at[t] < 0)
			continue;
		if (is_literal)
			align_literal(a, d, 0, t);
		else
			align_value(a, d, t);
	}
	a->at = a->next;
	a->next = was;
	a->at[0] = 0; /* the text may begin behind each piece */
}

unsigned part_of_format(const char *format, const char *text, size_t length)
{
	g_autoptr(GArray) pieces = directives_parse(format);
	g_autofree int *states = g_new(int, 2 * (length + 1));
	struct alignment a = {
		.text = text, .length = length, .at = states, .next = states + length + 1
	};

	if (!pieces || !length)
		return 0;
	for (size_t t = 0; t <= length; t++)
		a.at[t] = t ? -1 : 0;
	for (guint i = 0; i < pieces->len; i++)
		align_piece(&a, &g_array_index(pieces, struct directive, i));
	return (unsigned)a.best;
}
