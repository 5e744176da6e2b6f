/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a specification and a program to the C code that checks calls, and to what runs. */
#include "gdbext/specs/spec/spec.h"

#include "gdbext/specs/spec/spec-compiled.h"
#include "gdbext/specs/spec/spec-operations.h"
#include "gdbext/specs/spec/spec-types.h"
#include "gdbext/specs/spec/specs.h"
#include "solver/image/variable/variable.h"

#include <string.h>

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

static const char *unknown_type(const struct spec *s)
{
	return s->compiled ? "that a compiled specification does not know; give the C file itself "
			     "with --spec"
			   : "without a name";
}

static char *type_declaration(const struct spec *s, const struct image_type *t)
{
	return s->compiled ? spec_opaque_type(t) : type_in_c(t);
}

static GArray *parameters_of_contract(const struct spec *s, const struct image *im,
				      const struct image_function *f, GError **error)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct parameter));
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, f->body, &v);

	g_array_set_clear_func(all, parameter_clear);
	for (size_t i = 0; i < n; i++) {
		struct parameter p = { v[i]->name, v[i]->type, NULL };

		if (!v[i]->parameter || v[i]->function != f || v[i]->inlined)
			continue;
		p.text = p.name ? type_declaration(s, p.type) : NULL;
		if (!p.text) {
			g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
				    "%s cannot be checked: its parameter %s has a type %s.",
				    f->name, p.name ? p.name : "?", unknown_type(s));
			g_array_unref(all);
			return NULL;
		}
		g_array_append_val(all, p);
	}
	return all;
}

/* "l, key", or with types "struct list * l, int key". */
static char *parameter_list_text(const GArray *parameters, bool types)
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

/* The compiler is told that a check stands in the line of its rule, so that causes name that line.
 */
#define OWN_LINE "#line own\n"

static void write_checks(const struct spec *s, unsigned function, bool at_exit, GString *code)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, function).function;

	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);
		g_autofree char *file = g_strescape(c->rule->file, NULL);

		if (c->function == function && c->at_exit == at_exit)
			g_string_append_printf(
				code,
				"#line %u \"%s\"\n"
				"\tWHY_CHECK(%u, \"%s\", \"%s\", %u, \"%s\", %s);\n" OWN_LINE,
				c->rule->line, file, i, c->rule->predicate, file, c->rule->line,
				f->name, c->call);
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
			  struct spec_types *types, GString *code)
{
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		if (spec_type_leads(p->type))
			g_string_append_printf(code, "\twhy_looks_at((const void *)%s, %u);\n",
					       p->name, spec_types_number(types, p->type->target));
		if (!mentions_before(s, function, p->name))
			continue;
		if (spec_type_leads(p->type))
			g_string_append_printf(code, "\t%s why_before_%s = why_copy(%s, %u);\n",
					       p->text, p->name, p->name,
					       spec_types_number(types, p->type->target));
		else
			g_string_append_printf(code, "\t%s why_before_%s = %s;\n", p->text, p->name,
					       p->name);
	}
}

/* The parameters as a structure, and what makes one out of it and gives them back. */
static unsigned write_block(unsigned number, const GArray *parameters, struct spec_types *types,
			    GString *code)
{
	g_autoptr(GArray) members = g_array_new(FALSE, TRUE, sizeof(struct image_member));

	g_string_append_printf(code, "\nstruct why_in_%u {\n", number);
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);
		struct image_member m = { .name = p->name, .type = p->type };

		g_string_append_printf(code, "\t%s %s __attribute__((aligned(%d)));\n", p->text,
				       p->name, WHY_BLOCK_ALIGN);
		g_array_append_val(members, m);
	}
	g_string_append(code, "};\n");
	return spec_types_block(types, (const struct image_member *)(void *)members->data,
				members->len);
}

static void write_state(unsigned number, unsigned block, const GArray *parameters, GString *code)
{
	if (!parameters->len)
		return;
	g_string_append_printf(code,
			       "\tstatic struct why_in_%u why_in;\n"
			       "\tconst struct why_place why_places[] = { ",
			       number);
	for (guint i = 0; i < parameters->len; i++) {
		const char *name = g_array_index(parameters, struct parameter, i).name;

		g_string_append_printf(code, "{ &%s, sizeof %s }, ", name, name);
	}
	g_string_append_printf(code, "};\n\tif (why_state(%u, &why_in, %u, why_places, %u)) {\n",
			       number, block, parameters->len);
	for (guint i = 0; i < parameters->len; i++) {
		const char *name = g_array_index(parameters, struct parameter, i).name;

		g_string_append_printf(code, "\t\t%s = why_in.%s;\n", name, name);
	}
	g_string_append(code, "\t}\n\tWHY_TELL_BLOCKS;\n");
}

