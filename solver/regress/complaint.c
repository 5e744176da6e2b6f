/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a compiler says of a set that does not compile, and the changes that it is about. */
#include "solver/regress/search-private.h"
#include "solver/source/expression/c-type.h"

#include <string.h>

struct place {
	char *file; /* the last part of its path */
	unsigned line;
};

/* One error, with what is noted about it. */
struct report {
	GHashTable *names; /* that it quotes: error: 'm' undeclared */
	GArray *places;	   /* struct place: where it is, or none */
	GArray *noted;	   /* struct place: note: declared here */
	bool once;	   /* it is not said again for other lines of the function */
};

/* What a compiler complains about. */
struct complaint {
	GPtrArray *reports; /* struct report * */
	GHashTable *names;  /* of all of them */
	GHashTable *files; /* last parts of the files that it complains about: f.c:12: error: ... */
};

static void clear_place(void *place)
{
	g_free(((struct place *)place)->file);
}

static GArray *places_new(void)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));

	g_array_set_clear_func(places, clear_place);
	return places;
}

static void report_free(void *pointer)
{
	struct report *r = pointer;

	g_hash_table_unref(r->names);
	g_array_unref(r->places);
	g_array_unref(r->noted);
	g_free(r);
}

static struct report *add_report(struct complaint *c)
{
	struct report *r = g_new0(struct report, 1);

	r->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r->places = places_new();
	r->noted = places_new();
	g_ptr_array_add(c->reports, r);
	return r;
}

/* How near a change is to a complaint that is about none of its lines, the nearest first. */
enum nearness {
	PROVIDES_HERE, /* the side that is not there declares what is missed, in that file or a
			  header */
	PROVIDES,      /* in another file */
	MENTIONS_HERE,
	MENTIONS,
	MENTIONS_ANYHOW, /* in a file that is no source of C */
	IN_THE_FILE,	 /* that the complaint is about */
	N_NEARNESS
};

static bool is_compiler_complaint(const char *line)
{
	return strstr(line, "error") || strstr(line, "undefined") ||
	       strstr(line, "multiple definition") || strstr(line, "No rule to make");
}

