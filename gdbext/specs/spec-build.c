/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a specification and a program to the C code that checks calls, and to what runs. */
#include "gdbext/specs/spec.h"

#include "gdbext/specs/specs.h"

#include <string.h>

enum { MOST_POINTERS = 4096 };

/* The types that copies have to know, as they are numbered. */
struct types {
	GHashTable *numbers; /* const struct image_type * → 1 + number */
	GPtrArray *list;
};

static unsigned type_number(struct types *t, const struct image_type *type)
{
	gpointer known = g_hash_table_lookup(t->numbers, type);

	if (known)
		return GPOINTER_TO_UINT(known) - 1;
	g_ptr_array_add(t->list, (gpointer)type);
	g_hash_table_insert(t->numbers, (gpointer)type, GUINT_TO_POINTER(t->list->len));
	return t->list->len - 1;
}

/* Can what a pointer of this type leads to be copied? */
static bool leads_somewhere(const struct image_type *pointer)
{
	const struct image_type *t = pointer->target;

	return pointer->kind == IMAGE_TYPE_POINTER && t && t->size &&
	       t->kind != IMAGE_TYPE_FUNCTION && t->kind != IMAGE_TYPE_VOID;
}

/* Appends the pointers in a type as C text; n counts them. */
static void pointers_of(struct types *all, const struct image_type *t, uint64_t at, GString *text,
			unsigned *n)
{
	if (*n >= MOST_POINTERS)
		return;
	if (leads_somewhere(t)) {
		g_string_append_printf(text, "{ %" G_GUINT64_FORMAT ", %u, 0 }, ", at,
				       type_number(all, t->target));
		++*n;
	}
	for (uint32_t i = 0; t->kind == IMAGE_TYPE_STRUCT && i < t->n_members; i++)
		if (!t->members[i].bit_size && t->members[i].type)
			pointers_of(all, t->members[i].type, at + t->members[i].bit_offset / 8,
				    text, n);
	for (uint64_t i = 0;
	     t->kind == IMAGE_TYPE_ARRAY && t->target && i < t->count && *n < MOST_POINTERS; i++)
		pointers_of(all, t->target, at + i * t->target->size, text, n);
}

static void write_types(struct types *all, GString *code)
{
	GString *table = g_string_new("static const struct why_type why_types[] = {\n");

	for (guint i = 0; i < all->list->len; i++) { /* it grows */
		const struct image_type *t = all->list->pdata[i];
		GString *text = g_string_new(NULL);
		unsigned n = 0;

		pointers_of(all, t, 0, text, &n);
		g_string_append_printf(code,
				       "static const struct why_pointer why_pointers_%u[] = { %s{ "
				       "0, 0, 0 } };\n",
				       i, text->str);
		g_string_append_printf(table,
				       "\t{ %" G_GUINT64_FORMAT ", %u, %d, why_pointers_%u },\n",
				       t->size, n, t->kind == IMAGE_TYPE_CHAR, i);
		g_string_free(text, TRUE);
	}
	g_string_append_printf(code, "%s\t{ 0, 0, 0, 0 } };\n", table->str);
	g_string_free(table, TRUE);
}

/* ---- functions ---- */

/* A type in C.  What has no name is passed on as it is: a pointer as `void *'. */
static char *type_in_c(const struct image_type *t)
{
	g_autofree char *target = NULL;

	if (!t)
		return g_strdup("void");
	switch (t->kind) {
	case IMAGE_TYPE_POINTER:
		if (!t->target || t->target->kind == IMAGE_TYPE_FUNCTION ||
		    t->target->kind == IMAGE_TYPE_ARRAY || t->target->kind == IMAGE_TYPE_ENUM)
			return g_strdup("void *");
		target = type_in_c(t->target);
		return target ? g_strdup_printf("%s *", target) : g_strdup("void *");
	case IMAGE_TYPE_ENUM:
		return g_strdup(t->is_signed ? "int" : "unsigned");
	case IMAGE_TYPE_ARRAY:
	case IMAGE_TYPE_FUNCTION:
		return NULL;
	default:
		return t->name ? image_type_text(t) : NULL;
	}
}

struct parameter {
	const char *name;
	const struct image_type *type;
	char *text;
};

static void parameter_clear(gpointer data)
{
	g_free(((struct parameter *)data)->text);
}