/* All that is demanded at the call, of such a structure. */
static void write_pre(const struct spec *s, unsigned function, const GArray *parameters,
		      GString *code)
{
	g_string_append_printf(code,
			       "\nstatic int why_pre_%u(const void *why_at)\n{\n"
			       "\tconst struct why_in_%u *why_in = why_at;\n",
			       function, function);
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		g_string_append_printf(code, "\t%s %s = why_in->%s;\n", p->text, p->name, p->name);
	}
	g_string_append(code, "\treturn 1");
	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);

		if (c->function == function && !c->at_exit)
			g_string_append_printf(code, " &&\n\t       (%s)", c->call);
	}
	g_string_append(code, ";\n}\n");
}

static void write_call(const struct spec *s, unsigned number, unsigned block,
		       const GArray *parameters, const char *result, struct spec_types *types,
		       GString *code)
{
	g_autofree char *names = parameter_list_text(parameters, false),
			*declared = parameter_list_text(parameters, true);
	bool gives = strcmp(result, "void") != 0;

	g_string_append_printf(code,
			       "\ntypedef %s why_function_%u(%s);\n"
			       "__attribute__((force_align_arg_pointer))\n"
			       "static %s " SPEC_CALL "%u(%s)\n{\n"
			       "\twhy_function_%u *why_real = why_function(%u);\n"
			       "\tif (!why_begin(%u))\n\t\treturn why_real(%s);\n",
			       result, number, declared, result, number, declared, number, number,
			       number, names);
	write_state(number, block, parameters, code);
	write_befores(s, number, parameters, types, code);
	write_checks(s, number, false, code);
	if (gives)
		g_string_append_printf(code, "\t%s result = why_real(%s);\n", result, names);
	else
		g_string_append_printf(code, "\twhy_real(%s);\n", names);
	write_checks(s, number, true, code);
	g_string_append_printf(code, "\twhy_end(%u);\n\treturn%s;\n}\n", number,
			       gives ? " result" : "");
}

/* ---- a call in a test ---- */

/* What test gives, from what lies in a block of parameters. */
static void write_parameters(const struct spec *s, unsigned number, const GArray *parameters,
			     GString *code)
{
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		g_string_append_printf(code, "\t%s %s = in->%s;\n", p->text, p->name, p->name);
		if (mentions_before(s, number, p->name))
			g_string_append_printf(code, "\t%s why_before_%s = was->%s;\n", p->text,
					       p->name, p->name);
	}
	g_string_append(code, "\n\t(void)in;\n\t(void)was;\n");
}

/* One assertion, in the words of the first that does not hold.  Where each had its own, nothing
 * could be learned of the later ones from a run that fails at the first. */
static void write_assertions(const struct spec *s, unsigned function, bool at_exit, GString *code)
{
	g_autoptr(GString) words = g_string_new(NULL), all = g_string_new(NULL);

	for (guint i = 0; i < s->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s, i);
		g_autofree char *said = g_strescape(c->call, NULL);

		if (c->function != function || c->at_exit != at_exit)
			continue;
		g_string_append_printf(code, "\tint holds_%u = (%s) != 0;\n", i, c->call);
		g_string_append_printf(all, "%sholds_%u", all->len ? " & " : "", i);
		g_string_append_printf(words, "!holds_%u ? \"%s\" : ", i, said);
	}
	if (all->len)
		g_string_append_printf(code,
				       "\tconst char *%s = %sNULL;\n"
				       "\t_assert_true(%s, %s, __FILE__, __LINE__);\n",
				       at_exit ? "broken" : "lacking", words->str, all->str,
				       at_exit ? "broken" : "lacking");
}

