/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes as people and as the search for auxiliary changes read them. */
#include "solver/regress/changes.h"

#include <string.h>

static void append_side(GString *out, char sign, const GPtrArray *lines, unsigned first,
			unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		gsize size;
		const char *text = g_bytes_get_data(g_ptr_array_index(lines, first - 1 + i), &size);

		g_string_append_c(out, sign);
		while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
			size--;
		g_string_append_len(out, text, (gssize)size);
		g_string_append_c(out, '\n');
	}
}

/* Where both sides read the same, what differs is at the ends of the lines. */
static bool reads_the_same(const char *text)
{
	const char *plus = strstr(text, "\n+");
	GString *old = g_string_new(NULL), *newer = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool same;

	for (char **line = lines; *line; line++)
		g_string_append(**line == '-' ? old : newer, **line ? *line + 1 : "");
	same = plus && g_string_equal(old, newer);
	g_string_free(old, TRUE);
	g_string_free(newer, TRUE);
	return same;
}

static char *text_of_lines(const struct regress_file *f, const struct regress_change *x)
{
	GString *out = g_string_new(NULL);

	append_side(out, '-', f->old_lines, x->old_first, x->old_count);
	append_side(out, '+', f->new_lines, x->new_first, x->new_count);
	if (reads_the_same(out->str))
		g_string_append(out, "(the end of the line differs)\n");
	return g_string_free(out, FALSE);
}

char *regress_change_text(const struct regress_changes *c, unsigned change)
{
	const struct regress_change *x = regress_change_at(c, change);
	const struct regress_file *f = regress_file_of(c, change);

	switch (x->kind) {
	case REGRESS_LINES:
		return text_of_lines(f, x);
	case REGRESS_ADDED:
		return g_strdup_printf("the file %s was added\n", f->new_path);
	case REGRESS_DELETED:
		return g_strdup_printf("the file %s was deleted\n", f->old_path);
	case REGRESS_RENAMED:
		return g_strdup_printf("%s was renamed to %s\n", f->old_path, f->new_path);
	case REGRESS_MODE:
		return g_strdup_printf("the mode was %04o and is %04o\n", f->old_mode & 07777,
				       f->new_mode & 07777);
	case REGRESS_CONTENTS:
		return g_strdup_printf("the contents of %s are others (%" G_GSIZE_FORMAT
				       " bytes, now %" G_GSIZE_FORMAT ")\n",
				       f->new_path, g_bytes_get_size(f->old_bytes),
				       g_bytes_get_size(f->new_bytes));
	}
	g_assert_not_reached();
}

static void add_words_of_line(GHashTable *words, const char *text, gsize size)
{
	for (gsize i = 0; i < size;) {
		gsize n = 0;

		while (i + n < size && (g_ascii_isalnum(text[i + n]) || text[i + n] == '_'))
			n++;
		if (n > 1 && !g_ascii_isdigit(text[i]))
			g_hash_table_add(words, g_strndup(text + i, n));
		i += n ? n : 1;
	}
}

static GHashTable *words_in_lines(const GPtrArray *lines, GBytes *bytes, unsigned first,
				  unsigned count)
{
	GHashTable *words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	gsize size = 0;
	const char *text = bytes ? g_bytes_get_data(bytes, &size) : NULL;

	add_words_of_line(words, text, size);
	for (unsigned i = 0; i < count; i++) {
		text = g_bytes_get_data(g_ptr_array_index(lines, first - 1 + i), &size);
		add_words_of_line(words, text, size);
	}
	return words;
}

/* Those of a that b has not. */
static void take_only(GHashTable *out, GHashTable *a, GHashTable *b)
{
	GHashTableIter i;
	void *word;

	g_hash_table_iter_init(&i, a);
	while (g_hash_table_iter_next(&i, &word, NULL))
		if (!g_hash_table_contains(b, word))
			g_hash_table_add(out, g_strdup(word));
}

/* "lib/limit.h": limit; that is how a compiler names a file that it misses. */
static void add_path(GHashTable *words, const char *path)
{
	g_autofree char *name = path ? g_path_get_basename(path) : NULL;

	if (name)
		add_words_of_line(words, name, strlen(name));
}

GHashTable *regress_change_words(const struct regress_changes *c, unsigned change)
{
	const struct regress_change *x = regress_change_at(c, change);
	const struct regress_file *f = regress_file_of(c, change);
	bool lines = x->kind == REGRESS_LINES;
	bool whole = x->kind == REGRESS_ADDED || x->kind == REGRESS_DELETED;
	g_autoptr(GHashTable) old = words_in_lines(f->old_lines, whole ? f->old_bytes : NULL,
						   x->old_first, lines ? x->old_count : 0);
	g_autoptr(GHashTable) newer = words_in_lines(f->new_lines, whole ? f->new_bytes : NULL,
						     x->new_first, lines ? x->new_count : 0);
	GHashTable *words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	take_only(words, old, newer);
	take_only(words, newer, old);
	if (whole || x->kind == REGRESS_RENAMED) {
		add_path(words, f->old_path);
		add_path(words, f->new_path);
	}
	return words;
}

