/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/adapted-statement.h"

#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* NULL: the text has no value there. */
static const struct image_type *type_of_operand_at(const struct adapted_place *at, uint64_t addr,
						   const char *text)
{
	struct code_value *v = code_value_new(at->im, addr, text, at->limits);
	const struct image_type *type = v ? code_value_type(v) : NULL;

	code_value_free(v);
	return type;
}

/* ---- links ---- */

/* The object that a pointer points to; NULL: it is none with members. */
static const struct image_type *linked_object(const struct image_type *t)
{
	return t && t->kind == IMAGE_TYPE_POINTER && t->target &&
			       t->target->kind == IMAGE_TYPE_STRUCT
		       ? t->target
		       : NULL;
}

/* "a->last" of "a->last->next"; NULL: it is no member of what a pointer points to. */
static char *object_of_member(const char *place)
{
	const char *member = operand_text_last_word(place);

	return member - place > 2 && g_str_has_prefix(member - 2, "->")
		       ? g_strndup(place, (gsize)(member - 2 - place))
		       : NULL;
}

void adapted_back_links(const struct adapted_place *at, const char *text, adapted_found *found,
			void *arg)
{
	g_autofree char *place = code_statement_place(text);
	g_autofree char *object = place ? object_of_member(place) : NULL;
	const char *value = code_statement_value(text);
	const struct image_type *link =
		object && value ? type_of_operand_at(at, at->addr, place) : NULL;
	const struct image_type *from = link ? type_of_operand_at(at, at->addr, object) : NULL;
	const struct image_type *to =
		from && code_value_is_of_one_type(from, link) ? linked_object(link) : NULL;

	for (uint32_t i = 0; to && i < to->n_members; i++) {
		const struct image_member *m = &to->members[i];
		g_autofree char *back = NULL;

		if (!m->name || !code_value_is_of_one_type(m->type, link) ||
		    strcmp(m->name, operand_text_last_word(place)) == 0)
			continue;
		back = g_strdup_printf("%s->%s = %s", value, m->name, object);
		found(arg, back);
	}
}

void adapted_front_links(const struct adapted_place *at, const char *text, adapted_found *found,
			 void *arg)
{
	g_autofree char *place = code_statement_place(text);
	const char *value = code_statement_value(text);
	const struct image_type *link =
		place && value ? type_of_operand_at(at, at->addr, place) : NULL;
	const struct image_type *to = linked_object(link),
				*own = to ? type_of_operand_at(at, at->addr, value) : NULL;

	for (uint32_t i = 0; own && code_value_is_of_one_type(own, link) && i < to->n_members;
	     i++) {
		const struct image_member *m = &to->members[i];
		g_autofree char *front = NULL;

		if (!m->name || !code_value_is_of_one_type(m->type, link))
			continue;
		front = g_strdup_printf("%s->%s = %s", value, m->name, place);
		found(arg, front);
	}
}

/* ---- calls of another function ---- */

/* The name of a variable that begins there, and not that of a member or a function; NULL: there is
 * none. */
static char *variable_named_at(const char *text, const char *at)
{
	size_t n = 0;

	if (g_ascii_isdigit(*at) ||
	    (at > text && (source_is_word(at[-1]) || strchr(".>\"'", at[-1]))))
		return NULL;
	while (source_is_word(at[n]))
		n++;
	return n && at[n] != '(' ? g_strndup(at, n) : NULL;
}

/* Looks for a variable of the text that does not exist at the place, or has another type there.
 * *strange: its name, the caller's; NULL = there is none.  *type: its type in the text.  False:
 * there are several such variables. */
static bool find_strange(const struct adapted_place *at, const char *text, uint64_t from,
			 char **strange, const struct image_type **type)
{
	*strange = NULL;
	for (const char *c = text; *c; c++) {
		g_autofree char *name = variable_named_at(text, c);
		const struct image_type *own = name ? type_of_operand_at(at, from, name) : NULL;
		const struct image_type *here = own ? type_of_operand_at(at, at->addr, name) : NULL;

		if (!own || (here && code_value_is_of_one_type(own, here)) ||
		    g_strcmp0(*strange, name) == 0)
			continue;
		if (*strange)
			return false;
		*strange = g_steal_pointer(&name);
		*type = own;
	}
	return true;
}

void adapted_calls(const struct adapted_place *at, const char *text, uint64_t from,
		   const GPtrArray *variables, adapted_found *found, void *arg)
{
	const char *value = code_statement_value(text), *call = value ? value : text, *arguments;
	const struct image_type *type = NULL;
	g_autofree char *strange = NULL;

	if (!code_statement_callee(at->im, call, &arguments) ||
	    !find_strange(at, call, from, &strange, &type))
		return;
	if (!strange) {
		found(arg, call);
		return;
	}
	for (guint i = 0; i < variables->len; i++) {
		const char *variable = variables->pdata[i];
		const struct image_type *t = type_of_operand_at(at, at->addr, variable);
		g_autofree char *adapted = NULL;

		if (!t || !code_value_is_of_one_type(t, type))
			continue;
		adapted = operand_text_with(call, strange, variable, false);
		found(arg, adapted);
	}
}

char *adapted_first_value(struct sources *sources, const struct image_statement *st)
{
	const struct source *s = sources_get(sources, st->file);
	struct source_span whole, name, value;
	size_t at;

	if (!s || !source_place(s, st->line, st->column, &at))
		return NULL;
	whole = source_statement(s, at);
	name = source_assigned(s, at);
	at = source_skip(s, name.to);
	if (name.from >= name.to || name.from <= whole.from || at >= s->length ||
	    s->code[at] != '=')
		return NULL;
	value.from = source_skip(s, at + 1);
	if (value.from >= s->length || !g_ascii_isdigit(s->code[value.from]))
		return NULL;
	value.to = value.from + strcspn(s->code + value.from, ",;");
	return source_text(s, (struct source_span){ name.from, MIN(value.to, whole.to) });
}

static void find_clear(const char *name, const struct image_type *t, const struct source *s,
		       adapted_found *found, void *arg)
{
	g_autofree char *text = name ? g_strconcat(name, CODE_STATEMENT_CLEAR, NULL) : NULL;

	if (text && t && t->kind == IMAGE_TYPE_STRUCT && !strstr(s->code, text))
		found(arg, text);
}

void adapted_clears(const struct adapted_place *at, const struct image_function *f,
		    const struct source *s, adapted_found *found, void *arg)
{
	const struct image_variable *const *all;
	const size_t n = image_variables_at(at->im, at->addr, &all);
	/* what compiles a statement looks at variables, too */
	g_autofree const struct image_variable **v = g_memdup2(all, n * sizeof(*v));
	const struct image_type *t = image_function_has_object(at->im, f)
					     ? image_parameter_type(at->im, f, 0)->target
					     : NULL;

	for (size_t i = 0; i < n; i++)
		find_clear(v[i]->name, v[i]->type, s, found, arg);
	for (uint32_t i = 0; t && i < t->n_members; i++)
		find_clear(t->members[i].name, t->members[i].type, s, found, arg);
}
