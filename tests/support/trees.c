/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/trees.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>

int trees_make(void **state)
{
	struct trees *t = g_new0(struct trees, 1);
	static const char *const folders[] = { "old", "new", "old/lib", "new/lib" };

	t->room = test_folder_new();
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder = g_build_filename(t->room, folders[i], NULL);

		g_mkdir(folder, 0755);
	}
	*state = t;
	return 0;
}

int trees_remove(void **state)
{
	struct trees *t = *state;

	test_folder_free(t->room);
	g_free(t);
	return 0;
}

void trees_put(const struct trees *t, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(t->room, path, NULL);

	assert_true(g_file_set_contents(full, text, -1, NULL));
}

void trees_put_both(const struct trees *t, const char *path, const char *old, const char *newer)
{
	g_autofree char *a = g_build_filename("old", path, NULL);
	g_autofree char *b = g_build_filename("new", path, NULL);

	trees_put(t, a, old);
	trees_put(t, b, newer);
}

void trees_ask(const struct trees *t, const char *const *words, struct asked *out)
{
	const char *first[] = { "gdb-why", "regress", "--directory", t->room,	  "--old",
				"old",	   "--new",   "new",	     "--timeout", "300" };
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	char **argv;
	int argc;

	for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
		g_ptr_array_add(all, (char *)first[i]);
	for (; *words; words++)
		g_ptr_array_add(all, (char *)*words);
	argc = (int)all->len;
	g_ptr_array_add(all, NULL);
	argv = (char **)all->pdata;
	*out = (struct asked){ 0 };
	if (!options_parse(&argc, &argv, &out->o, &out->error))
		fail_msg("%s", out->error->message);
	out->r = regression_new(&out->o);
	out->a = regression_explain(out->r, &out->status, &out->error);
}

void trees_forget(struct asked *a)
{
	regression_free(a->r);
	options_clear(&a->o);
	g_clear_error(&a->error);
}

char *trees_root(const struct asked *a)
{
	GString *out = g_string_new(NULL);

	if (!a->a)
		fail_msg("%s", a->error ? a->error->message : "no answer and no error");
	for (guint i = 0; i < a->a->root->len; i++) {
		g_autofree char *text =
			regress_change_text(a->a->changes, g_array_index(a->a->root, unsigned, i));

		g_string_append(out, text);
	}
	return g_string_free(out, FALSE);
}

void trees_check_root(const struct trees *t, const char *const *words, const char *root)
{
	struct asked a;
	g_autofree char *got = NULL;

	trees_ask(t, words, &a);
	got = trees_root(&a);
	assert_string_equal(got, root);
	assert_int_equal(a.a->proof.without, REGRESS_PASSES);
	assert_int_equal(a.a->proof.with, REGRESS_FAILS);
	trees_forget(&a);
}

void trees_check_error(const struct trees *t, const char *const *words, int status,
		       const char *sentence)
{
	struct asked a;

	trees_ask(t, words, &a);
	assert_null(a.a);
	assert_int_equal(a.status, status);
	if (!a.error || !strstr(a.error->message, sentence))
		fail_msg("%s", a.error ? a.error->message : "no error");
	trees_forget(&a);
}
