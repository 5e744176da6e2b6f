/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/spec/spec-operations.h"

#include "gdbext/specs/spec/spec-compiled.h"

#include <string.h>

static bool leads_to_structure(const struct image_type *t)
{
	return t && spec_type_leads(t) &&
	       (t->target->kind == IMAGE_TYPE_STRUCT || t->target->kind == IMAGE_TYPE_POINTER);
}

/* Types of different files are the same when they are called the same. */
static bool is_same_pointer(const struct image_type *a, const struct image_type *b)
{
	for (; a && b && a->kind == IMAGE_TYPE_POINTER && b->kind == IMAGE_TYPE_POINTER;
	     a = a->target, b = b->target)
		if (a == b)
			return true;
	return a && b && a->kind == b->kind && a->name && b->name && !strcmp(a->name, b->name);
}

/* What GINT_TO_POINTER and its like make is a number, too. */
static bool is_pointer_to_anything(const struct image_type *t)
{
	return t && t->kind == IMAGE_TYPE_POINTER && !t->target;
}

static bool is_number_parameter(const struct image_type *t)
{
	return t && t->size <= sizeof(uint64_t) &&
	       (t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_CHAR ||
		t->kind == IMAGE_TYPE_BOOL || t->kind == IMAGE_TYPE_ENUM);
}

/* const struct image_variable *: its parameters. */
static GPtrArray *parameter_variables_of(const struct image *im, const struct image_function *f)
{
	GPtrArray *all = g_ptr_array_new();
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, f->body, &v);

	for (size_t i = 0; i < n; i++)
		if (v[i]->parameter && v[i]->function == f && !v[i]->inlined)
			g_ptr_array_add(all, (gpointer)v[i]);
	return all;
}

/* NULL: it has none. */
static const struct image_variable *structure_of(const GPtrArray *parameters)
{
	for (guint i = 0; i < parameters->len; i++) {
		const struct image_variable *v = parameters->pdata[i];

		if (v->name && leads_to_structure(v->type))
			return v;
	}
	return NULL;
}

struct operation {
	const struct image_function *function;
	unsigned at, numbers;
	bool takes_anything; /* a pointer to void counts as a number */
	char *types;	     /* of its parameters, in C */
	char *arguments;     /* likewise */
	char *result;
	bool gives_structure;
};

static void operation_clear(struct operation *o)
{
	g_free(o->types);
	g_free(o->arguments);
	g_free(o->result);
}

static bool read_parameters(struct operation *o, const GPtrArray *parameters,
			    const struct image_type *structure)
{
	g_autoptr(GString) types = g_string_new(NULL), arguments = g_string_new(NULL);
	bool has_structure = false;

	for (guint i = 0; i < parameters->len; i++) {
		const struct image_type *t = ((struct image_variable *)parameters->pdata[i])->type;
		g_autofree char *type = spec_opaque_type(t);
		bool is_structure = !has_structure && is_same_pointer(t, structure);

		bool number = is_number_parameter(t) || is_pointer_to_anything(t);

		if (!is_structure && (!number || o->numbers == WHY_OPERATION_NUMBERS))
			return false;
		o->takes_anything |= !is_structure && is_pointer_to_anything(t);
		g_string_append_printf(types, "%s%s", i ? ", " : "", type);
		if (is_structure)
			g_string_append_printf(arguments, "%swhy_s", i ? ", " : "");
		else
			g_string_append_printf(arguments, "%s(%s)why_n[%u]", i ? ", " : "", type,
					       o->numbers++);
		o->at = is_structure ? i : o->at;
		has_structure |= is_structure;
	}
	o->types = g_strdup(types->str);
	o->arguments = g_strdup(arguments->str);
	return has_structure;
}

/* False: it is none.  *o is cleared in any case. */
static bool read_operation(struct operation *o, const struct image *im,
			   const struct image_function *f, const struct image_type *structure)
{
	const struct image_type *result = image_return_type(im, f);
	g_autoptr(GPtrArray) parameters = parameter_variables_of(im, f);

	*o = (struct operation){ .function = f };
	if (!f->name || f->parent || f->noreturn || !strcmp(f->name, "main") ||
	    !(o->result = spec_opaque_type(result)))
		return false;
	o->gives_structure = is_same_pointer(result, structure);
	return read_parameters(o, parameters, structure);
}

static void write_operation(const struct operation *o, unsigned number, unsigned i, GString *code,
			    GString *table)
{
	g_string_append_printf(
		code,
		"static void *why_operation_%u_%u(void *why_f, void *why_s, const long *why_n)\n"
		"{\n\t%s((%s (*)(%s))why_f)(%s);\n%s}\n",
		number, i, o->gives_structure ? "return " : "", o->result, o->types, o->arguments,
		o->gives_structure ? "" : "\treturn why_s;\n");
	g_string_append_printf(table,
			       "\t{ \"%s\", 0x%" G_GINT64_MODIFIER
			       "x, %u, %u, %d, why_operation_%u_%u },\n",
			       o->function->name, o->function->entry, o->at, o->numbers,
			       o->takes_anything, number, i);
}

/* The other parameters of the checked function, where they lie in its block. */
static unsigned write_numbers(const GPtrArray *parameters, unsigned number, GString *code)
{
	unsigned n = 0;

	g_string_append_printf(code, "static const struct why_number why_numbers_%u[] = {\n",
			       number);
	for (guint i = 0; i < parameters->len; i++) {
		const struct image_variable *v = parameters->pdata[i];

		if (v->name && (is_number_parameter(v->type) || is_pointer_to_anything(v->type)) &&
		    n++ < WHY_OPERATION_NUMBERS)
			g_string_append_printf(
				code,
				"\t{ { __builtin_offsetof(struct why_in_%u, %s), %u }, %d },\n",
				number, v->name, (unsigned)v->type->size,
				is_pointer_to_anything(v->type));
	}
	g_string_append(code, "\t{ { 0, 0 }, 0 }\n};\n");
	return MIN(n, WHY_OPERATION_NUMBERS);
}

void spec_operations_write(const struct spec *s, const struct image *im, unsigned number,
			   GString *code, GString *builders)
{
	const struct image_function *all,
		*f = g_array_index(s->functions, struct weave_function, number).function;
	g_autoptr(GPtrArray) parameters = parameter_variables_of(im, f);
	const struct image_variable *structure = structure_of(parameters);
	g_autoptr(GString) table = g_string_new(NULL);
	size_t n = structure ? image_functions(im, &all) : 0;
	unsigned n_operations = 0, n_numbers;

	for (size_t i = 0; i < n; i++) {
		struct operation o;

		if (read_operation(&o, im, &all[i], structure->type))
			write_operation(&o, number, n_operations++, code, table);
		operation_clear(&o);
	}
	g_string_append_printf(code,
			       "static const struct why_operation why_operations_%u[] = {\n%s"
			       "\t{ 0, 0, 0, 0, 0, 0 }\n};\n",
			       number, table->str);
	n_numbers = write_numbers(parameters, number, code);
	if (structure)
		g_string_append_printf(
			builders,
			"\t{ \"%s\", why_operations_%u, %u, "
			"__builtin_offsetof(struct why_in_%u, %s), why_numbers_%u, %u },\n",
			structure->name, number, n_operations, number, structure->name, number,
			n_numbers);
	else
		g_string_append(builders, "\t{ 0, 0, 0, 0, 0, 0 },\n");
}