static GArray *parameters_of(const struct image *im, const struct image_function *f, GError **error)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct parameter));
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, f->body, &v);

	g_array_set_clear_func(all, parameter_clear);
	for (size_t i = 0; i < n; i++) {
		struct parameter p = { v[i]->name, v[i]->type, NULL };

		if (!v[i]->parameter || v[i]->function != f || v[i]->inlined)
			continue;
		p.text = p.name ? type_in_c(p.type) : NULL;
		if (!p.text) {
			g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
				    "%s cannot be checked: its parameter %s has a type without a "
				    "name.",
				    f->name, p.name ? p.name : "?");
			g_array_unref(all);
			return NULL;
		}
		g_array_append_val(all, p);
	}
	return all;
}

/* "l, key", or with types "struct list * l, int key". */
static char *list_of(const GArray *parameters, bool types)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		g_string_append_printf(s, "%s%s%s%s", i ? ", " : "", types ? p->text : "",
				       types ? " " : "", p->name);
	}
	if (!parameters->len && types)
		g_string_append(s, "void");
	return g_string_free(s, FALSE);
}

static void write_checks(const struct spec *s, unsigned function, bool at_exit, GString *code)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, function).function;

	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);
		g_autofree char *file = g_strescape(c->rule->file, NULL);

		if (c->function == function && c->at_exit == at_exit)
			g_string_append_printf(
				code, "\tWHY_CHECK(%u, \"%s\", \"%s\", %u, \"%s\", %s);\n", i,
				c->rule->predicate, file, c->rule->line, f->name, c->call);
	}
}

static bool mentions_before(const struct spec *s, unsigned function, const char *parameter)
{
	g_autofree char *pattern = g_strdup_printf("\\bbefore\\s*\\(\\s*%s\\s*\\)", parameter);

	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);

		if (c->function == function && g_regex_match_simple(pattern, c->call, 0, 0))
			return true;
	}
	return false;
}

static void write_befores(const struct spec *s, unsigned function, const GArray *parameters,
			  struct types *types, GString *code)
{
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		if (leads_somewhere(p->type))
			g_string_append_printf(code, "\twhy_looks_at((const void *)%s, %u);\n",
					       p->name, type_number(types, p->type->target));
		if (!mentions_before(s, function, p->name))
			continue;
		if (leads_somewhere(p->type))
			g_string_append_printf(code, "\t%s why_before_%s = why_copy(%s, %u);\n",
					       p->text, p->name, p->name,
					       type_number(types, p->type->target));
		else
			g_string_append_printf(code, "\t%s why_before_%s = %s;\n", p->text, p->name,
					       p->name);
	}
}

static bool write_function(const struct spec *s, const struct image *im, unsigned number,
			   struct types *types, GString *code, GError **error)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, number).function;
	const struct image_type *type = image_return_type(im, f);
	g_autoptr(GArray) parameters = parameters_of(im, f, error);
	g_autofree char *result = type_in_c(type), *names = NULL, *declared = NULL;
	bool gives = type && type->kind != IMAGE_TYPE_VOID;

	if (!parameters)
		return false;
	if (!result) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "%s cannot be checked: it returns a type without a name.", f->name);
		return false;
	}
	names = list_of(parameters, false);
	declared = list_of(parameters, true);
	g_string_append_printf(code,
			       "\ntypedef %s why_function_%u(%s);\n"
			       "static %s why_call_%u(%s)\n{\n"
			       "\twhy_function_%u *why_real = why_function(%u);\n"
			       "\tif (!why_begin(%u))\n\t\treturn why_real(%s);\n",
			       result, number, declared, result, number, declared, number, number,
			       number, names);
	write_befores(s, number, parameters, types, code);
	write_checks(s, number, false, code);
	if (gives)
		g_string_append_printf(code, "\t%s result = why_real(%s);\n", result, names);
	else
		g_string_append_printf(code, "\twhy_real(%s);\n", names);
	write_checks(s, number, true, code);
	g_string_append_printf(code, "\twhy_end(%u);\n\treturn%s;\n}\n", number,
			       gives ? " result" : "");
	return true;
}

/* ---- the whole ---- */

