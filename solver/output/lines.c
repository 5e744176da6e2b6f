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

/* Lines [a, a + n) of the one text and [b, b + m) of the other, and which of them go together. */
struct comparison {
	guint a, n, b, m;
	lines_same *same;
	gpointer data;
};

static void add_hunk(GArray *hunks, guint a, guint a_end, guint b, guint b_end)
{
	struct lines_hunk h = { a, a_end, b, b_end };

	if (a != a_end || b != b_end)
		g_array_append_val(hunks, h);
}

/* common[i * (m + 1) + j]: how many lines go together behind line i of the one and j of the other.
 * are_same[i * m + j]: do they? */
static guint32 *count_common(const struct comparison *c, bool *are_same)
{
	guint n = c->n, m = c->m;
	guint32 *common = g_new0(guint32, (gsize)(n + 1) * (m + 1));

	for (guint i = n; i-- > 0;)
		for (guint j = m; j-- > 0;) {
			guint32 *here = &common[(gsize)i * (m + 1) + j];
			guint32 skip_a = here[m + 1], skip_b = here[1];
			bool same = c->same(c->a + i, c->b + j, c->data);

			are_same[(gsize)i * m + j] = same;
			*here = same ? MAX(here[m + 2] + 1, MAX(skip_a, skip_b))
				     : MAX(skip_a, skip_b);
		}
	return common;
}

static void compare_middle(GArray *hunks, const struct comparison *c)
{
	guint n = c->n, m = c->m, i = 0, j = 0, from_i = 0, from_j = 0;
	g_autofree guint32 *common = NULL;
	g_autofree bool *are_same = NULL;

	if ((gsize)n * m > MOST_CELLS || !n || !m) {
		add_hunk(hunks, c->a, c->a + n, c->b, c->b + m);
		return;
	}
	are_same = g_new(bool, (gsize)n *m);
	common = count_common(c, are_same);
	while (i < n && j < m) {
		const guint32 *here = &common[(gsize)i * (m + 1) + j];

		if (are_same[(gsize)i * m + j] && *here == here[m + 2] + 1) {
			add_hunk(hunks, c->a + from_i, c->a + i, c->b + from_j, c->b + j);
			from_i = ++i;
			from_j = ++j;
		} else if (here[m + 1] >= here[1]) {
			i++;
		} else {
			j++;
		}
	}
	add_hunk(hunks, c->a + from_i, c->a + n, c->b + from_j, c->b + m);
}

GArray *lines_pair(const struct lines_hunk *h, lines_same *same, gpointer data)
{
	GArray *hunks = g_array_new(FALSE, FALSE, sizeof(struct lines_hunk));
	struct comparison c = { h->actual,   h->actual_end - h->actual,
				h->expected, h->expected_end - h->expected,
				same,	     data };

	compare_middle(hunks, &c);
	return hunks;
}

struct two_texts {
	const GArray *actual, *expected;
};

static bool is_same_text(guint actual, guint expected, gpointer data)
{
	const struct two_texts *t = data;

	return is_equal(t->actual, actual, t->expected, expected);
}

GArray *lines_compare(const GArray *actual, const GArray *expected)
{
	guint n = actual->len, m = expected->len, before = 0, behind = 0;
	struct two_texts texts = { actual, expected };

	while (before < MIN(n, m) && is_equal(actual, before, expected, before))
		before++;
	while (behind < MIN(n, m) - before &&
	       is_equal(actual, n - behind - 1, expected, m - behind - 1))
		behind++;
	return lines_pair(&(struct lines_hunk){ before, n - behind, before, m - behind },
			  is_same_text, &texts);
}