char *spec_test_code(const struct spec *s, const struct image *im, unsigned number, GError **error)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, number).function;
	g_autoptr(GArray) parameters = parameters_of_contract(s, im, f, error);
	g_autofree char *result = type_declaration(s, image_return_type(im, f));
	g_autofree char *names = NULL, *declared = NULL;
	GString *code = g_string_new(NULL);

	if (!parameters || !result) {
		g_string_free(code, TRUE);
		return NULL;
	}
	names = parameter_list_text(parameters, false);
	declared = parameter_list_text(parameters, true);
	g_string_append_printf(code, "extern %s " SPEC_TESTED "%s(%s);\n\nstruct why_call {\n",
			       result, f->name, declared);
	for (guint i = 0; i < parameters->len; i++) {
		const struct parameter *p = &g_array_index(parameters, struct parameter, i);

		g_string_append_printf(code, "\t%s %s __attribute__((aligned(%d)));\n", p->text,
				       p->name, WHY_BLOCK_ALIGN);
	}
	g_string_append(
		code,
		"} __attribute__((may_alias));\n\n/* was: the same once more, for before() */\n"
		"static void check(const struct why_call *in, const struct why_call "
		"*was)\n{\n");
	write_parameters(s, number, parameters, code);
	write_assertions(s, number, false, code);
	if (strcmp(result, "void") != 0)
		g_string_append_printf(code,
				       "\t%s result = " SPEC_TESTED "%s(%s);\n\t(void)result;\n",
				       result, f->name, names);
	else
		g_string_append_printf(code, "\t" SPEC_TESTED "%s(%s);\n", f->name, names);
	write_assertions(s, number, true, code);
	g_string_append(code, "}\n");
	return g_string_free(code, FALSE);
}

/* ---- a function ---- */

static bool write_function(struct spec *s, const struct image *im, unsigned number, GString *code,
			   GError **error)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, number).function;
	const struct image_type *type = image_return_type(im, f);
	g_autoptr(GArray) parameters = parameters_of_contract(s, im, f, error);
	g_autofree char *result = type_declaration(s, type);
	unsigned block;

	if (!parameters)
		return false;
	if (!result) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "%s cannot be checked: it returns a type %s.", f->name,
			    unknown_type(s));
		return false;
	}
	block = write_block(number, parameters, s->types, code);
	g_array_append_val(s->blocks, block);
	write_pre(s, number, parameters, code);
	g_string_append(code, "#ifndef WHY_SHAPES");
	write_call(s, number, block, parameters, result, s->types, code);
	g_string_append(code, "#endif\n");
	return true;
}

/* ---- the whole ---- */

static void write_contract(const struct spec *s, const char *program, const char *state,
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
			       "};\nconst struct why_contract why_contract = { \"%s\", \"%s\", "
			       "why_functions, why_constraints, why_types, %u, %u, %u, why_all, "
			       "why_builders };\n",
			       program, state, s->functions->len, s->constraints->len,
			       spec_types_n(s->types));
}

/* What is demanded at each function. */
static void write_shapes(const struct spec *s, GString *code)
{
	g_string_append(code, "static const struct why_shape why_all[] = {\n");
	for (guint i = 0; i < s->functions->len; i++)
		g_string_append_printf(code, "\t{ why_pre_%u, %u },\n", i,
				       g_array_index(s->blocks, unsigned, i));
	g_string_append(code, "};\n");
}

static void write_builders(const struct spec *s, const struct image *im, GString *code)
{
	g_autoptr(GString) builders = g_string_new(NULL);

	for (guint i = 0; i < s->functions->len; i++)
		spec_operations_write(s, im, i, code, builders);
	g_string_append_printf(code, "static const struct why_builder why_builders[] = {\n%s};\n",
			       builders->str);
}

static void write_search(const struct spec *s, GString *code)
{
	g_string_append_printf(
		code,
		"const struct why_shapes why_shapes = { why_all, why_types, %u, %u };\n"
		"int main(int argc, char **argv) { return why_search(&why_shapes, argc, argv); }\n",
		s->functions->len, spec_types_n(s->types));
}

/* From there on the lines are those of the file itself. */
static char *number_lines_of_code(const char *code, const char *path)
{
	g_auto(GStrv) lines = g_strsplit(code, "\n", -1);
	g_autofree char *file = g_strescape(path, NULL);

	for (unsigned i = 0; lines[i]; i++)
		if (!strncmp(lines[i], OWN_LINE, strlen(OWN_LINE) - 1)) {
			g_free(lines[i]);
			lines[i] = g_strdup_printf("#line %u \"%s\"", i + 2, file);
		}
	return g_strjoinv("\n", lines);
}

static bool declare_predicates(const struct spec *s, const char *contract, GString *code,
			       GError **error)
{
	g_string_append_printf(code, "#include \"%s/why-spec.h\"\n", contract);
	return spec_declare_compiled(s, code, error);
}