static void write_contract(const struct spec *s, const char *program, unsigned n_types,
			   GString *code)
{
	g_string_append(code, "\nstatic const struct why_function why_functions[] = {\n");
	for (guint i = 0; i < s->functions->len; i++) {
		const struct weave_function *f =
			&g_array_index(s->functions, struct weave_function, i);

		g_string_append_printf(code,
				       "\t{ \"%s\", why_call_%u, 0x%" G_GINT64_MODIFIER
				       "x, 0x%" G_GINT64_MODIFIER "x },\n",
				       f->function->name, i, f->function->entry, f->slot);
	}
	g_string_append(code, "};\nstatic const struct why_constraint why_constraints[] = {\n");
	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);

		g_string_append_printf(code, "\t{ \"%s\", \"\", %u, %u },\n", c->rule->predicate,
				       c->rule->line, c->function);
	}
	g_string_append_printf(code,
			       "};\nconst struct why_contract why_contract = { \"%s\", "
			       "why_functions, why_constraints, why_types, %u, %u, %u };\n",
			       program, s->functions->len, s->constraints->len, n_types);
}

static char *code_of(const struct spec *s, const struct image *im, const char *program,
		     const char *contract, GError **error)
{
	struct types types = { g_hash_table_new(NULL, NULL), g_ptr_array_new() };
	g_autofree char *path = g_strescape(s->path, NULL);
	g_autofree char *real = g_strescape(program, NULL);
	GString *code = g_string_new(NULL), *functions = g_string_new(NULL);
	bool ok = true;

	g_string_append_printf(code, "#include \"%s/contract.h\"\n#include \"%s\"\n", contract,
			       path);
	for (guint i = 0; ok && i < s->functions->len; i++)
		ok = write_function(s, im, i, &types, functions, error);
	write_types(&types, code);
	g_string_append(code, functions->str);
	write_contract(s, real, types.list->len, code);
	g_hash_table_destroy(types.numbers);
	g_ptr_array_free(types.list, TRUE);
	g_string_free(functions, TRUE);
	return g_string_free(code, !ok);
}

static bool compile(const struct spec *s, const char *source, const char *library,
		    const char *contract, GError **error)
{
	g_autofree char *object = g_build_filename(contract, "gdb-why-contract.so", NULL);
	g_autofree char *beside = g_path_get_dirname(s->path), *said = NULL;
	const char *words[] = { "-std=gnu17",
				"-g",
				"-O0",
				"-fPIC",
				"-shared",
				"-fvisibility=hidden",
				"-Wl,-z,defs",
				"-w",
				"-Werror=implicit-function-declaration",
				"-Werror=incompatible-pointer-types",
				"-fcf-protection=none",
				"-fno-stack-protector",
				"-I",
				contract,
				"-I",
				beside,
				"-o",
				library,
				source,
				object,
				NULL };

	return spec_compile(s, words, &said, error);
}

static bool check_calls(const struct spec *s, GError **error)
{
	for (guint i = 0; i < s->functions->len; i++) {
		const struct weave_function *f =
			&g_array_index(s->functions, struct weave_function, i);

		if (f->n_calls)
			continue;
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			"Nothing in the program calls %s, or the compiler has put its code into "
			"its callers; compile the program with -O0 or -fno-inline.",
			f->function->name);
		return false;
	}
	return true;
}

bool spec_build(struct spec *s, const struct image *im, const char *folder, struct spec_built *out,
		GError **error)
{
	g_autofree char *contract = spec_contract_folder(error), *code = NULL;
	g_autofree char *name = g_path_get_basename(image_path(im));
	g_autofree char *source = g_build_filename(folder, "spec-calls.c", NULL);
	struct spec_built b = { g_build_filename(folder, name, NULL),
				g_build_filename(folder, "spec-calls.so", NULL) };

	if (contract &&
	    weave(im, (struct weave_function *)(void *)s->functions->data, s->functions->len,
		  b.program, error) &&
	    check_calls(s, error) && (code = code_of(s, im, b.program, contract, error)) &&
	    g_file_set_contents(source, code, -1, error) &&
	    compile(s, source, b.library, contract, error)) {
		*out = b;
		return true;
	}
	spec_built_clear(&b);
	return false;
}

void spec_built_clear(struct spec_built *b)
{
	g_free(b->program);
	g_free(b->library);
	*b = (struct spec_built){ 0 };
}
