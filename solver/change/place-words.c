/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/place-words.h"

#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <inttypes.h>
#include <string.h>

static bool is_type_of_parts(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_STRUCT || t->kind == IMAGE_TYPE_UNION ||
	       t->kind == IMAGE_TYPE_ARRAY;
}

bool place_types_alike(const struct image_type *a, const struct image_type *b)
{
	const bool names = a && b && (a->kind == IMAGE_TYPE_ENUM || b->kind == IMAGE_TYPE_ENUM);
	const bool pointer = a && a->kind == IMAGE_TYPE_POINTER;

	if (!a || !b)
		return true;
	if (is_type_of_parts(a) || is_type_of_parts(b))
		return a->kind == b->kind && g_strcmp0(a->name, b->name) == 0;
	if (names)
		return a->kind == b->kind && g_strcmp0(a->name, b->name) == 0;
	if (pointer != (b->kind == IMAGE_TYPE_POINTER))
		return false;
	return !pointer || !a->target || !b->target ||
	       (a->target->kind == b->target->kind &&
		g_strcmp0(a->target->name, b->target->name) == 0);
}

/* The type of what the statement of the line assigns to; NULL: it is not known. */
static const struct image_type *type_assigned(const struct image *im, uint64_t addr,
					      const char *text, const struct limits *limits)
{
	g_autofree char *statement = g_strndup(text, strcspn(text, ";"));
	g_autofree char *place = code_statement_place(g_strchug(statement));
	g_autofree char *address = place ? g_strdup_printf("&(%s)", place) : NULL;
	struct code_value *v = address ? code_value_new(im, addr, address, limits) : NULL;
	const struct image_type *t = v ? code_value_type(v)->target : NULL;

	code_value_free(v);
	return t;
}

bool place_sums_no_numbers(const struct image *im, uint64_t addr, const char *text,
			   const struct limits *limits)
{
	const struct image_type *t = type_assigned(im, addr, text, limits);

	return t && (t->kind == IMAGE_TYPE_ENUM || t->kind == IMAGE_TYPE_BOOL ||
		     t->kind == IMAGE_TYPE_POINTER || is_type_of_parts(t));
}

bool place_counts(const struct image *im, uint64_t addr, const char *text,
		  const struct limits *limits)
{
	const struct image_type *t = g_regex_match_simple("\\+\\+|--|[-+*/]=", text, 0, 0)
					     ? type_assigned(im, addr, text, limits)
					     : NULL;

	return t && t->kind == IMAGE_TYPE_INT;
}

/* The object's own, or that of a base class, which has no name. */
static const struct image_member *member_at_offset(const struct image_type *t, int64_t at)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		const int64_t start = (int64_t)m->bit_offset / 8;

		if ((int64_t)m->bit_offset == 8 * at && !m->bit_size && m->name)
			return m;
		if (!m->name && m->type && at >= start && at < start + (int64_t)m->type->size)
			return member_at_offset(m->type, at - start);
	}
	return NULL;
}

/* Does the text have `->name'? */
static bool has_arrow_to(const char *text, const char *name)
{
	g_autofree char *arrow = g_strconcat("->", name, NULL);

	for (const char *at = text; (at = strstr(at, arrow)); at++)
		if (!source_is_word(at[strlen(arrow)]))
			return true;
	return false;
}

/* Does the text read the member through that pointer?  A member function has its own without it. */
static bool has_member_of(const char *text, const struct image_variable *pointer, const char *name)
{
	return has_arrow_to(text, name) ||
	       (g_strcmp0(pointer->name, "this") == 0 && operand_text_has(text, name));
}

/* "`price' for `count'", and where the text has a variable of that name, too, "`i->price' for
 * `i->count'". */
static char *words_of_members(const char *text, const char *pointer, const char *to,
			      const char *from)
{
	g_autofree char *whole = g_strdup_printf("%s->%s", pointer, from);

	if (!operand_text_has(text, from) || !operand_text_has(text, whole))
		return g_strdup_printf("`%s' for `%s'", to, from);
	return g_strdup_printf("`%s->%s' for `%s'", pointer, to, whole);
}

char *place_words_member(const struct image *im, const struct mutant *mutant, const char *text)
{
	const struct image_variable *const *variables;
	size_t n_variables = image_variables_at(im, mutant->addr, &variables);

	for (size_t i = 0; text && i < n_variables; i++) {
		const struct image_type *t = variables[i]->type;
		const struct image_member *from, *to;

		if (!t || t->kind != IMAGE_TYPE_POINTER || !t->target)
			continue;
		from = member_at_offset(t->target, mutant->from);
		to = member_at_offset(t->target, mutant->to);
		if (from && to && from->type->size == to->type->size &&
		    place_types_alike(from->type, to->type) &&
		    has_member_of(text, variables[i], from->name))
			return words_of_members(text, variables[i]->name, to->name, from->name);
	}
	return NULL;
}

