/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/save.h"

#include "gdbext/specs/spec/spec-compiled.h"
#include "gdbext/specs/spec/specs.h"
#include "gdbext/specs/state.h"
#include "solver/image/variable/variable.h"

#include <errno.h>
#include <string.h>

enum { POINTER = sizeof(uint64_t) };

struct saving {
	struct study *study;
	const struct spec *spec;
	const struct image *im;
	const struct image_function *function;
	unsigned number;   /* of the function in the specification */
	uint64_t bias;	   /* of the program in runs */
	GHashTable *names; /* const char *: variables of the program that states lie in */
	GHashTable *words; /* char *: states that were saved */
	GString *tests, *list, *suite;
	struct save_result *out;
};

/* ---- a state in C ---- */

/* The variable of the program that the object is, if tests can name it. */
static const char *saved_variable_of(const struct saving *v, const struct state_object *o)
{
	uint64_t link = o->address - v->bias;
	const struct image_variable *const *all;
	size_t n = image_variables_at(v->im, v->function->body, &all);
	uint8_t byte;
	bool writable;

	if (!o->address || !image_initial(v->im, link, 1, &byte, &writable) || !writable)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!all[i]->function && all[i]->name && all[i]->address == link && all[i]->type &&
		    all[i]->type->size == o->size)
			return all[i]->name;
	return NULL;
}

/* Does a pointer lead to what the state does not hold: a function, or a variable without a name?
 * Elsewhere that lies at another address. */
static bool has_stray(const struct spec_state *s, unsigned number, const struct image_type *t,
		      uint64_t at)
{
	const struct state_object *o = &g_array_index(s->objects, struct state_object, number);
	uint64_t value = 0;
	bool stray = false;

	if (!t || !t->size || at + t->size > o->size)
		return false;
	if (t->kind == IMAGE_TYPE_POINTER) {
		memcpy(&value, o->bytes + at, POINTER);
		return value && !spec_state_link(s, number, at);
	}
	for (uint32_t i = 0; t->kind == IMAGE_TYPE_STRUCT && !stray && i < t->n_members; i++)
		stray = has_stray(s, number, t->members[i].type, at + t->members[i].bit_offset / 8);
	for (uint64_t i = 0; t->kind == IMAGE_TYPE_ARRAY && !stray && t->target && i < t->count;
	     i++)
		stray = has_stray(s, number, t->target, at + i * t->target->size);
	return stray;
}

/* Can the state be made in another process? */
static bool state_can_be_made(const struct saving *v, const struct spec_state *s)
{
	for (guint i = 0; i < s->objects->len; i++) {
		const struct state_object *o = &g_array_index(s->objects, struct state_object, i);
		const struct image_type *t =
			o->there ? spec_types_get(v->spec->types, o->type) : NULL;

		if (!t || !t->size)
			return false;
		for (uint64_t at = 0; at + t->size <= o->size; at += t->size)
			if (has_stray(s, i, t, at))
				return false;
		for (uint64_t at = 0; at < o->size; at++) /* those are written as words */
			if (at % POINTER && spec_state_link(s, i, at))
				return false;
	}
	return true;
}

/* The object's place: made, or the program's variable. */
static void write_place(struct saving *v, unsigned number, const struct state_object *o)
{
	const char *name = saved_variable_of(v, o);
	guint64 words = (o->size + POINTER - 1) / POINTER;

	if (name) {
		g_hash_table_add(v->names, (gpointer)name);
		g_string_append_printf(v->tests,
				       "\tuint64_t *o%u = in_place ? (uint64_t *)why_variable_%s\n"
				       "\t\t\t\t : calloc(%" G_GUINT64_FORMAT ", 8);\n",
				       number, name, words);
	} else {
		g_string_append_printf(v->tests,
				       "\tuint64_t *o%u = calloc(%" G_GUINT64_FORMAT ", 8);\n",
				       number, words);
	}
}

