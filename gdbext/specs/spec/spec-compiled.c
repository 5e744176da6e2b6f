/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/spec/spec-compiled.h"

#include "gdbext/contract/why-spec.h"
#include "gdbext/specs/spec/specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELF_MAGIC "\177ELF"

bool spec_is_compiled(const char *path)
{
	char start[sizeof ELF_MAGIC - 1] = { 0 };
	FILE *f = fopen(path, "re");
	bool is = f && fread(start, sizeof start, 1, f) == 1 &&
		  !memcmp(start, ELF_MAGIC, sizeof start);

	if (f)
		fclose(f);
	return is;
}

/* ---- rules ---- */

/* The text at *p, which ends before end; *p comes behind it.  NULL: it does not end there. */
static const char *next_text(const char **p, const char *end)
{
	const char *text = *p, *nul = memchr(text, 0, (size_t)(end - text));

	if (nul)
		*p = nul + 1;
	return nul ? text : NULL;
}

/* What why-spec.h puts behind its mark. */
static struct spec_rule *read_compiled_rule(const char **p, const char *end)
{
	enum { KIND, FUNCTION, PREDICATE, ARGUMENTS, LINE, FILE_NAME, SYMBOL, N_FIELDS };
	const char *field[N_FIELDS];
	struct spec_rule *r;

	for (int i = 0; i < N_FIELDS; i++)
		if (!(field[i] = next_text(p, end)))
			return NULL;
	r = g_new0(struct spec_rule, 1);
	r->kind = spec_kind_named(field[KIND]);
	r->function = g_strdup(field[FUNCTION]);
	r->predicate = g_strdup(field[PREDICATE]);
	r->arguments = g_strdup(field[ARGUMENTS]);
	r->line = (unsigned)atoi(field[LINE]);
	r->file = g_strdup(field[FILE_NAME]);
	r->symbol = g_strdup(field[SYMBOL]);
	return r;
}

static void read_rules(struct spec *s)
{
	size_t size = 0;
	const char *p = (const char *)image_section(s->compiled, WHY_RULES_SECTION, &size);
	const char *end = p + size, *text;

	while (p && (text = next_text(&p, end))) { /* the linker may have put zeros between them */
		struct spec_rule *r =
			strcmp(text, WHY_RULE_MARK) ? NULL : read_compiled_rule(&p, end);

		if (r)
			g_ptr_array_add(s->rules, r);
	}
}

bool spec_read_compiled(struct spec *s, GError **error)
{
	s->compiled = image_open(s->path, error);
	if (s->compiled)
		read_rules(s);
	return s->compiled;
}

/* ---- types ---- */

char *spec_opaque_type(const struct image_type *t)
{
	if (!t)
		return g_strdup("void");
	switch (t->kind) {
	case IMAGE_TYPE_POINTER:
		return g_strdup("void *");
	case IMAGE_TYPE_BOOL:
		return g_strdup("_Bool");
	case IMAGE_TYPE_CHAR:
	case IMAGE_TYPE_INT:
	case IMAGE_TYPE_ENUM:
		if (t->size > sizeof(uint64_t))
			return NULL;
		return g_strdup_printf("__%sINT%u_TYPE__", t->is_signed ? "" : "U",
				       (unsigned)t->size * 8);
	case IMAGE_TYPE_FLOAT:
		return g_strdup(t->size == sizeof(float)    ? "float"
				: t->size == sizeof(double) ? "double"
							    : "long double");
	case IMAGE_TYPE_VOID:
		return g_strdup("void");
	default:
		return NULL;
	}
}

/* ---- predicates ---- */

/* "void *, int" of a predicate.  NULL: one of them has no type that is known here. */
static char *parameter_types(const struct image *im, const struct image_function *f)
{
	GString *list = g_string_new(NULL);
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, f->body, &v);

	for (size_t i = 0; i < n; i++) {
		g_autofree char *type = NULL;

		if (!v[i]->parameter || v[i]->function != f || v[i]->inlined)
			continue;
		type = spec_opaque_type(v[i]->type);
		if (!type) {
			g_string_free(list, TRUE);
			return NULL;
		}
		g_string_append_printf(list, "%s%s", list->len ? ", " : "", type);
	}
	if (!list->len)
		g_string_append(list, "void");
	return g_string_free(list, FALSE);
}

static bool declare_predicate(const struct spec *s, const struct spec_rule *r, GString *code,
			      GError **error)
{
	const struct image_function *f = image_function_named(s->compiled, r->predicate);
	g_autofree char *result = NULL, *parameters = NULL;

	if (f) {
		result = spec_opaque_type(image_return_type(s->compiled, f));
		parameters = parameter_types(s->compiled, f);
	}
	if (!result || !parameters) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "The predicate %s of %s cannot be called: %s; give the C file itself "
			    "with --spec.",
			    r->predicate, s->path,
			    f ? "it takes or returns more than numbers and pointers"
			      : "there is no debug information of it");
		return false;
	}
	g_string_append_printf(code, "extern %s (*const %s)(%s);\n#undef %s\n#define %s (*%s)\n",
			       result, r->symbol, parameters, r->predicate, r->predicate,
			       r->symbol);
	return true;
}

bool spec_declare_compiled(const struct spec *s, GString *code, GError **error)
{
	bool ok = true;

	for (guint i = 0; ok && i < s->rules->len; i++)
		ok = declare_predicate(s, s->rules->pdata[i], code, error);
	return ok;
}
