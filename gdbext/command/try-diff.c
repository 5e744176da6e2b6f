/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/try-diff.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Lines that are shown, and compared beyond what the beginnings and the ends share. */
enum { MOST_SHOWN = 16, MOST_COMPARED = 1000 };

struct text {
	char **lines;	   /* those that are compared */
	unsigned n, first; /* .first: the number of the first of them, from 1 */
};

struct diff {
	struct text was, is;
	guint16 *common; /* of the rests from (i, j) on: the longest common subsequence */
	GString *out;
	unsigned shown, hidden;
};

static bool is_same(const struct diff *d, unsigned i, unsigned j)
{
	return strcmp(d->was.lines[i], d->is.lines[j]) == 0;
}

static guint16 *common_at(const struct diff *d, unsigned i, unsigned j)
{
	return &d->common[i * (d->is.n + 1) + j];
}

/* Longer texts are said to differ as a whole. */
static void find_common(struct diff *d)
{
	d->common = g_new0(guint16, (gsize)(d->was.n + 1) * (d->is.n + 1));
	for (unsigned i = d->was.n; i-- > 0;)
		for (unsigned j = d->is.n; j-- > 0;)
			*common_at(d, i, j) =
				is_same(d, i, j)
					? (guint16)(*common_at(d, i + 1, j + 1) + 1)
					: MAX(*common_at(d, i + 1, j), *common_at(d, i, j + 1));
}

static void show_line(struct diff *d, const char *word, const char *line)
{
	if (d->shown++ < MOST_SHOWN)
		g_string_append_printf(d->out, "  %-4s %s\n", word, line);
	else
		d->hidden++;
}

/* What was there once and what is there now, up to the next line that both have. */
static void show_hunk(struct diff *d, unsigned *i, unsigned *j, const char *name)
{
	unsigned a = *i, b = *j;

	while ((*i < d->was.n || *j < d->is.n) &&
	       !(*i < d->was.n && *j < d->is.n && is_same(d, *i, *j))) {
		if (*j == d->is.n ||
		    (*i < d->was.n && *common_at(d, *i + 1, *j) >= *common_at(d, *i, *j + 1)))
			++*i;
		else
			++*j;
	}
	if (name)
		g_string_append_printf(d->out, "its %s differs from line %u on:\n", name,
				       d->was.first + a);
	else if (d->shown < MOST_SHOWN)
		g_string_append_printf(d->out, "  and from line %u on:\n", d->was.first + a);
	for (unsigned k = a; k < *i; k++)
		show_line(d, "was", d->was.lines[k]);
	if (a == *i)
		show_line(d, "was", "(nothing)");
	for (unsigned k = b; k < *j; k++)
		show_line(d, "is", d->is.lines[k]);
	if (b == *j)
		show_line(d, "is", "(nothing)");
}

static void show_hunks(struct diff *d, const char *name)
{
	for (unsigned i = 0, j = 0; i < d->was.n || j < d->is.n;) {
		if (i < d->was.n && j < d->is.n && is_same(d, i, j)) {
			i++;
			j++;
			continue;
		}
		show_hunk(d, &i, &j, name);
		name = NULL;
	}
	if (d->hidden)
		g_string_append_printf(d->out, "  %u more lines differ\n", d->hidden);
}

static unsigned n_lines(char **lines)
{
	unsigned n = g_strv_length(lines);

	/* behind the last newline there is no line */
	return n && !*lines[n - 1] ? n - 1 : n;
}

/* Leaves out what both begin and end with. */
static void narrow(struct diff *d)
{
	unsigned first = 0;

	while (first < d->was.n && first < d->is.n && is_same(d, first, first))
		first++;
	for (struct text *t = &d->was; t; t = t == &d->was ? &d->is : NULL) {
		t->lines += first;
		t->n -= first;
		t->first = first + 1;
	}
	while (d->was.n && d->is.n && is_same(d, d->was.n - 1, d->is.n - 1)) {
		d->was.n--;
		d->is.n--;
	}
	d->was.n = MIN(d->was.n, MOST_COMPARED);
	d->is.n = MIN(d->is.n, MOST_COMPARED);
}

char *try_diff(const char *name, const char *was, const char *is)
{
	g_auto(GStrv) x = g_strsplit(was, "\n", -1), y = g_strsplit(is, "\n", -1);
	struct diff d = { .was = { x, n_lines(x), 1 }, .is = { y, n_lines(y), 1 } };

	if (strcmp(was, is) == 0)
		return *was ? g_strdup_printf("its %s is the same\n", name) : g_strdup("");
	narrow(&d);
	d.out = g_string_new(NULL);
	find_common(&d);
	show_hunks(&d, name);
	if (!d.out->len)
		g_string_append_printf(d.out, "its %s differs in the end of its last line\n", name);
	g_free(d.common);
	return g_string_free(d.out, FALSE);
}