/* A word of a line, from its beginning. */
struct word {
	const char *line, *at;
	gsize length;
};

static bool begins_with(const char *text, const char *word)
{
	gsize n = strlen(word);

	return strncmp(text, word, n) == 0 && !g_ascii_isalnum(text[n]) && text[n] != '_';
}

/* "	struct node *next;", "	int a, b = 0;": the first word is a type, and nothing was computed
 * before the name. */
static bool is_declared_within(const struct word *w)
{
	static const char *const no_types[] = { "return", "if",	  "while", "for",    "goto",
						"case",	  "else", "do",	   "sizeof", "switch" };
	const char *first = w->line + strspn(w->line, " \t");
	const char *after = w->at + w->length;

	for (size_t i = 0; i < G_N_ELEMENTS(no_types); i++)
		if (begins_with(first, no_types[i]))
			return false;
	after += strspn(after, " \t");
	return first != w->at && (g_ascii_isalpha(*first) || *first == '_') &&
	       (!*after || strchr(";,=[:", *after)) &&
	       strcspn(w->line, "=(") >= (gsize)(w->at - w->line);
}

static bool is_declared(const struct word *w)
{
	const char *first = w->line + strspn(w->line, " \t");

	if (*first == '#')
		return strstr(first, "include") || strstr(first, "define");
	/* at the margin: outside of all functions */
	return first == w->line ? g_ascii_isalpha(*first) || *first == '_' : is_declared_within(w);
}

static bool line_provides(GBytes *bytes, GHashTable *names)
{
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);
	g_autofree char *line = g_strchomp(g_strndup(size ? data : "", size));

	for (const char *at = line; *at;) {
		gsize n = 0;
		g_autofree char *name = NULL;
		struct word w = { line, at, 0 };

		while (g_ascii_isalnum(at[n]) || at[n] == '_')
			n++;
		name = g_strndup(at, n);
		w.length = n;
		if (n && g_hash_table_contains(names, name) && is_declared(&w))
			return true;
		at += n ? n : 1;
	}
	return false;
}

static bool lines_provide(const GPtrArray *lines, unsigned first, unsigned count, GHashTable *names)
{
	for (unsigned i = 0; lines && i < count; i++)
		if (line_provides(g_ptr_array_index(lines, first - 1 + i), names))
			return true;
	return false;
}

bool regress_change_provides(const struct regress_changes *c, unsigned change, GHashTable *names,
			     bool new_side)
{
	const struct regress_change *x = regress_change_at(c, change);
	const struct regress_file *f = regress_file_of(c, change);
	const GPtrArray *lines = new_side ? f->new_lines : f->old_lines;

	if (x->kind == REGRESS_LINES)
		return lines_provide(lines, new_side ? x->new_first : x->old_first,
				     new_side ? x->new_count : x->old_count, names);
	return x->kind == (new_side ? REGRESS_ADDED : REGRESS_DELETED) && lines &&
	       lines_provide(lines, 1, lines->len, names);
}

static bool introduces_names(const struct regress_changes *c, unsigned change, GHashTable *names)
{
	return regress_change_provides(c, change, names, true) &&
	       !regress_change_provides(c, change, names, false);
}

/* Words of the new sides of groups of lines that are on none of the old ones. */
static GHashTable *new_words(const struct regress_changes *c, const GArray *changes)
{
	GHashTable *words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < changes->len; i++) {
		unsigned number = g_array_index(changes, unsigned, i);
		const struct regress_change *x = regress_change_at(c, number);
		const struct regress_file *f = regress_file_of(c, number);
		g_autoptr(GHashTable) old = NULL, newer = NULL;

		if (x->kind != REGRESS_LINES)
			continue;
		old = words_in_lines(f->old_lines, NULL, x->old_first, x->old_count);
		newer = words_in_lines(f->new_lines, NULL, x->new_first, x->new_count);
		take_only(words, newer, old);
	}
	return words;
}

GArray *regress_changes_declaring(const struct regress_changes *c, const GArray *changes)
{
	g_autoptr(GHashTable) words = new_words(c, changes);
	GArray *declaring = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (unsigned i = 0; i < regress_changes_count(c); i++) {
		bool is_one = false;

		for (guint k = 0; k < changes->len; k++)
			is_one |= g_array_index(changes, unsigned, k) == i;
		if (!is_one && introduces_names(c, i, words))
			g_array_append_val(declaring, i);
	}
	return declaring;
}