static char *code_of_spec(struct spec *s, const struct image *im, const struct spec_built *b,
			  const char *contract, GError **error)
{
	g_autofree char *path = g_strescape(s->path, NULL);
	g_autofree char *real = g_strescape(b->program, NULL);
	g_autofree char *state = g_strescape(b->state, NULL);
	GString *code = g_string_new(NULL), *functions = g_string_new(NULL);
	char *numbered;
	bool ok = true;

	g_string_append_printf(code, "#include \"%s/contract.h\"\n#define WHY_SPEC_WITHIN\n",
			       contract);
	if (s->compiled)
		ok = declare_predicates(s, contract, code, error);
	else
		g_string_append_printf(code, "#include \"%s\"\n", path);
	for (guint i = 0; ok && i < s->functions->len; i++)
		ok = write_function(s, im, i, functions, error);
	spec_types_write(s->types, code);
	g_string_append(code, functions->str);
	write_shapes(s, code);
	g_string_append(code, "\n#ifdef WHY_SHAPES\n");
	write_search(s, code);
	g_string_append(code, "#else\n");
	write_builders(s, im, code);
	write_contract(s, real, state, code);
	g_string_append(code, "#endif\n");
	g_string_free(functions, TRUE);
	numbered = ok ? number_lines_of_code(code->str, b->source) : NULL;
	g_string_free(code, TRUE);
	return numbered;
}

static bool compile_contract(const struct spec *s, const char *source, const char *library,
			     const char *contract, GError **error)
{
	g_autofree char *object = g_build_filename(contract, "gdb-why-contract.so", NULL);
	g_autofree char *beside = g_path_get_dirname(s->path), *said = NULL;
	g_autofree char *loaded_from = g_strconcat("-Wl,-rpath,", beside, NULL);
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
				loaded_from,
				s->compiled ? s->path : NULL,
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

bool spec_build_shapes(const struct spec *s, const struct spec_built *b, GError **error)
{
	g_autofree char *contract = spec_contract_folder(error), *said = NULL;
	g_autofree char *beside = g_path_get_dirname(s->path);
	g_autofree char *searcher =
		contract ? g_build_filename(contract, "gdb-why-shapes.o", NULL) : NULL;
	g_autofree char *object = g_strconcat(b->shapes, ".o", NULL);
	/* The compiler's calls before each access; shapes.c answers them, not a sanitizer. */
	const char *compiled[] = {
		"-std=gnu17",	"-g",	"-O1",	   "-w", "-fPIE", "-fsanitize=thread",
		"-DWHY_SHAPES", "-I",	contract,  "-I", beside,  "-c",
		"-o",		object, b->source, NULL
	};
	const char *linked[] = { "-pie", "-o", b->shapes, object, searcher, NULL };

	if (!contract || !spec_compile(s, compiled, &said, error))
		return false;
	g_clear_pointer(&said, g_free);
	return spec_compile(s, linked, &said, error);
}

/* The library depends on gdb-why-contract.so, but what that has of the heap (asked.h) counts only
 * where it is loaded before the C library.  A path with such a sign cannot stand in LD_PRELOAD. */
static char *preload_of(const char *library, const char *contract)
{
	return strpbrk(contract, ": ")
		       ? g_strdup(library)
		       : g_strdup_printf("%s:%s/gdb-why-contract.so", library, contract);
}

bool spec_build(struct spec *s, const struct image *im, const char *folder, struct spec_built *out,
		GError **error)
{
	g_autofree char *contract = spec_contract_folder(error), *code = NULL;
	g_autofree char *name = g_path_get_basename(image_path(im));
	struct spec_built b = { .program = g_build_filename(folder, name, NULL),
				.library = g_build_filename(folder, "spec-calls.so", NULL),
				.source = g_build_filename(folder, "spec-calls.c", NULL),
				.shapes = g_build_filename(folder, "spec-shapes", NULL),
				.state = g_build_filename(folder, "spec-state", NULL) };

	if (contract &&
	    weave(im, (struct weave_function *)(void *)s->functions->data, s->functions->len,
		  b.program, error) &&
	    check_calls(s, error) && (code = code_of_spec(s, im, &b, contract, error)) &&
	    g_file_set_contents(b.source, code, -1, error) &&
	    compile_contract(s, b.source, b.library, contract, error)) {
		b.preload = preload_of(b.library, contract);
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
	g_free(b->preload);
	g_free(b->source);
	g_free(b->shapes);
	g_free(b->state);
	*b = (struct spec_built){ 0 };
}
