/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/unset-variable.h"

#include "solver/change/code/code-value.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* What a variable begins with and keeps, in the text of the body; NULL: it has another first value,
 * is set to another one later, or nobody reads it.  Free it. */
static char *value_kept(const char *body, const char *name)
{
	g_autofree char *word = g_strdup_printf("(?<![\\w.>])%s\\b", name);
	g_autofree char *set = g_strdup_printf("%s\\s*=[^=]", word);
	g_autofree char *first =
		g_strdup_printf("%s\\s*=\\s*(NULL|nullptr|true|false|-?[01])\\s*[,;]", word);
	g_autoptr(GRegex) regex = g_regex_new(first, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *kept = NULL, *same = NULL;
	const unsigned times = operand_text_matches(body, set);

	if (operand_text_is_counted(body, name) || operand_text_matches(body, word) <= times ||
	    !g_regex_match(regex, body, 0, &match))
		return NULL;
	kept = g_match_info_fetch(match, 1);
	same = g_strdup_printf("%s\\s*=\\s*%s\\s*[,;]", word, kept);
	return operand_text_matches(body, same) == times ? g_steal_pointer(&kept) : NULL;
}

/* Whom to tell of a variable's assignments. */
struct unset {
	const struct adapted_place *at;
	const struct image_variable *variable;
	adapted_found *found;
	void *arg;
};

static void tell_assignment(const struct unset *u, const char *value)
{
	g_autofree char *text = g_strdup_printf("%s = %s", u->variable->name, value);

	u->found(u->arg, text);
}

static void tell_if_alike(const struct unset *u, const char *value)
{
	struct code_value *v =
		strcmp(value, u->variable->name) != 0
			? code_value_new(u->at->im, u->at->addr, value, u->at->limits)
			: NULL;

	if (v && code_value_is_of_one_type(code_value_type(v), u->variable->type))
		tell_assignment(u, value);
	code_value_free(v);
}

static bool is_number_or_truth(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_BOOL;
}

static void tell_assignments(const struct unset *u, const char *kept,
			     const struct image_variable *const *all, size_t n,
			     const GPtrArray *texts)
{
	const bool is_set = strstr(kept, "1") || strcmp(kept, "true") == 0;

	if (u->variable->type->kind == IMAGE_TYPE_BOOL)
		tell_assignment(u, is_set ? "false" : "true");
	else if (u->variable->type->kind == IMAGE_TYPE_INT)
		tell_assignment(u, is_set ? "0" : "1");
	for (size_t i = 0; i < n; i++)
		if (all[i]->name)
			tell_if_alike(u, all[i]->name);
	for (guint i = 0; i < texts->len; i++)
		tell_if_alike(u, texts->pdata[i]);
}

void unset_variables(const struct adapted_place *at, const struct image_function *f,
		     const struct source *s, const GPtrArray *texts, adapted_found *found,
		     void *arg)
{
	const struct image_variable *const *all;
	const size_t n = image_variables_at(at->im, at->addr, &all);
	/* what compiles a text looks at variables, too */
	g_autofree const struct image_variable **v = g_memdup2(all, n * sizeof(*v));
	g_autofree char *body = source_function_body(s, f->line);

	for (size_t i = 0; body && i < n; i++) {
		const struct unset u = { at, v[i], found, arg };
		const struct image_type *t = v[i]->parameter ? NULL : v[i]->type;
		g_autofree char *kept = NULL;

		if (!v[i]->name || !t || v[i]->function != f ||
		    (t->kind != IMAGE_TYPE_POINTER && !is_number_or_truth(t)))
			continue;
		kept = value_kept(body, v[i]->name);
		if (kept)
			tell_assignments(&u, kept, (const struct image_variable *const *)v, n,
					 texts);
	}
}
