/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/checks.h"
#include "solver/base/installed.h"
#include "solver/source/expression/c-expression.h"

#include <string.h>

static struct check_table *read_check_table(const struct options *o, GError **error)
{
	g_autofree char *path = o->fail_table ? g_strdup(o->fail_table)
					      : installed_file("share", "frameworks.conf");
	g_autofree char *text = NULL;
	GError *cause = NULL;

	if (g_file_get_contents(path, &text, NULL, &cause))
		return check_table_parse(text, path, error);
	if (o->fail_table)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The table of checks cannot be read: %s; name another file with "
			    "--fail-table.",
			    cause->message);
	else
		g_debug("no framework's checks are known: %s", cause->message);
	g_error_free(cause);
	return o->fail_table ? NULL : check_table_parse("", path, error); /* it is not installed */
}

/* The first place where the code makes this check of the user's own; NULL: it makes none. */
static const struct check_site *where_made(const struct checks *c, const char *call)
{
	size_t n, length = strcspn(call, " \t");
	const struct check_site *all = check_sites_all(c->sites, &n);

	for (size_t i = 0; i < n; i++)
		if (!all[i].rule->framework && strlen(all[i].rule->name) == length &&
		    strncmp(all[i].rule->name, call, length) == 0)
			return &all[i];
	return NULL;
}

/* Is the condition of the check C?  What text() and same() become is only known in a run. */
static bool has_good_condition(const struct check_site *site, GError **error)
{
	const char *holds = site->rule->holds;
	struct c_expression *x;
	GError *why = NULL;

	if (!holds || strstr(holds, "text(") || strstr(holds, "same("))
		return true;
	x = c_expression_parse(site->image, holds, &why);
	c_expression_free(x);
	if (why)
		options_wrong(error,
			      "`%s' is no condition in C (%s); give --fail-call one that "
			      "holds when the check does, such as '$rdi == $rsi'.",
			      holds, why->message);
	g_clear_error(&why);
	return x != NULL;
}

static bool check_own(const struct checks *c, const struct options *o, GError **error)
{
	for (char **call = o->fail_calls; call && *call; call++) {
		const struct check_site *site = where_made(c, *call);

		if (!site)
			return options_wrong(
				error,
				"No code of the program that has debug information calls %s; give "
				"--fail-call the name of a function that is called directly, and "
				"name the library where it is called with --trace-lib.",
				*call);
		if (!has_good_condition(site, error))
			return false;
	}
	return true;
}

bool checks_begin(struct checks *c, const struct options *o, struct image *const *images,
		  size_t n_images, GError **error)
{
	c->table = read_check_table(o, error);
	if (!c->table)
		return false;
	for (char **call = o->fail_calls; call && *call; call++)
		if (!check_table_add(c->table, *call, error))
			return false;
	c->sites = check_sites_new(c->table, images, n_images);
	c->reporting = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	check_sites_add_lines(c->sites, images, n_images, c->reporting);
	c->inserted = g_hash_table_new(NULL, NULL);
	check_sites_add_branches(c->sites, images, n_images, c->inserted);
	return check_own(c, o, error);
}

void checks_clear(struct checks *c)
{
	check_sites_free(c->sites);
	check_table_free(c->table);
	if (c->reporting)
		g_hash_table_destroy(c->reporting);
	if (c->inserted)
		g_hash_table_destroy(c->inserted);
	*c = (struct checks){ 0 };
}

/* Each %s becomes the test's name. */
static void add_filled(GPtrArray *out, char *const *words, const char *test)
{
	for (; words && *words; words++) {
		g_auto(GStrv) parts = g_strsplit(*words, "%s", -1);

		g_ptr_array_add(out, g_strjoinv(test, parts));
	}
}

/* A path with one of the loader's own separators cannot stand there. */
static void add_preloads(GPtrArray *out, char *const *names)
{
	for (; names && *names; names++) {
		g_autofree char *path = installed_file("lib", *names);

		if (g_file_test(path, G_FILE_TEST_EXISTS) && !strpbrk(path, ": "))
			g_ptr_array_add(out, g_strconcat("LD_PRELOAD=", path, NULL));
	}
}

char **checks_words(const struct checks *c, const struct options *o, char ***variables,
		    GError **error)
{
	GPtrArray *words = g_ptr_array_new(), *set = g_ptr_array_new();
	const struct check_framework *f;
	bool chosen = !o->one_test;

	add_filled(words, o->program, "%s");
	for (guint i = 0; (f = check_sites_framework(c->sites, i)); i++) {
		add_filled(words, f->arguments, "%s");
		add_filled(set, f->environment, "%s");
		add_preloads(set, f->preload);
		if (o->one_test && (f->filter || f->filter_variable)) {
			add_filled(words, f->filter, o->one_test);
			add_filled(set, f->filter_variable, o->one_test);
			chosen = true;
		}
	}
	g_ptr_array_add(words, NULL);
	g_ptr_array_add(set, NULL);
	*variables = (char **)g_ptr_array_free(set, FALSE);
	if (chosen)
		return (char **)g_ptr_array_free(words, FALSE);
	f = check_sites_framework(c->sites, 0);
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    f ? "Programs with %s cannot be told to run one test alone; leave --test out, "
			"and the first failing check is explained."
		      : "The program makes no check of a framework%s that is known; leave --test "
			"out, or add the framework to a table of --fail-table.",
		    f ? f->name : "");
	g_strfreev((char **)g_ptr_array_free(words, FALSE));
	g_clear_pointer(variables, g_strfreev);
	return NULL;
}
