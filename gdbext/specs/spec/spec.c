/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of a specification, and the functions they are about. */
#include "gdbext/specs/spec/spec.h"

#include "gdbext/specs/spec/spec-compiled.h"
#include "gdbext/specs/spec/specs.h"
#include "solver/base/installed.h"
#include "solver/image/variable/variable.h"

#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK(specs - error - quark, specs_error)

#define RULE_MARK "@why "

/* ---- the compiler ---- */

char *spec_contract_folder(GError **error)
{
	static const char contract[] = "gdb-why-contract.so";
	const char *named = g_getenv("GDB_WHY_CONTRACT");
	g_autofree char *there = named ? g_build_filename(named, contract, NULL) : NULL;
	g_autofree char *path = there && g_file_test(there, G_FILE_TEST_EXISTS)
					? g_canonicalize_filename(there, NULL)
					: installed_file("lib", contract);
	char *folder = g_path_get_dirname(path);

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return folder;
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM,
		    "There is no gdb-why-contract.so in %s; install gdb-why anew, or set "
		    "GDB_WHY_CONTRACT to the folder that has it.",
		    named ? named : folder);
	g_free(folder);
	return NULL;
}

/* The words of this variable, as a shell has them; NULL with a sentence. */
static char **words_of_environment(const char *variable, GError **error)
{
	const char *text = g_getenv(variable);
	GError *cause = NULL;
	char **words = NULL;

	if (!text || !g_shell_parse_argv(text, NULL, &words, &cause))
		words = !text || g_error_matches(cause, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)
				? g_new0(char *, 1)
				: NULL;
	if (!words)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "%s cannot be taken apart: %s; mend it, or unset it.", variable,
			    cause->message);
	g_clear_error(&cause);
	return words;
}

static void add_variable_words(GPtrArray *all, char *const *words)
{
	for (; *words; words++)
		g_ptr_array_add(all, *words);
}

bool spec_compile(const struct spec *s, const char *const *words, char **said, GError **error)
{
	const char *cc = g_getenv("CC");
	g_auto(GStrv) flags = words_of_environment("CPPFLAGS", error);
	g_auto(GStrv) libraries = flags ? words_of_environment("LDLIBS", error) : NULL;
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autofree char *err = NULL;
	GError *cause = NULL;
	int status = 0;
	bool ok;

	if (!libraries)
		return false;
	g_ptr_array_add(all, (char *)(cc && *cc ? cc : "cc"));
	add_variable_words(all, flags);
	add_variable_words(all, (char *const *)words);
	add_variable_words(all, libraries);
	g_ptr_array_add(all, NULL);
	ok = g_spawn_sync(NULL, (char **)all->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, said,
			  &err, &status, &cause);
	if (!ok)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "The compiler %s cannot be run: %s; install it, or set CC.",
			    (char *)all->pdata[0], cause->message);
	else if (!g_spawn_check_wait_status(status, NULL)) {
		ok = false;
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "The specification %s does not compile%s; mend what %s says (what it "
			    "needs can stand in CPPFLAGS, as -I, and LDLIBS, as -l):\n%s",
			    s->path,
			    s->compiled ? " into calls of what it has (an argument of a compiled "
					  "one cannot say what a pointer leads to)"
					: "",
			    (char *)all->pdata[0], g_strchomp(err));
	}
	g_clear_error(&cause);
	return ok;
}

/* ---- rules ---- */

static void spec_rule_free(gpointer data)
{
	struct spec_rule *r = data;

	g_free(r->function);
	g_free(r->predicate);
	g_free(r->arguments);
	g_free(r->file);
	g_free(r->symbol);
	g_free(r);
}

enum spec_kind spec_kind_named(const char *name)
{
	return !strcmp(name, "pre") ? SPEC_PRE : !strcmp(name, "post") ? SPEC_POST : SPEC_INVARIANT;
}

/* A line as why-spec.h makes it. */
static struct spec_rule *read_spec_rule(const char *line)
{
	g_auto(GStrv) words = NULL;
	struct spec_rule *r;
	int n;

