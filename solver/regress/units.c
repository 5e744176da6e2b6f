/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/units.h"
#include "solver/regress/renames.h"
#include "solver/regress/set.h"
#include "solver/regress/split.h"

#include <string.h>

/*
 * ---- the marks of each line ----
 *
 * i, e, n   #if, #else, #endif, and their kin
 * { }	     braces in code
 * l	     the word else in code
 * x	     other code
 */

/* Two kinds of brackets.  What stands between two of a kind has no part of them. */
struct brackets {
	char open, between, close; /* as they are marked; between: '\0' = there is none */
	bool of_function;	   /* they end with the function that they stand in */
};

static const struct brackets conditionals = { 'i', 'e', 'n', false },
			     braces = { '{', 0, '}', true };

/* What goes on from line to line. */
struct scan {
	bool comment, directive;
};

static bool is_word_of_unit(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* The mark of a word that a conditional begins with; '\0' = it is none. */
static char mark_of_conditional(const char *text, gsize n, bool is_make)
{
	static const struct {
		const char *word;
		char mark;
		bool c, make;
	} words[] = {
		{ "if", 'i', true, false },	 { "ifdef", 'i', true, true },
		{ "ifndef", 'i', true, true },	 { "ifeq", 'i', false, true },
		{ "ifneq", 'i', false, true },	 { "elif", 'e', true, false },
		{ "elifdef", 'e', true, false }, { "elifndef", 'e', true, false },
		{ "else", 'e', true, true },	 { "endif", 'n', true, true },
	};
	gsize length = 0;

	while (length < n && is_word_of_unit(text[length]))
		length++;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if ((is_make ? words[i].make : words[i].c) && strlen(words[i].word) == length &&
		    memcmp(words[i].word, text, length) == 0)
			return words[i].mark;
	return '\0';
}

static gsize skip_blanks(const char *text, gsize n, gsize at)
{
	while (at < n && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

static bool text_goes_on(const char *text, gsize n)
{
	while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	return n && text[n - 1] == '\\';
}

static gsize behind_quoted(const char *text, gsize n, gsize at)
{
	char quote = text[at];

	for (at++; at < n && text[at] != quote; at++)
		if (text[at] == '\\')
			at++;
	return at;
}

/* Behind its first `#', where it is a directive. */
static void mark_directive(struct scan *s, const char *text, gsize n, GString *marks)
{
	gsize at = skip_blanks(text, n, 0);
	char mark;

	if (s->comment || s->directive || at >= n || text[at] != '#')
		return;
	at = skip_blanks(text, n, at + 1);
	mark = at < n ? mark_of_conditional(text + at, n - at, false) : '\0';
	s->directive = true;
	if (mark)
		g_string_append_c(marks, mark);
}

/* What is no code at this place: blanks, comments.  Goes behind it; false = it is code. */
static bool skip_no_code(struct scan *s, const char *text, gsize n, gsize *at)
{
	bool two = *at + 1 < n;

	if (s->comment) {
		s->comment = !(two && text[*at] == '*' && text[*at + 1] == '/');
		*at += s->comment ? 1 : 2;
	} else if (two && text[*at] == '/' && text[*at + 1] == '/') {
		*at = n;
	} else if (two && text[*at] == '/' && text[*at + 1] == '*') {
		s->comment = true;
		*at += 2;
	} else if (g_ascii_isspace(text[*at])) {
		++*at;
	} else {
		return false;
	}
	return true;
}

/* Returns the mark of the token here, and goes behind the token. */
static char mark_token(const char *text, gsize n, gsize *at)
{
	gsize from = *at;
	char c = text[from];

	if (c == '"' || c == '\'') {
		*at = behind_quoted(text, n, from) + 1;
		return 'x';
	}
	while (*at < n && is_word_of_unit(text[*at]))
		++*at;
	if (*at == from)
		++*at;
	if (*at - from == 4 && memcmp(text + from, "else", 4) == 0)
		return 'l';
	return c == '{' || c == '}' ? c : 'x';
}

static void mark_line_of_c(struct scan *s, const char *text, gsize n, GString *marks)
{
	mark_directive(s, text, n, marks);
	for (gsize at = 0; at < n;) {
		char mark;

		if (skip_no_code(s, text, n, &at))
			continue;
		mark = mark_token(text, n, &at);
		if (!s->directive && (mark != 'x' || !g_str_has_suffix(marks->str, "x")))
			g_string_append_c(marks, mark);
	}
	s->directive &= text_goes_on(text, n);
}

static void mark_line_of_make(const char *text, gsize n, GString *marks)
{
	gsize at = skip_blanks(text, n, 0);
	char mark =
		n && *text != '\t' && at < n ? mark_of_conditional(text + at, n - at, true) : '\0';

	if (mark)
		g_string_append_c(marks, mark);
}

/* The marks of each line, char *. */
static GPtrArray *marks_of_lines(const GPtrArray *lines, bool is_make)
{
	GPtrArray *marks = g_ptr_array_new_with_free_func(g_free);
	struct scan s = { 0 };

	for (guint i = 0; i < lines->len; i++) {
		GString *line = g_string_new(NULL);
		gsize n;
		const char *text = g_bytes_get_data(g_ptr_array_index(lines, i), &n);

		if (is_make)
			mark_line_of_make(text, n, line);
		else
			mark_line_of_c(&s, text, n, line);
		g_ptr_array_add(marks, g_string_free(line, FALSE));
	}
	return marks;
}

/* ---- joining ---- */

/* What some lines do to the depth: they close so many brackets from before, stand between such, and
 * leave so many open. */
struct effect {
	unsigned closes, betweens, opens;
};

static struct effect bracket_balance_of(const struct brackets *b, const GPtrArray *marks,
					unsigned first, unsigned count)
{
	struct effect e = { 0 };

	for (unsigned l = first; l < first + count; l++)
		for (const char *m = g_ptr_array_index(marks, l - 1); *m; m++) {
			if (*m == b->open)
				e.opens++;
			else if (*m == b->close && e.opens)
				e.opens--;
			else if (*m == b->close)
				e.closes++;
			else if (*m == b->between && !e.opens)
				e.betweens++;
		}
	return e;
}

static struct regress_change *regress_change_number(struct regress_changes *c, unsigned change)
{
	return &g_array_index(c->changes, struct regress_change, change);
}

/* Both are of the file. */
static void join_units(struct regress_changes *c, const struct regress_file *f, unsigned a,
		       unsigned b)
{
	unsigned from = regress_change_number(c, b)->unit, to = regress_change_number(c, a)->unit;

	for (guint i = f->first; from != to && i < f->first + f->count; i++)
		if (regress_change_number(c, i)->unit == from)
			regress_change_number(c, i)->unit = to;
}

static void join_changes(struct regress_changes *c, unsigned a, unsigned b)
{
	join_units(c, regress_file_of(c, a), a, b);
}

/* A change since which the mixtures differ in depth, by one. */
struct pending {
	unsigned change;
	bool deeper; /* the new version */
};

struct joining {
	struct regress_changes *changes;
	const struct regress_file *file;
	GArray *pending;	/* struct pending: a stack */
	struct pending between; /* an #else more, or less, that nothing makes up for yet ... */
	bool has_between;	/* ... if there is one */
};

static void join_with(const struct joining *j, unsigned a, unsigned b)
{
	join_units(j->changes, j->file, a, b);
}

static struct pending *top_pending(const struct joining *j)
{
	return j->pending->len ? &g_array_index(j->pending, struct pending, j->pending->len - 1)
			       : NULL;
}

/* An #else that comes or goes: with what is open around it, or with one that goes or comes. */
static void join_between(struct joining *j, unsigned change, bool deeper)
{
	if (top_pending(j)) {
		join_with(j, top_pending(j)->change, change);
	} else if (j->has_between && j->between.deeper != deeper) {
		join_with(j, j->between.change, change);
		j->has_between = false;
	} else {
		j->between = (struct pending){ change, deeper };
		j->has_between = true;
	}
}

static void join_change(struct joining *j, unsigned change, const struct effect *old,
			const struct effect *newer)
{
	int depth = (int)(newer->opens - newer->closes) - (int)(old->opens - old->closes);
	struct pending now = { change, depth > 0 };

	if (!depth && memcmp(old, newer, sizeof *old) != 0) {
		if (old->betweens != newer->betweens)
			join_between(j, change, newer->betweens > old->betweens);
		else if (top_pending(j))
			join_with(j, top_pending(j)->change, change);
	}
	for (; depth; depth += depth > 0 ? -1 : 1) {
		if (top_pending(j) && top_pending(j)->deeper != now.deeper) {
			join_with(j, top_pending(j)->change, change);
			g_array_set_size(j->pending, j->pending->len - 1);
		} else {
			g_array_append_val(j->pending, now);
		}
	}
}

/* Does a function end on one of the lines, which did not change? */
static bool ends_kept_function(const struct regress_file *f, unsigned first, unsigned last)
{
	for (unsigned l = first; l <= last && l <= f->new_lines->len; l++) {
		gsize n;
		const char *text = g_bytes_get_data(g_ptr_array_index(f->new_lines, l - 1), &n);

		if (n && *text == '}')
			return true;
	}
	return false;
}

static void join_by(struct regress_changes *c, const struct regress_file *f,
		    const struct brackets *b, GPtrArray *old_marks, GPtrArray *new_marks)
{
	struct joining j = { .changes = c,
			     .file = f,
			     .pending = g_array_new(FALSE, FALSE, sizeof(struct pending)) };
	unsigned next = 1; /* line of the new version */

	for (guint i = f->first; i < f->first + f->count; i++) {
		const struct regress_change *x = regress_change_number(c, i);
		struct effect old, newer;
		unsigned before = x->new_count ? x->new_first - 1 : x->new_first;

		if (x->kind != REGRESS_LINES)
			continue;
		if (b->of_function && ends_kept_function(f, next, before))
			g_array_set_size(j.pending, 0);
		next = before + x->new_count + 1;
		old = bracket_balance_of(b, old_marks, x->old_first, x->old_count);
		newer = bracket_balance_of(b, new_marks, x->new_first, x->new_count);
		join_change(&j, i, &old, &newer);
	}
	g_array_unref(j.pending);
}

/* ---- if and else ---- */

/* The first mark of code on some lines, or the last one; '\0' = they have none. */
static char code_mark_at_end(const GPtrArray *marks, unsigned first, unsigned count, bool last)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned line = last ? first + count - 1 - i : first + i;
		const char *m = g_ptr_array_index(marks, line - 1), *code = strpbrk(m, "xl{}");

		if (code)
			return last ? m[strlen(m) - 1] : *code;
	}
	return '\0';
}

/* Do the lines between two changes hold a statement, and nothing else? */
static bool is_statement_between(const struct regress_file *f, const struct regress_change *a,
				 const struct regress_change *b)
{
	unsigned from = a->new_first + MAX(a->new_count, 1) - 1; /* lines before it */
	unsigned to = b->new_count ? b->new_first - 1 : b->new_first;
	g_autoptr(GArray) pieces =
		from < to ? regress_split_statements((GBytes *const *)f->new_lines->pdata + from,
						     to - from)
			  : NULL;

	return pieces && pieces->len == 1;
}

/*
 *     -	if (a)
 *     -		x ();
 *     -	else
 *     +	if (!a)
 *      		y ();
 *     +	else
 *     +		z ();
 *
 * One side of the first change ends with the word, the other side of the second one begins with it.
 * With the second one alone reverted, nobody is called where a does not hold: a program that
 * neither version says.
 */
static bool exchange_else(const struct regress_change *a, const struct regress_change *b,
			  const GPtrArray *old_marks, const GPtrArray *new_marks)
{
	bool old_ends = code_mark_at_end(old_marks, a->old_first, a->old_count, true) == 'l';
	bool new_ends = code_mark_at_end(new_marks, a->new_first, a->new_count, true) == 'l';
	bool old_begins = code_mark_at_end(old_marks, b->old_first, b->old_count, false) == 'l';
	bool new_begins = code_mark_at_end(new_marks, b->new_first, b->new_count, false) == 'l';

	return old_ends != new_ends && old_begins != new_begins && old_ends == new_begins;
}

static void join_else(struct regress_changes *c, const struct regress_file *f,
		      const GPtrArray *old_marks, const GPtrArray *new_marks)
{
	for (guint i = f->first + 1; i < f->first + f->count; i++) {
		const struct regress_change *a = regress_change_number(c, i - 1),
					    *b = regress_change_number(c, i);

		if (a->kind == REGRESS_LINES && b->kind == REGRESS_LINES &&
		    exchange_else(a, b, old_marks, new_marks) && is_statement_between(f, a, b))
			join_units(c, f, i - 1, i);
	}
}

static bool is_makefile(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);

	return g_str_has_prefix(name, "Makefile") || g_str_has_prefix(name, "makefile") ||
	       g_str_has_prefix(name, "GNUmakefile") || g_str_has_suffix(name, ".mk");
}