static void note_place(struct complaint *c, GArray *places, const char *line)
{
	g_autoptr(GRegex) regex = g_regex_new("([^/:\\s]+):([0-9]+)", G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (g_regex_match(regex, line, 0, &match)) {
		g_autofree char *number = g_match_info_fetch(match, 2);
		struct place p = { g_match_info_fetch(match, 1), (unsigned)atol(number) };

		g_hash_table_add(c->files, g_strdup(p.file));
		g_array_append_val(places, p);
	}
}

/* The names in a text of C: neither keywords nor the types that are always there. */
static unsigned note_words(struct report *r, const char *text, gsize size)
{
	static const char *const no_names[] = { "struct", "union",  "enum",   "const", "if",
						"else",	  "return", "sizeof", "while", "for" };
	unsigned n = 0;

	for (gsize i = 0, length; i < size; i += MAX(length, 1)) {
		g_autofree char *word = NULL;
		bool is_name;

		for (length = 0; i + length < size &&
				 (g_ascii_isalnum(text[i + length]) || text[i + length] == '_');)
			length++;
		word = g_strndup(text + i, length);
		is_name = length && !g_ascii_isdigit(*word) && !c_type_is_word(word);
		for (size_t k = 0; k < G_N_ELEMENTS(no_names); k++)
			is_name &= strcmp(word, no_names[k]) != 0;
		if (is_name)
			g_hash_table_add(r->names, g_steal_pointer(&word));
		n += is_name;
	}
	return n;
}

/* What it quotes: 'm' undeclared; the file that it misses. */
static unsigned note_quoted(struct report *r, const char *line)
{
	g_autoptr(GRegex) regex =
		g_regex_new("(?:'|`|\xe2\x80\x98)([^'`\xe2]*)(?:'|\xe2\x80\x99)"
			    "|fatal error: (?:[^:]*/)?([A-Za-z_][A-Za-z0-9_]*)[^:/]*: No such file",
			    G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	unsigned n = 0;

	g_regex_match(regex, line, 0, &match);
	while (g_match_info_matches(match)) {
		g_autofree char *text =
			g_match_info_fetch(match, g_match_info_get_match_count(match) - 1);

		n += note_words(r, text, strlen(text));
		g_match_info_next(match, NULL);
	}
	return n;
}

/*
 * It quotes nothing, but shows the line:
 *     f.c:12:4: error: void value not ignored as it ought to be
 *        12 |   p = add (x);
 *           |     ^
 * lines: what follows the complaint.
 */
static void note_shown(struct report *r, char *const *lines)
{
	const char *text = *lines ? strchr(*lines, '|') : NULL;

	if (text && g_ascii_isdigit((*lines)[strspn(*lines, " ")]))
		note_words(r, text + 1, strlen(text + 1));
}

static void note_complaint_line(struct complaint *c, char *const *line)
{
	bool error = is_compiler_complaint(*line);
	struct report *r;

	if (!error && !strstr(*line, "note:"))
		return;
	/* a note that no error comes before is told like one */
	r = error || !c->reports->len ? add_report(c)
				      : g_ptr_array_index(c->reports, c->reports->len - 1);
	if (!note_quoted(r, *line) && error)
		note_shown(r, line + 1);
	r->once |= error && strstr(*line, "undeclared (first use in this function)");
	note_place(c, error ? r->places : r->noted, *line);
}

static void complaint_init(struct complaint *c, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	c->reports = g_ptr_array_new_with_free_func(report_free);
	c->names = g_hash_table_new(g_str_hash, g_str_equal);
	c->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **line = lines; *line; line++)
		note_complaint_line(c, line);
	for (guint i = 0; i < c->reports->len; i++) {
		const struct report *r = g_ptr_array_index(c->reports, i);
		GHashTableIter words;
		void *word;

		g_hash_table_iter_init(&words, r->names);
		while (g_hash_table_iter_next(&words, &word, NULL))
			g_hash_table_add(c->names, word);
	}
}

static void complaint_deinit(struct complaint *c)
{
	g_hash_table_unref(c->names);
	g_hash_table_unref(c->files);
	g_ptr_array_unref(c->reports);
}

static bool mentions_words(struct regress_search *s, unsigned change, GHashTable *words)
{
	GHashTableIter i;
	void *word;
	bool found = false;

	g_mutex_lock(&s->lock);
	if (!s->words[change])
		s->words[change] = regress_change_words(s->changes, change);
	g_hash_table_iter_init(&i, words);
	while (!found && g_hash_table_iter_next(&i, &word, NULL))
		found = g_hash_table_contains(s->words[change], word);
	g_mutex_unlock(&s->lock);
	return found;
}

static enum nearness nearness_of(struct regress_search *s, const struct complaint *c,
				 GHashTable *names, unsigned change)
{
	g_autofree char *name = g_path_get_basename(regress_change_path(s->changes, change));
	bool in_file = g_hash_table_contains(c->files, name);
	bool here = in_file || g_str_has_suffix(name, ".h");

	if (!mentions_words(s, change, names))
		return in_file ? IN_THE_FILE : N_NEARNESS;
	if (!regress_change_is_c(s->changes, change))
		return MENTIONS_ANYHOW;
	if (regress_change_provides(s->changes, change, names, s->applying))
		return here ? PROVIDES_HERE : PROVIDES;
	return here ? MENTIONS_HERE : MENTIONS;
}

/* The changes that these lines are of, but those of the set; found: they are added to it. */
static bool add_standing(struct regress_search *s, const GArray *places, const GArray *set,
			 GArray *found)
{
	g_autoptr(GArray) others = regress_set_minus(s->all, set);
	bool any = false;

	for (guint i = 0; i < places->len; i++) {
		const struct place *p = &g_array_index(places, struct place, i);
		int change = regress_change_on_line(s->changes, s->applying ? others : set, p->file,
						    p->line);

		if (change >= 0 && !regress_set_has(set, (unsigned)change)) {
			regress_set_add(found, (unsigned)change);
			any = true;
		}
	}
	return any;
}

/* The changes outside of the set that are nearest by some names, and nearer than that.  A new set.
 */
static GArray *nearest_by_words(struct regress_search *s, const struct complaint *c,
				GHashTable *names, const GArray *set, enum nearness beyond)
{
	enum nearness nearest = beyond;
	GArray *more = regress_set_new();

	for (guint i = 0; i < s->all->len; i++) {
		enum nearness n =
			regress_set_has(set, i) ? N_NEARNESS : nearness_of(s, c, names, i);

		if (n < nearest) {
			g_array_set_size(more, 0);
			nearest = n;
		}
		if (n < beyond && n == nearest)
			g_array_append_val(more, i);
	}
	return more;
}

/* Adds the other changes of the same function that have the names of an undeclared one: a compiler
 * tells the first line of each function only. */
static void add_of_function(struct regress_search *s, const struct report *r, const GArray *set,
			    unsigned first, GArray *found)
{
	const struct regress_change *x = regress_change_at(s->changes, first);
	const struct regress_file *f = regress_file_of(s->changes, first);

	for (guint i = f->first; x->function && i < f->first + f->count; i++)
		if (!regress_set_has(set, i) &&
		    g_strcmp0(regress_change_at(s->changes, i)->function, x->function) == 0 &&
		    mentions_words(s, i, r->names))
			regress_set_add(found, i);
}

/* The changes to which the lines of the errors belong.  Where the line of an error belongs to none,
 * the lines of the notes about it are asked (a declaration that does not agree, say), and then the
 * changes that declare what it names.  Changes of the set are left out.  A new set. */
static GArray *of_each_error(struct regress_search *s, const struct complaint *c, const GArray *set)
{
	GArray *found = regress_set_new();

	for (guint i = 0; i < c->reports->len; i++) {
		const struct report *r = g_ptr_array_index(c->reports, i);
		g_autoptr(GArray) declaring = NULL, here = regress_set_new();

		if (add_standing(s, r->places, set, here) || add_standing(s, r->noted, set, here)) {
			for (guint k = 0; k < here->len; k++)
				regress_set_add(found, regress_set_at(here, k));
			if (r->once)
				add_of_function(s, r, set, regress_set_at(here, 0), found);
			continue;
		}
		if (!g_hash_table_size(r->names))
			continue;
		declaring = nearest_by_words(s, c, r->names, set, MENTIONS_HERE);
		for (guint k = 0; k < declaring->len; k++)
			regress_set_add(found, regress_set_at(declaring, k));
	}
	return found;
}

/* All changes of the files that it is about, but those of the set. */
static GArray *in_files(struct regress_search *s, const struct complaint *c, const GArray *set)
{
	GArray *found = regress_set_new();

	for (guint i = 0; i < s->all->len; i++) {
		g_autofree char *name = g_path_get_basename(regress_change_path(s->changes, i));

		if (!regress_set_has(set, i) && g_hash_table_contains(c->files, name))
			g_array_append_val(found, i);
	}
	return found;
}

GArray *regress_wanted(struct regress_search *s, const GArray *set, const char *complaint,
		       bool whole_files)
{
	struct complaint c;
	GArray *more;

	complaint_init(&c, complaint);
	more = whole_files ? in_files(s, &c, set) : of_each_error(s, &c, set);
	if (!more->len && whole_files) {
		g_array_unref(more);
		more = of_each_error(s, &c, set);
	}
	if (!more->len) {
		g_array_unref(more);
		more = nearest_by_words(s, &c, c.names, set, N_NEARNESS);
	}
	complaint_deinit(&c);
	return more;
}