	if (!g_shell_parse_argv(line, &n, &words, NULL) || n != 7)
		return NULL;
	r = g_new0(struct spec_rule, 1);
	r->kind = spec_kind_named(words[1]);
	r->function = g_strdup(words[2]);
	r->predicate = g_strdup(words[3]);
	r->arguments = g_strdup(words[4]);
	r->line = (unsigned)atoi(words[5]);
	r->file = g_strdup(words[6]);
	return r;
}

/* `WHY_INVARIANT(...);' is what many a programmer writes. */
static void cut_semicolons(char *line)
{
	size_t n = strlen(line);

	while (n && strchr("; \t", line[n - 1]))
		line[--n] = '\0';
}

static void read_spec_rules(struct spec *s)
{
	for (const char *p = s->preprocessed; (p = strstr(p, RULE_MARK)); p += strlen(RULE_MARK)) {
		const char *next = strstr(p + strlen(RULE_MARK), RULE_MARK), *end = strchr(p, '\n');
		g_autofree char *line = NULL;
		struct spec_rule *r;

		if (next && (!end || next < end)) /* several rules on a line */
			end = next;
		line = end ? g_strndup(p, (gsize)(end - p)) : g_strdup(p);
		cut_semicolons(line);
		r = read_spec_rule(line);
		if (r)
			g_ptr_array_add(s->rules, r);
	}
}

static void constraint_clear(gpointer data)
{
	g_free(((struct spec_constraint *)data)->call);
}

/* What the preprocessor makes of a C file. */
static bool read_spec_file(struct spec *s, GError **error)
{
	g_autofree char *folder = spec_contract_folder(error);
	const char *words[] = { "-E", "-P", "-DWHY_SPEC_SCAN", "-I", folder, s->path, NULL };

	if (!folder || !spec_compile(s, words, &s->preprocessed, error))
		return false;
	read_spec_rules(s);
	return true;
}

struct spec *spec_read(const char *path, GError **error)
{
	struct spec *s = g_new0(struct spec, 1);

	s->path = g_canonicalize_filename(path, NULL);
	s->rules = g_ptr_array_new_with_free_func(spec_rule_free);
	s->functions = g_array_new(FALSE, TRUE, sizeof(struct weave_function));
	s->constraints = g_array_new(FALSE, TRUE, sizeof(struct spec_constraint));
	s->types = spec_types_new();
	s->blocks = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_array_set_clear_func(s->constraints, constraint_clear);
	if (!g_file_test(s->path, G_FILE_TEST_IS_REGULAR))
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "There is no file %s; give a C file, or what is compiled of it, with "
			    "--spec.",
			    path);
	else if (spec_is_compiled(s->path) ? spec_read_compiled(s, error)
					   : read_spec_file(s, error)) {
		if (s->rules->len)
			return s;
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_SPEC,
			"%s demands nothing; name what must hold with WHY_INVARIANT, WHY_PRE or "
			"WHY_POST of why-spec.h.",
			path);
	}
	spec_free(s);
	return NULL;
}

void spec_free(struct spec *s)
{
	if (!s)
		return;
	g_free(s->path);
	g_free(s->preprocessed);
	g_ptr_array_unref(s->rules);
	g_array_unref(s->functions);
	g_array_unref(s->constraints);
	g_array_unref(s->blocks);
	spec_types_free(s->types);
	image_free(s->compiled);
	g_free(s);
}

const struct spec_constraint *spec_constraint(const struct spec *s, unsigned number)
{
	return number < s->constraints->len
		       ? &g_array_index(s->constraints, struct spec_constraint, number)
		       : NULL;
}

/* ---- which functions, which constraints ---- */

static bool add_spec_function(struct spec *s, const struct image *im, const char *name,
			      GError **error)
{
	struct weave_function f = { .function = image_function_named(im, name) };

	for (guint i = 0; i < s->functions->len; i++)
		if (g_array_index(s->functions, struct weave_function, i).function == f.function &&
		    f.function)
			return true;
	if (!f.function) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
			    "There is no function %s in %s; name one that has debug information.",
			    name, image_path(im));
		return false;
	}
	g_array_append_val(s->functions, f);
	return true;
}