static void write_words(struct saving *v, const struct spec_state *s, unsigned number)
{
	const struct state_object *o = &g_array_index(s->objects, struct state_object, number);
	bool is_zero = number == 0 || !saved_variable_of(v, o);

	for (uint64_t at = 0; at < o->size; at += POINTER) {
		const struct state_pointer *p = spec_state_link(s, number, at);
		uint64_t word = 0;

		memcpy(&word, o->bytes + at, MIN(o->size - at, POINTER));
		if (p && p->at)
			g_string_append_printf(v->tests,
					       "\to%u[%" G_GUINT64_FORMAT
					       "] = (uint64_t)o%u + %" G_GUINT64_FORMAT ";\n",
					       number, at / POINTER, p->to, p->at);
		else if (p)
			g_string_append_printf(v->tests,
					       "\to%u[%" G_GUINT64_FORMAT "] = (uint64_t)o%u;\n",
					       number, at / POINTER, p->to);
		else if (word || !is_zero)
			g_string_append_printf(v->tests,
					       "\to%u[%" G_GUINT64_FORMAT "] = %#" G_GINT64_MODIFIER
					       "x;\n",
					       number, at / POINTER, word);
	}
}

/* A function that makes it. */
static void write_saved_state(struct saving *v, const struct spec_state *s, unsigned test)
{
	g_string_append_printf(v->tests,
			       "static void state_%u(struct why_call *call, int in_place)\n{\n"
			       "\tuint64_t *o0 = (uint64_t *)call;\n",
			       test);
	for (guint k = 1; k < s->objects->len; k++)
		write_place(v, k, &g_array_index(s->objects, struct state_object, k));
	g_string_append(v->tests, "\n\t(void)in_place;\n");
	for (guint k = 0; k < s->objects->len; k++)
		write_words(v, s, k);
	g_string_append(v->tests, "}\n\n");
}

/* ---- a test ---- */

/* "violates size_ok", "crashes", "passes" */
static char *saved_outcome_of(const struct saving *v, const struct study_test *t)
{
	GString *text = g_string_new(t->violated & ~STUDY_CRASHED ? "violates" : "");

	for (unsigned i = 0; i < v->spec->constraints->len && i < SPEC_MOST_CONSTRAINTS; i++)
		if (t->violated >> i & 1)
			g_string_append_printf(text, "%s %s",
					       text->len > strlen("violates") ? "," : "",
					       spec_constraint(v->spec, i)->rule->predicate);
	if (t->violated & STUDY_CRASHED)
		g_string_append(text, text->len ? ", crashes" : "crashes");
	if (!t->violated)
		g_string_append(text, "passes");
	return g_string_free(text, FALSE);
}

/* Writes texts of the program so that they may stand in a comment. */
static char *make_comment_text(char *text)
{
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || (c[0] == '*' && c[1] == '/') || *c == '\\')
			*c = ' ';
	return text;
}

static void save_test(struct saving *v, const struct study_test *t)
{
	g_autoptr(GError) error = NULL;
	struct spec_state *s = study_state_at(v->study, t, &error);
	g_autofree char *words = s ? make_comment_text(spec_state_words(s, v->spec->types)) : NULL;
	g_autofree char *outcome = saved_outcome_of(v, t);
	unsigned n = v->out->n + 1;

	if (!s || t->is_unending || !state_can_be_made(v, s)) {
		g_debug("not saved: %s", error ? error->message : words);
		v->out->n_left_out++;
		spec_state_free(s);
		return;
	}
	if (!g_hash_table_add(v->words, g_strdup(words))) { /* as another test */
		spec_state_free(s);
		return;
	}
	v->out->n = n;
	g_string_append_printf(v->tests, "\n/* %s: %s, when it was made */\n", words, outcome);
	write_saved_state(v, s, n);
	g_string_append_printf(v->tests,
			       "static void test_%u(void **state)\n{\n"
			       "\tstruct why_call in = { 0 }, was = { 0 };\n\n\t(void)state;\n"
			       "\tstate_%u(&was, 0);\n\tstate_%u(&in, 1);\n"
			       "\tcheck(&in, &was);\n}\n",
			       n, n, n);
	g_string_append_printf(v->list, "\t\tcmocka_unit_test(test_%u),\n", n);
	g_string_append_printf(v->suite, "# %s: %s, when it was made\ntest_%u: test_%u\n", words,
			       outcome, n, n);
	spec_state_free(s);
}

