/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/renames.h"
#include "solver/source/expression/c-type.h"

#include <string.h>

/* One side of a file. */
struct side {
	const GPtrArray *lines; /* GBytes * */
	GPtrArray *words;	/* by line, GHashTable * of char *: the names in its code */
};

/* What goes on from line to line. */
struct scan {
	bool comment;
};

static bool is_letter(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Behind a comment, a string or a character that begins here; at itself where none does. */
static gsize behind_no_code(struct scan *s, const char *text, gsize n, gsize at)
{
	bool two = at + 1 < n;

	if (s->comment) {
		s->comment = !(two && text[at] == '*' && text[at + 1] == '/');
		return at + (s->comment ? 1 : 2);
	}
	if (two && text[at] == '/' && text[at + 1] == '*') {
		s->comment = true;
		return at + 2;
	}
	if (two && text[at] == '/' && text[at + 1] == '/')
		return n;
	if (text[at] == '"' || text[at] == '\'') {
		char quote = text[at];

		for (at++; at < n && text[at] != quote; at++)
			at += text[at] == '\\';
		return MIN(at + 1, n);
	}
	return at;
}

static bool is_renamable_word(const char *word)
{
	return !g_ascii_isdigit(*word) && !c_type_is_word(word) && !g_str_has_suffix(word, "_t") &&
	       strcmp(word, "bool") != 0;
}

static GHashTable *names_on_line(struct scan *s, GBytes *line)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	gsize n, at = 0;
	const char *text = g_bytes_get_data(line, &n);

	while (at < n) {
		gsize behind = behind_no_code(s, text, n, at), length = 0;
		g_autofree char *word = NULL;

		if (behind > at) {
			at = behind;
			continue;
		}
		while (at + length < n && is_letter(text[at + length]))
			length++;
		word = g_strndup(text + at, length);
		if (length && is_renamable_word(word))
			g_hash_table_add(names, g_steal_pointer(&word));
		at += MAX(length, 1);
	}
	return names;
}

static void side_init(struct side *side, const GPtrArray *lines)
{
	struct scan s = { false };

	side->lines = lines;
	side->words = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
	for (guint i = 0; i < lines->len; i++)
		g_ptr_array_add(side->words, names_on_line(&s, lines->pdata[i]));
}

/* Lines count from 1; to is behind the last one. */
static bool lines_have_name(const struct side *side, unsigned from, unsigned to, const char *name)
{
	for (unsigned l = from; l < to; l++)
		if (g_hash_table_contains(side->words->pdata[l - 1], name))
			return true;
	return false;
}

struct renames {
	struct regress_changes *changes;
	const struct regress_file *file;
	struct side old, newer;
	void (*join)(struct regress_changes *c, unsigned a, unsigned b);
};

static bool old_side_has(const struct renames *r, const struct regress_change *x, const char *name)
{
	return lines_have_name(&r->old, x->old_first, x->old_first + x->old_count, name);
}

static bool new_side_has(const struct renames *r, const struct regress_change *x, const char *name)
{
	return lines_have_name(&r->newer, x->new_first, x->new_first + x->new_count, name);
}

static bool declares_name(const struct renames *r, unsigned change, const char *name, bool new_side)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_add(names, (char *)(uintptr_t)name);
	return regress_change_provides(r->changes, change, names, new_side);
}

static bool ends_renamed_function(const struct renames *r, unsigned line)
{
	gsize n;
	const char *text = g_bytes_get_data(r->newer.lines->pdata[line - 1], &n);

	return n && *text == '}';
}

/* The lines of the new version from the end of one function to that of the next, around a line. */
static void find_function_around(const struct renames *r, unsigned line, unsigned *from,
				 unsigned *to)
{
	for (*from = line; *from > 1 && !ends_renamed_function(r, *from - 1);)
		--*from;
	for (*to = line; *to <= r->newer.lines->len && !ends_renamed_function(r, *to);)
		++*to;
}

static void join_uses(const struct renames *r, unsigned change, const char *old, const char *newer,
		      unsigned from, unsigned to)
{
	for (guint i = r->file->first; i < r->file->first + r->file->count; i++) {
		const struct regress_change *x = regress_change_at(r->changes, i);

		if (i != change && x->kind == REGRESS_LINES && x->new_first >= from &&
		    x->new_first < to && old_side_has(r, x, old) && new_side_has(r, x, newer))
			r->join(r->changes, change, i);
	}
}

/* Is the name that the change declares another one for what its old side declared so? */
static void try_pair(const struct renames *r, unsigned change, const char *old, const char *newer)
{
	const struct regress_change *x = regress_change_at(r->changes, change);
	unsigned from = 1, to = r->newer.lines->len + 1;

	if (lines_have_name(&r->newer, from, to, old))
		find_function_around(r, x->new_first, &from, &to);
	if (!lines_have_name(&r->newer, from, to, old) && declares_name(r, change, old, false))
		join_uses(r, change, old, newer, from, to);
}

/* The names on some lines, in the order of the lines. */
static GPtrArray *names_on(const struct side *side, unsigned first, unsigned count)
{
	GPtrArray *names = g_ptr_array_new();

	for (unsigned l = first; l < first + count; l++) {
		GHashTableIter i;
		void *name;

		g_hash_table_iter_init(&i, side->words->pdata[l - 1]);
		while (g_hash_table_iter_next(&i, &name, NULL))
			g_ptr_array_add(names, name);
	}
	return names;
}

static void look_at_change(const struct renames *r, unsigned change)
{
	const struct regress_change *x = regress_change_at(r->changes, change);
	g_autoptr(GPtrArray) before = NULL, after = NULL;

	if (x->kind != REGRESS_LINES || !x->old_count || !x->new_count)
		return;
	before = names_on(&r->old, x->old_first, x->old_count);
	after = names_on(&r->newer, x->new_first, x->new_count);
	for (guint i = 0; i < after->len; i++) {
		if (lines_have_name(&r->old, 1, r->old.lines->len + 1, after->pdata[i]) ||
		    !declares_name(r, change, after->pdata[i], true))
			continue;
		for (guint k = 0; k < before->len; k++)
			try_pair(r, change, before->pdata[k], after->pdata[i]);
	}
}

void regress_renames_find(struct regress_changes *c,
			  void (*join)(struct regress_changes *c, unsigned a, unsigned b))
{
	struct renames r = { .changes = c,
			     .file = g_ptr_array_index(c->files, c->files->len - 1),
			     .join = join };

	side_init(&r.old, r.file->old_lines);
	side_init(&r.newer, r.file->new_lines);
	for (guint i = r.file->first; i < r.file->first + r.file->count; i++)
		look_at_change(&r, i);
	g_ptr_array_unref(r.old.words);
	g_ptr_array_unref(r.newer.words);
}
