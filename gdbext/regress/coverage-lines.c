/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of each line: a table, without the runs that it comes from. */
#include "gdbext/regress/coverage.h"

/* An instruction of a line; those of several lines are put in the order of addresses again. */
struct code {
	guint64 place, code;
};

static void free_coverage_line(void *pointer)
{
	struct coverage_line *l = pointer;

	g_clear_pointer(&l->code, g_array_unref);
	g_free(l);
}

struct coverage *coverage_empty_new(void)
{
	struct coverage *c = g_new0(struct coverage, 1);

	c->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_coverage_line);
	return c;
}

void coverage_free(struct coverage *c)
{
	if (!c)
		return;
	g_hash_table_unref(c->lines);
	g_free(c);
}

/* NULL = nothing is known of the line. */
static struct coverage_line *covered_line_at(const struct coverage *c, const char *file,
					     unsigned line)
{
	g_autofree char *key = c && file ? g_strdup_printf("%s:%u", file, line) : NULL;

	return key ? g_hash_table_lookup(c->lines, key) : NULL;
}

static struct coverage_line *coverage_line_at(struct coverage *c, const char *file, unsigned line)
{
	struct coverage_line *l = covered_line_at(c, file, line);

	if (l)
		return l;
	l = g_new0(struct coverage_line, 1);
	l->count = -1;
	g_hash_table_insert(c->lines, g_strdup_printf("%s:%u", file, line), l);
	return l;
}

void coverage_add_count(struct coverage *c, const char *file, unsigned line, guint64 times)
{
	struct coverage_line *l = coverage_line_at(c, file, line);
	guint64 before = l->count < 0 ? 0 : (guint64)l->count;

	l->count = (gint64)MIN(before + MIN(times, (guint64)G_MAXINT64), (guint64)G_MAXINT64);
}

void coverage_add_way(struct coverage *c, const char *file, unsigned line, bool taken,
		      guint64 times)
{
	coverage_line_at(c, file, line)->ways[taken ? 0 : 1] += times;
}

void coverage_add_code(struct coverage *c, const char *file, unsigned line, unsigned entry,
		       guint64 code)
{
	struct coverage_line *l = coverage_line_at(c, file, line);
	struct code one = { c->codes++, code };

	if (!l->code)
		l->code = g_array_new(FALSE, FALSE, sizeof(struct code));
	else
		l->is_shared |= l->entry != entry;
	l->entry = entry;
	g_array_append_val(l->code, one);
}

gint64 coverage_of(const struct coverage *c, const char *file, unsigned line)
{
	const struct coverage_line *l = covered_line_at(c, file, line);

	return l ? l->count : -1;
}

gint64 coverage_entries_of(const struct coverage *c, const char *file, unsigned line)
{
	const struct coverage_line *l = covered_line_at(c, file, line);

	return l && l->entry && !l->is_shared ? coverage_of(c, file, l->entry) : -1;
}

static int compare_codes(gconstpointer a, gconstpointer b)
{
	const struct code *x = a, *y = b;

	return x->place < y->place ? -1 : x->place > y->place;
}

guint64 coverage_code_of(const struct coverage *c, const char *file, unsigned first, unsigned count)
{
	g_autoptr(GArray) codes = g_array_new(FALSE, FALSE, sizeof(struct code));
	guint64 all = 0;

	for (unsigned l = first; l < first + count; l++) {
		const struct coverage_line *line = covered_line_at(c, file, l);

		if (line && line->code)
			g_array_append_vals(codes, line->code->data, line->code->len);
	}
	g_array_sort(codes, compare_codes);
	for (guint i = 0; i < codes->len; i++)
		all = all * 31 + g_array_index(codes, struct code, i).code;
	return all;
}

void coverage_ways_of(const struct coverage *c, const char *file, unsigned first, unsigned count,
		      guint64 ways[2])
{
	ways[0] = ways[1] = 0;
	for (unsigned l = first; l < first + count; l++) {
		const struct coverage_line *line = covered_line_at(c, file, l);

		for (int i = 0; line && i < 2; i++)
			ways[i] += line->ways[i];
	}
}