/* ---- the files ---- */

static bool write_test_file(const char *directory, const char *name, const char *text,
			    GError **error)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	return g_file_set_contents(path, text, -1, error);
}

/* The predicates: the file that has them, or what a compiled one exports. */
static bool write_predicates(const struct spec *s, GString *code, GError **error)
{
	g_autofree char *path = g_strescape(s->path, NULL);

	g_string_append(code, "#define WHY_SPEC_WITHIN\n");
	if (!s->compiled) {
		g_string_append_printf(code, "#include \"%s\"\n\n", path);
		return true;
	}
	g_string_append(code, "#include \"why-spec.h\"\n");
	return spec_declare_compiled(s, code, error);
}

/* To gdb-why these files are not what is tested. */
static void write_given(const struct spec *s, GString *code)
{
	g_autofree char *path = g_strescape(s->path, NULL);

	g_string_append_printf(code,
			       "/* To gdb-why these files are not what is tested. */\n"
			       "static const char why_given_files[] __attribute__((used, "
			       "section(\"" IMAGE_GIVEN_SECTION
			       "\"))) =\n\t__FILE__ \"\\0%s\";\n\n",
			       path);
}

static bool write_tests(const struct saving *v, const char *directory, GError **error)
{
	g_autofree char *check = spec_test_code(v->spec, v->im, v->number, error);
	g_autoptr(GString) code = g_string_new(NULL);
	GHashTableIter i;
	gpointer name;

	if (!check)
		return false;
	g_string_append_printf(
		code,
		"/* Calls of %s, made by gdb-why specs.  Compile them so, with the program's\n"
		" * other files, and with what it is compiled with in CFLAGS; with a\n"
		" * test's name only that one is run:\n"
		" *\n *     %s\n */\n"
		"#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n"
		"#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"
		"#include <cmocka.h>\n\n",
		v->function->name, v->out->command);
	if (!write_predicates(v->spec, code, error))
		return false;
	write_given(v->spec, code);
	g_hash_table_iter_init(&i, v->names);
	while (g_hash_table_iter_next(&i, &name, NULL))
		g_string_append_printf(code, "extern char why_variable_%s[];\n", (char *)name);
	g_string_append_printf(code,
			       "%s%s\nint main(int argc, char **argv)\n{\n"
			       "\tstatic const struct CMUnitTest tests[] = {\n%s\t};\n\n"
			       "\tif (argc > 1)\n\t\tcmocka_set_test_filter(argv[1]);\n"
			       "\treturn cmocka_run_group_tests(tests, NULL, NULL);\n}\n",
			       check, v->tests->str, v->list->str);
	return write_test_file(directory, "spec-tests.c", code->str, error);
}

/* The names that tests have for what the file may keep to itself. */
static bool write_program(const struct saving *v, const char *directory, GError **error)
{
	g_autofree char *file = g_strescape(v->function->file, NULL);
	g_autoptr(GString) code = g_string_new(NULL);
	GHashTableIter i;
	gpointer name;

	g_string_append_printf(
		code,
		"/* The file with %s; its main is not that of the tests. */\n"
		"#define main why_program_main\n#include \"%s\"\n#undef main\n\n"
		"extern __typeof__(%s) " SPEC_TESTED "%s __attribute__((alias(\"%s\")));\n",
		v->function->name, file, v->function->name, v->function->name, v->function->name);
	g_hash_table_iter_init(&i, v->names);
	while (g_hash_table_iter_next(&i, &name, NULL))
		g_string_append_printf(code,
				       "extern __typeof__(%s) why_variable_%s "
				       "__attribute__((alias(\"%s\")));\n",
				       (char *)name, (char *)name, (char *)name);
	return write_test_file(directory, "program.c", code->str, error);
}

