/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/array-bound.h"

#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <glib.h>
#include <string.h>

enum { DEEPEST = 5 }; /* struct in struct, or pointer to pointer */

/* ---- the head of the loop ---- */

struct bound {
	char *index;
	int64_t most, least; /* of the index in the loop; INT64_MIN, INT64_MAX: not known */
};

/* False: the text is no loop that ends by such a comparison. */
static bool read_bound(const char *text, int64_t number, struct bound *out)
{
	static const char loop[] =
		"^\\s*(?:for\\s*\\([^;]*;|while\\s*\\()\\s*(\\w+)\\s*(<=|>=|<|>)[^;]*";
	g_autoptr(GRegex) head = NULL;
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *sign = NULL;

	if (!operand_text_begins(text, "for") && !operand_text_begins(text, "while"))
		return false;
	head = g_regex_new(loop, 0, 0, NULL);
	if (!g_regex_match(head, text, 0, &match))
		return false;
	out->index = g_match_info_fetch(match, 1);
	sign = g_match_info_fetch(match, 2);
	out->most = *sign == '>' ? INT64_MIN : number - (sign[1] ? 0 : 1);
	out->least = *sign == '<' ? INT64_MAX : number + (sign[1] ? 0 : 1);
	return true;
}

/* ---- the array ---- */

static const struct image_type *array_among_members(const struct image_type *t, const char *name,
						    int deep)
{
	const struct image_type *found = NULL;

	while (t && (t->kind == IMAGE_TYPE_POINTER || t->kind == IMAGE_TYPE_ARRAY) && deep-- > 0)
		t = t->target;
	if (!t || deep <= 0)
		return NULL;
	for (uint32_t i = 0; !found && i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];

		found = g_strcmp0(m->name, name) == 0
				? m->type
				: array_among_members(m->type, name, deep - 1);
	}
	return found;
}

/* The type of the variable of that name at addr, or of a member of a variable's; NULL: there is
 * none. */
static const struct image_type *type_of_name(const struct image *im, uint64_t addr,
					     const char *name)
{
	const struct image_variable *const *all;
	const struct image_type *found = NULL;
	size_t n = image_variables_at(im, addr, &all);

	for (size_t i = 0; i < n; i++)
		if (g_strcmp0(all[i]->name, name) == 0)
			return all[i]->type;
	for (size_t i = 0; !found && i < n; i++)
		found = array_among_members(all[i]->type, name, DEEPEST);
	return found;
}

static bool index_leaves_type(const struct image_type *t, const char *before, const struct bound *b)
{
	for (const char *at = before; t && (at = strchr(at, '[')); at++)
		t = t->target;
	return t && t->kind == IMAGE_TYPE_ARRAY && t->count &&
	       ((b->most != INT64_MIN && b->most >= (int64_t)t->count) ||
		(b->least != INT64_MAX && b->least < 0));
}

/* Is an array of the text indexed by the variable, which leaves it? */
static bool leaves_in_text(const struct image *im, uint64_t addr, const char *text,
			   const struct bound *b)
{
	g_autofree char *pattern = g_strdup_printf("(\\w+)((?:\\[[^][]*\\])*)\\[%s\\]", b->index);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	bool leaves = false;

	g_regex_match(regex, text, 0, &match);
	for (; !leaves && g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *name = g_match_info_fetch(match, 1);
		g_autofree char *before = g_match_info_fetch(match, 2);

		leaves = index_leaves_type(type_of_name(im, addr, name), before, b);
	}
	return leaves;
}

/* ---- the loop's lines ---- */

static size_t line_indentation(const char *text)
{
	return strspn(text, " \t");
}

static bool is_of_body(const char *text, size_t head)
{
	const size_t n = line_indentation(text);

	return n > head || !text[n] || text[n] == '{' || text[n] == '#';
}

bool array_bound_leaves(const struct image *im, const char *file, unsigned line, uint64_t addr,
			int64_t number)
{
	const char *head = image_source_line(im, file, line), *text = head;
	struct bound b = { 0 };
	bool leaves = false;

	if (!head || !read_bound(head, number, &b))
		return false;
	for (unsigned at = line; text && !leaves; text = image_source_line(im, file, ++at)) {
		if (at > line && !is_of_body(text, line_indentation(head)))
			break;
		leaves = leaves_in_text(im, addr, text, &b);
	}
	g_free(b.index);
	return leaves;
}
