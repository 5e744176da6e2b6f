/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/match.h"
#include "solver/output/styled.h"

#include <string.h>

/* Comparisons of one text; a pattern that needs more is no way for a person either. */
enum { LONGEST_NUMBER = 400 };

GArray *match_items_of(const struct printed *p, unsigned stream, uint64_t from, uint64_t to)
{
	GArray *items = g_array_new(FALSE, TRUE, sizeof(struct match_item));

	for (uint64_t at = from; at < to;) {
		const struct printed_call *call = printed_call_at(p, stream, at);

		if (!call) {
			g_array_free(items, TRUE);
			return NULL;
		}
		for (guint i = 0; i < call->pieces->len; i++) {
			const struct printed_piece *piece =
				&g_array_index(call->pieces, struct printed_piece, i);
			uint64_t lo = MAX(piece->from, from), hi = MIN(piece->to, to);
			struct match_item item = {
				.call = piece->made_by ? piece->made_by : call,
				.piece = piece,
				.actual = p->text[stream]->str + lo,
				.actual_length = hi > lo ? (size_t)(hi - lo) : 0,
				.skipped = lo - piece->from,
				.cut = piece->to > to,
			};

			/* an empty string lies where it would be printed */
			if (lo < hi ||
			    (piece->from == piece->to && piece->from >= from && piece->from < to))
				g_array_append_val(items, item);
		}
		at = call->to;
	}
	return items;
}

static bool is_fixed_item(const struct match_item *item)
{
	enum directive_kind kind = item->piece->directive.kind;

	return kind == DIRECTIVE_TEXT || kind == DIRECTIVE_OPAQUE || kind == DIRECTIVE_COUNT;
}

bool match_read(const struct match_item *item, struct directive_value *out)
{
	const struct printed_piece *p = item->piece;

	/* of a part of a piece each byte stays in its place */
	if (item->skipped || item->cut ||
	    (p->directive.kind == DIRECTIVE_BYTES && !p->directive.fill)) {
		*out = (struct directive_value){ .text = item->expected,
						 .length = item->expected_length };
		return item->expected_length == item->actual_length &&
		       (p->directive.kind == DIRECTIVE_STRING ||
			p->directive.kind == DIRECTIVE_BYTES);
	}
	if (p->directive.styled)
		return styled_read(p, item->actual, item->actual_length, item->expected,
				   item->expected_length, out);
	return directive_read(&p->directive, p->width, p->precision, item->expected,
			      item->expected_length, out);
}

static bool fit_items(GArray *items, guint i, const char *text, size_t left, bool prefix,
		      uint64_t *tries);

static bool fit_with(GArray *items, guint i, const char *text, size_t left, bool prefix, size_t n,
		     uint64_t *tries)
{
	struct match_item *item = &g_array_index(items, struct match_item, i);
	struct directive_value value;

	item->expected = text;
	item->expected_length = n;
	return (is_fixed_item(item) ||
		(n == item->actual_length && item->actual && memcmp(text, item->actual, n) == 0) ||
		match_read(item, &value)) &&
	       fit_items(items, i + 1, text + n, left - n, prefix, tries);
}

static bool fit_items(GArray *items, guint i, const char *text, size_t left, bool prefix,
		      uint64_t *tries)
{
	const struct match_item *item;
	bool same, is_text;
	size_t n;

	if (i == items->len)
		return prefix || !left;
	item = &g_array_index(items, struct match_item, i);
	n = item->actual_length;
	same = item->actual && n <= left && memcmp(text, item->actual, n) == 0;
	if (is_fixed_item(item))
		return same && fit_with(items, i, text, left, prefix, n, tries);
	if (same && fit_with(items, i, text, left, prefix, n, tries))
		return true;
	is_text = item->piece->directive.kind == DIRECTIVE_STRING ||
		  item->piece->directive.kind == DIRECTIVE_BYTES;
	/* numbers as long as possible, strings as short as possible */
	for (size_t k = 0, most = is_text ? left : MIN(left, LONGEST_NUMBER); k <= most && *tries;
	     k++) {
		--*tries;
		if (fit_with(items, i, text, left, prefix, is_text ? k : most - k, tries))
			return true;
	}
	return false;
}

bool match_items(GArray *items, const char *text, size_t length, bool prefix,
		 const struct limits *limits)
{
	uint64_t tries = limits->output_tries;

	return fit_items(items, 0, text, length, prefix, &tries);
}

bool match_format(const char *format, const char *text, size_t length, bool prefix,
		  const struct limits *limits, unsigned *literals)
{
	g_autoptr(GArray) directives = directives_parse(format);
	g_autoptr(GArray) pieces = g_array_new(FALSE, TRUE, sizeof(struct printed_piece));
	g_autoptr(GArray) items = g_array_new(FALSE, TRUE, sizeof(struct match_item));

	*literals = 0;
	if (!directives || !directives->len)
		return false;
	g_array_set_size(pieces, directives->len);
	for (guint i = 0; i < directives->len; i++) {
		struct printed_piece *p = &g_array_index(pieces, struct printed_piece, i);
		struct match_item item = { .piece = p };

		p->directive = g_array_index(directives, struct directive, i);
		if (p->directive.kind == DIRECTIVE_OPAQUE)
			return false;
		/* the values of stars are not known: as if there were none */
		p->width = MAX(p->directive.width, DIRECTIVE_NONE);
		p->precision = MAX(p->directive.precision, DIRECTIVE_NONE);
		if (p->directive.kind == DIRECTIVE_TEXT) {
			item.actual = p->directive.text;
			item.actual_length = p->directive.length;
			*literals += (unsigned)item.actual_length;
		}
		g_array_append_val(items, item);
	}
	return match_items(items, text, length, prefix, limits);
}