/* Has the text `*name', which is no product? */
static bool goes_through(const char *text, const char *name)
{
	g_autofree char *star = g_strconcat("*", name, NULL);

	for (const char *at = text; (at = strstr(at, star)); at++) {
		const char *before = at;

		while (before > text && g_ascii_isspace(before[-1]))
			before--;
		if (!source_is_word(at[strlen(star)]) &&
		    (before == text || strchr("(=;,{!&|<>)", before[-1])))
			return true;
	}
	return false;
}

static const char *text_behind_blanks(const char *text)
{
	while (g_ascii_isspace(*text))
		text++;
	return text;
}

/* Has the text `name[index]'? */
static bool has_constant_index(const char *text, const char *name, int64_t index)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, index);
	const size_t length = strlen(name);

	for (const char *at = strchr(text, '[') ? strstr(text, name) : NULL; at;
	     at = strstr(at + 1, name)) {
		const char *behind = text_behind_blanks(at + length);

		if ((at > text && (source_is_word(at[-1]) || strchr(".>", at[-1]))) ||
		    *behind != '[')
			continue;
		behind = text_behind_blanks(behind + 1);
		if (g_str_has_prefix(behind, number) &&
		    *text_behind_blanks(behind + strlen(number)) == ']')
			return true;
	}
	return false;
}

char *place_words_element(const struct image *im, const struct mutant *mutant, const char *text)
{
	const struct image_variable *const *variables;
	size_t n_variables = image_variables_at(im, mutant->addr, &variables);

	for (size_t i = 0; text && i < n_variables; i++) {
		const struct image_type *t = variables[i]->type;
		const char *name = variables[i]->name;
		int64_t size = t && t->kind == IMAGE_TYPE_POINTER && t->target
				       ? (int64_t)t->target->size
				       : 0;

		if (!size || mutant->to % size || mutant->from % size)
			continue;
		if (!mutant->from && goes_through(text, name))
			return g_strdup_printf("`%s[%" G_GINT64_FORMAT "]' for `*%s'", name,
					       mutant->to / size, name);
		if (has_constant_index(text, name, mutant->from / size))
			return g_strdup_printf("`%s[%" G_GINT64_FORMAT
					       "]' for `%s[%" G_GINT64_FORMAT "]'",
					       name, mutant->to / size, name, mutant->from / size);
	}
	return NULL;
}

/* ---- another element ---- */

/* "n - 1" for one less than "n", "n" for one less than "n + 1".  Free it. */
static char *index_moved_by(const char *index, int64_t by)
{
	g_autoptr(GRegex) form = g_regex_new("^(.*\\S) ?([-+]) ?(\\d+)$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *base = NULL, *sign = NULL, *number = NULL;

	if (g_regex_match(form, index, 0, &match)) {
		base = g_match_info_fetch(match, 1);
		sign = g_match_info_fetch(match, 2);
		number = g_match_info_fetch(match, 3);
		by += (*sign == '-' ? -1 : 1) * g_ascii_strtoll(number, NULL, 10);
	}
	if (!by)
		return g_strdup(base ? base : index);
	return g_strdup_printf("%s %c %" G_GINT64_FORMAT, base ? base : index, by < 0 ? '-' : '+',
			       ABS(by));
}

/* The bytes of an element of the array, or of what the pointer points to; 0: it is neither. */
static int64_t element_size_of(const struct image *im, uint64_t addr, const char *name)
{
	const struct image_variable *const *variables;
	size_t n = image_variables_at(im, addr, &variables);

	for (size_t i = 0; i < n; i++) {
		const struct image_type *t = variables[i]->type;

		if (g_strcmp0(variables[i]->name, name) == 0 && t && t->target &&
		    (t->kind == IMAGE_TYPE_POINTER || t->kind == IMAGE_TYPE_ARRAY))
			return (int64_t)t->target->size;
	}
	return 0;
}

char *place_words_neighbour(const struct image *im, const struct mutant *mutant, const char *text)
{
	g_autoptr(GRegex) form =
		g_regex_new("(?<![\\w.>\\]])(\\w+)\\[([^][]+)\\](?!\\[)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *name = NULL, *index = NULL, *other = NULL;
	int64_t size;

	if (!text || !g_regex_match(form, text, 0, &match))
		return NULL;
	name = g_match_info_fetch(match, 1);
	index = g_match_info_fetch(match, 2);
	size = element_size_of(im, mutant->addr, name);
	/* which one of several it is, nobody knows */
	if (g_match_info_next(match, NULL) || !size || (mutant->to - mutant->from) % size)
		return NULL;
	other = index_moved_by(index, (mutant->to - mutant->from) / size);
	return g_strdup_printf("`%s[%s]' for `%s[%s]'", name, other, name, index);
}