void regress_units_join(struct regress_changes *c)
{
	const struct regress_file *f = g_ptr_array_index(c->files, c->files->len - 1);
	bool is_c = f->count > 1 && regress_change_is_c(c, f->first);
	g_autoptr(GPtrArray) old_marks = NULL, new_marks = NULL;

	if (f->count < 2 || !f->old_lines || !f->new_lines || (!is_c && !is_makefile(f->new_path)))
		return;
	old_marks = marks_of_lines(f->old_lines, !is_c);
	new_marks = marks_of_lines(f->new_lines, !is_c);
	join_by(c, f, &conditionals, old_marks, new_marks);
	if (is_c) {
		join_by(c, f, &braces, old_marks, new_marks);
		join_else(c, f, old_marks, new_marks);
		regress_renames_find(c, join_changes);
	}
}

/* ---- sets ---- */

static bool is_of_unit(const struct regress_changes *c, unsigned change, unsigned unit)
{
	return regress_change_at(c, change)->unit == unit;
}

bool regress_unit_is_shared(const struct regress_changes *c, unsigned change)
{
	const struct regress_file *f = regress_file_of(c, change);
	unsigned unit = regress_change_at(c, change)->unit;

	for (guint i = f->first; i < f->first + f->count; i++)
		if (i != change && is_of_unit(c, i, unit))
			return true;
	return false;
}