/* "const struct list *" → "struct list", 1 */
static char *base_of(const char *type, unsigned *depth)
{
	g_auto(GStrv) words = NULL;
	GString *base = g_string_new(NULL), *spaced = g_string_new(NULL);

	*depth = 0;
	for (; *type; type++) {
		*depth += *type == '*';
		g_string_append_c(spaced, *type == '*' || *type == '\t' ? ' ' : *type);
	}
	words = g_strsplit(spaced->str, " ", -1);
	for (char **w = words; *w; w++)
		if (**w && strcmp(*w, "const") && strcmp(*w, "volatile"))
			g_string_append_printf(base, "%s%s", base->len ? " " : "", *w);
	g_string_free(spaced, TRUE);
	return g_string_free(base, FALSE);
}

/* A file may know only the name of a type that another file or a library defines, so a size of 0
 * fits any size. */
static bool is_same_declared_type(const struct image_type *a, const struct image_type *b)
{
	return a == b ||
	       (a && b && a->kind == b->kind && (a->size == b->size || !a->size || !b->size) &&
		a->name && b->name && !strcmp(a->name, b->name));
}

static bool has_type(const struct image *im, const struct image_type *t, const char *type)
{
	unsigned depth;
	g_autofree char *base = base_of(type, &depth);
	const struct image_type *wanted = image_type_named(im, base);

	for (; depth && t && t->kind == IMAGE_TYPE_POINTER; depth--)
		t = t->target;
	return !depth && wanted && is_same_declared_type(t, wanted);
}

static void add_constraint(struct spec *s, const struct spec_rule *r, unsigned function,
			   bool at_exit, const char *arguments)
{
	struct spec_constraint c = { r, function, at_exit,
				     g_strdup_printf("%s(%s)", r->predicate, arguments) };

	g_array_append_val(s->constraints, c);
}

static void add_invariants(struct spec *s, const struct image *im, unsigned function, bool at_exit)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, function).function;
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, f->body, &v);

	for (guint i = 0; i < s->rules->len; i++) {
		const struct spec_rule *r = s->rules->pdata[i];

		for (size_t k = 0; r->kind == SPEC_INVARIANT && k < n; k++)
			if (v[k]->parameter && v[k]->function == f && !v[k]->inlined &&
			    has_type(im, v[k]->type, r->arguments))
				add_constraint(s, r, function, at_exit, v[k]->name);
		if (r->kind == SPEC_INVARIANT && at_exit &&
		    has_type(im, image_return_type(im, f), r->arguments))
			add_constraint(s, r, function, true, "result");
	}
}

static void add_rules(struct spec *s, unsigned function, enum spec_kind kind)
{
	const struct image_function *f =
		g_array_index(s->functions, struct weave_function, function).function;

	for (guint i = 0; i < s->rules->len; i++) {
		const struct spec_rule *r = s->rules->pdata[i];

		if (r->kind == kind && !strcmp(r->function, f->name))
			add_constraint(s, r, function, kind == SPEC_POST, r->arguments);
	}
}

bool spec_bind(struct spec *s, const struct image *im, const char *at, GError **error)
{
	if (at && !add_spec_function(s, im, at, error))
		return false;
	for (guint i = 0; !at && i < s->rules->len; i++) {
		const struct spec_rule *r = s->rules->pdata[i];

		if (r->kind != SPEC_INVARIANT && !add_spec_function(s, im, r->function, error))
			return false;
	}
	for (guint i = 0; i < s->functions->len; i++) {
		add_invariants(s, im, i, false);
		add_rules(s, i, SPEC_PRE);
		add_rules(s, i, SPEC_POST);
		add_invariants(s, im, i, true);
	}
	if (s->constraints->len)
		return true;
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
		    "%s demands nothing of %s; name a function with --at whose parameters have the "
		    "types of its invariants.",
		    s->path, at ? at : "any function");
	return false;
}
