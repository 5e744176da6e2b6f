/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/lines.h"

#include <stdbool.h>
#include <string.h>

/* Lines times lines; texts that differ in more are taken as one changed part. */
enum { MOST_CELLS = 1 << 24 };

GArray *lines_split(const GString *text)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct text_line));

	for (gsize at = 0; at < text->len;) {
		const char *end = memchr(text->str + at, '\n', text->len - at);
		gsize n = end ? (gsize)(end - text->str) + 1 - at : text->len - at;
		struct text_line line = { text->str + at, at, n };

		g_array_append_val(lines, line);
		at += n;
	}
	return lines;
}

static bool is_equal(const GArray *a, guint i, const GArray *b, guint j)
{
	const struct text_line *x = &g_array_index(a, struct text_line, i),
			       *y = &g_array_index(b, struct text_line, j);

	return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

static void add_hunk(GArray *hunks, guint a, guint a_end, guint b, guint b_end)
{
	struct lines_hunk h = { a, a_end, b, b_end };

	if (a != a_end || b != b_end)
		g_array_append_val(hunks, h);
}

/* common[i * width + j]: how many lines are common behind line i of the one and j of the other. */
static guint32 *count_common(const GArray *a, guint a_lo, guint n, const GArray *b, guint b_lo,
			     guint m)
{
	guint32 *common = g_new0(guint32, (gsize)(n + 1) * (m + 1));

	for (guint i = n; i-- > 0;)
		for (guint j = m; j-- > 0;) {
			guint32 *here = &common[(gsize)i * (m + 1) + j];
			guint32 skip_a = here[m + 1], skip_b = here[1];

			*here = is_equal(a, a_lo + i, b, b_lo + j) ? here[m + 2] + 1
								   : MAX(skip_a, skip_b);
		}
	return common;
}

static void compare_middle(GArray *hunks, const GArray *a, guint a_lo, guint n, const GArray *b,
			   guint b_lo, guint m)
{
	guint i = 0, j = 0, from_i = 0, from_j = 0;
	g_autofree guint32 *common = NULL;

	if ((gsize)n * m > MOST_CELLS || !n || !m) {
		add_hunk(hunks, a_lo, a_lo + n, b_lo, b_lo + m);
		return;
	}
	common = count_common(a, a_lo, n, b, b_lo, m);
	while (i < n && j < m) {
		const guint32 *here = &common[(gsize)i * (m + 1) + j];

		if (is_equal(a, a_lo + i, b, b_lo + j)) {
			add_hunk(hunks, a_lo + from_i, a_lo + i, b_lo + from_j, b_lo + j);
			from_i = ++i;
			from_j = ++j;
		} else if (here[m + 1] >= here[1]) {
			i++;
		} else {
			j++;
		}
	}
	add_hunk(hunks, a_lo + from_i, a_lo + n, b_lo + from_j, b_lo + m);
}

GArray *lines_compare(const GArray *actual, const GArray *expected)
{
	GArray *hunks = g_array_new(FALSE, FALSE, sizeof(struct lines_hunk));
	guint n = actual->len, m = expected->len, before = 0, behind = 0;

	while (before < MIN(n, m) && is_equal(actual, before, expected, before))
		before++;
	while (behind < MIN(n, m) - before &&
	       is_equal(actual, n - behind - 1, expected, m - behind - 1))
		behind++;
	compare_middle(hunks, actual, before, n - before - behind, expected, before,
		       m - before - behind);
	return hunks;
}