GArray *regress_units_close(const struct regress_changes *c, const GArray *set)
{
	g_autoptr(GHashTable) units = g_hash_table_new(NULL, NULL);
	GArray *closed = regress_set_new();

	for (guint i = 0; i < set->len; i++)
		g_hash_table_add(
			units,
			GUINT_TO_POINTER(regress_change_at(c, regress_set_at(set, i))->unit));
	for (guint i = 0; i < set->len; i++) {
		const struct regress_file *f = regress_file_of(c, regress_set_at(set, i));

		if (i && regress_change_at(c, regress_set_at(set, i - 1))->file ==
				 regress_change_at(c, regress_set_at(set, i))->file)
			continue;
		for (guint k = f->first; k < f->first + f->count; k++)
			if (g_hash_table_contains(units,
						  GUINT_TO_POINTER(regress_change_at(c, k)->unit)))
				g_array_append_val(closed, k);
	}
	return closed;
}

GArray *regress_units_first(const struct regress_changes *c, const GArray *list)
{
	g_autoptr(GHashTable) units = g_hash_table_new(NULL, NULL);
	GArray *first = regress_set_new();

	for (guint i = 0; i < list->len; i++) {
		unsigned x = regress_set_at(list, i);

		if (g_hash_table_add(units, GUINT_TO_POINTER(regress_change_at(c, x)->unit)))
			g_array_append_val(first, x);
	}
	return first;
}