static bool copy_header(const char *directory, GError **error)
{
	g_autofree char *from = spec_contract_folder(error), *text = NULL, *path = NULL, *to = NULL;

	if (!from)
		return false;
	path = g_build_filename(from, "why-spec.h", NULL);
	to = g_build_filename(directory, "why-spec.h", NULL);
	return g_file_get_contents(path, &text, NULL, error) &&
	       g_file_set_contents(to, text, -1, error);
}

/* ---- the whole ---- */

static bool is_free_directory(const char *directory, GError **error)
{
	GDir *dir;
	bool empty;

	if (g_mkdir_with_parents(directory, 0777) < 0 || !(dir = g_dir_open(directory, 0, NULL))) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM,
			    "Tests cannot be saved in %s: %s.", directory, g_strerror(errno));
		return false;
	}
	empty = !g_dir_read_name(dir);
	g_dir_close(dir);
	if (!empty)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM,
			    "Tests are not saved in %s, because other files are there; name a "
			    "folder that is empty, or that is not there.",
			    directory);
	return empty;
}

static char *compile_command(const struct spec *s, const char *directory)
{
	g_autofree char *folder = g_shell_quote(directory), *libraries = g_strdup("");

	if (s->compiled) {
		g_autofree char *beside = g_path_get_dirname(s->path);
		g_autofree char *object = g_shell_quote(s->path);
		g_autofree char *found_in = g_shell_quote(beside);

		g_free(libraries);
		libraries = g_strdup_printf(" %s -Wl,-rpath,%s", object, found_in);
	}
	return g_strdup_printf("cc -g -O0 $CFLAGS -I %s -o %s/spec-tests %s/spec-tests.c "
			       "%s/program.c%s -lcmocka",
			       folder, folder, folder, folder, libraries);
}

static bool write_all_tests(struct saving *v, const char *directory, GError **error)
{
	const GPtrArray *tests = study_tests(v->study);

	for (guint i = 0; i < tests->len; i++)
		save_test(v, tests->pdata[i]);
	return write_tests(v, directory, error) && write_program(v, directory, error) &&
	       write_test_file(directory, "tests.txt", v->suite->str, error) &&
	       copy_header(directory, error);
}

bool save_tests(struct study *study, const struct spec *spec, const struct image *im,
		const char *directory, struct save_result *out, GError **error)
{
	struct saving v = { .study = study, .spec = spec, .im = im, .out = out };
	bool ok;

	*out = (struct save_result){ .command = compile_command(spec, directory),
				     .program = g_build_filename(directory, "spec-tests", NULL),
				     .suite = g_build_filename(directory, "tests.txt", NULL) };
	if (!is_free_directory(directory, error))
		return false;
	v.function = study_function(study, &v.number);
	if (!study_bias(study, &v.bias))
		v.bias = 0;
	v.names = g_hash_table_new(g_str_hash, g_str_equal);
	v.words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	v.tests = g_string_new(NULL);
	v.list = g_string_new(NULL);
	v.suite = g_string_new(NULL);
	ok = write_all_tests(&v, directory, error);
	g_hash_table_destroy(v.names);
	g_hash_table_destroy(v.words);
	g_string_free(v.tests, TRUE);
	g_string_free(v.list, TRUE);
	g_string_free(v.suite, TRUE);
	return ok;
}

void save_result_clear(struct save_result *r)
{
	g_free(r->command);
	g_free(r->program);
	g_free(r->suite);
}
