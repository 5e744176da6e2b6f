/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From two trees to the answer, with builds and tests that are lines of shell: no compiler, no GDB.
 */
#include "gdbext/regress/flow.h"
#include "gdbext/replay/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct trees {
	char *room;
};

static int make_room(void **state)
{
	struct trees *t = g_new0(struct trees, 1);
	static const char *const folders[] = { "old", "new", "old/lib", "new/lib" };

	t->room = g_dir_make_tmp("gdb-why-flow-XXXXXX", NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder = g_build_filename(t->room, folders[i], NULL);

		g_mkdir(folder, 0755);
	}
	*state = t;
	return 0;
}

static int remove_room(void **state)
{
	struct trees *t = *state;

	folder_remove(t->room);
	g_free(t->room);
	g_free(t);
	return 0;
}

static void put(const struct trees *t, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(t->room, path, NULL);

	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void put_both(const struct trees *t, const char *path, const char *old, const char *newer)
{
	g_autofree char *a = g_build_filename("old", path, NULL);
	g_autofree char *b = g_build_filename("new", path, NULL);

	put(t, a, old);
	put(t, b, newer);
}

struct asked {
	struct options o;
	struct regression *r;
	const struct regress_answer *a;
	int status;
	GError *error;
};

/* words: NULL-terminated, behind --directory, --old and --new. */
static void ask(const struct trees *t, const char *const *words, struct asked *out)
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

static void forget(struct asked *a)
{
	regression_free(a->r);
	options_clear(&a->o);
	g_clear_error(&a->error);
}

static char *root_of(const struct asked *a)
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

static void check_root(const struct trees *t, const char *const *words, const char *root)
{
	struct asked a;
	g_autofree char *got = NULL;

	ask(t, words, &a);
	got = root_of(&a);
	assert_string_equal(got, root);
	assert_int_equal(a.a->proof.without, REGRESS_PASSES);
	assert_int_equal(a.a->proof.with, REGRESS_FAILS);
	forget(&a);
}

static void check_error(const struct trees *t, const char *const *words, int status,
			const char *sentence)
{
	struct asked a;

	ask(t, words, &a);
	assert_null(a.a);
	assert_int_equal(a.status, status);
	if (!a.error || !strstr(a.error->message, sentence))
		fail_msg("%s", a.error ? a.error->message : "no error");
	forget(&a);
}

#define TEST(...) ((const char *const[]){ "--build", "cat a b >all", __VA_ARGS__, NULL })

static void one_line_of_many(void **state)
{
	put_both(*state, "a", "1\n2\n3\n4\n5\n6\n", "1\n2 x\n3\n4 bad\n5\n6 y\n");
	put_both(*state, "b", "7\n8\n", "7 z\n8\n");
	check_root(*state, TEST("--test", "! grep -q bad all"), "-4\n+4 bad\n");
	check_root(*state, TEST("--test", "! grep -q bad all", "--jobs", "1"), "-4\n+4 bad\n");
	check_root(*state, TEST("--test", "! grep -q bad all", "--technique", "dd"),
		   "-4\n+4 bad\n");
	check_root(*state, TEST("--test", "! grep -q bad all", "--technique", "add"),
		   "-4\n+4 bad\n");
}

/* Each of two lines is bad enough. */
static void two_of_many(void **state)
{
	put_both(*state, "a", "1\n2\n3\n4\n5\n6\n", "1 bad\n2\n3 x\n4\n5 bad\n6\n");
	put_both(*state, "b", "7\n8\n", "7 z\n8\n");
	check_root(*state, TEST("--test", "! grep -q bad all"), "-1\n+1 bad\n-5\n+5 bad\n");
}

/* A mixture with one half of a pair does not build: the other half is auxiliary. */
static void auxiliary_changes_are_apart(void **state)
{
	struct asked a;
	g_autofree char *got = NULL;

	put_both(*state, "a", "1\n2\nuse old\n", "1 x\n2\nuse newer bad\n");
	put_both(*state, "b", "7\nhave old\n", "7\nhave newer\n");
	ask(*state,
	    (const char *const[]){ "--build",
				   "h=$(sed -n 's/have //p' b); grep -q \"use $h\" a || { echo "
				   "\"a:3: error: '$h'\"; false; }",
				   "--test", "! grep -q bad a", "--verbose", NULL },
	    &a);
	got = root_of(&a);
	assert_string_equal(got, "-use old\n+use newer bad\n");
	assert_int_equal(a.a->auxiliary->len, 1);
	assert_true(a.a->stats.failed_builds > 0);
	assert_true(a.a->proof.with_auxiliary);
	forget(&a);
}

/* A file of the old version is a folder in the new one: no mixture can have both. */
static void files_may_become_folders(void **state)
{
	put_both(*state, "a", "1\n", "1\n");
	put_both(*state, "b", "7\n", "7 z\n");
	put(*state, "old/data", "good\n");
	{
		const struct trees *t = *state;
		g_autofree char *folder = g_build_filename(t->room, "new/data", NULL);

		g_mkdir(folder, 0755);
	}
	put(*state, "new/data/more", "other\n");
	/* that the other one came is reverted with it, and is not to blame */
	check_root(*state, TEST("--test", "[ -f data ]"), "the file data was deleted\n");
}

static void sentences_for_what_is_no_regression(void **state)
{
	put_both(*state, "a", "1\n", "1 bad\n");
	put_both(*state, "b", "7\n", "7\n");
	check_error(*state, TEST("--test", "true"), OPTIONS_EXIT_PASSED, "passes with both");
	check_error(*state, TEST("--test", "false"), OPTIONS_EXIT_USAGE, "fails with both");
	check_error(*state, TEST("--test", "grep -q bad all"), OPTIONS_EXIT_PASSED,
		    "exchange --old and --new");
	check_error(*state, TEST("--test", "exit 125"), OPTIONS_EXIT_UNEXPLAINED,
		    "cannot judge the new version");
	check_error(*state,
		    (const char *const[]){ "--build", "echo 'a:1: error: no'; ! grep bad a",
					   "--test", "true", NULL },
		    OPTIONS_EXIT_USAGE, "a:1: error: no");
	check_error(*state,
		    (const char *const[]){ "--build", "echo GEN error.h; grep -q bad a", "--test",
					   "true", NULL },
		    OPTIONS_EXIT_USAGE, "The old version");
	check_error(*state, TEST("--test", "kill -TERM $$", "--stdin", "/nonexistent/file"),
		    OPTIONS_EXIT_USAGE, "--stdin");
	check_error(*state, TEST("--test", "true", "--keep", "new/kept"), OPTIONS_EXIT_USAGE,
		    "lies in the version");
	put(*state, "new/a", "1\n");
	check_error(*state, TEST("--test", "true"), OPTIONS_EXIT_PASSED, "no difference");
}

static void a_test_that_hangs_fails(void **state)
{
	struct asked a;

	put_both(*state, "a", "1\n", "1 bad\n");
	put_both(*state, "b", "7\n", "7 z\n");
	ask(*state,
	    TEST("--test", "if grep -q bad all; then exec sleep 1000; fi", "--run-timeout", "1"),
	    &a);
	assert_non_null(a.a);
	assert_non_null(strstr(a.a->failure, "out of time after 1 s"));
	assert_int_equal(a.a->root->len, 1);
	forget(&a);
}

/* What was built is left, and nothing else is. */
static void copies_are_kept_where_wanted(void **state)
{
	const struct trees *t = *state;
	g_autofree char *kept = g_build_filename(t->room, "kept", "bench0", "all", NULL);
	g_autofree char *built = g_build_filename(t->room, "new", "all", NULL);

	put_both(t, "a", "1\n", "1 bad\n");
	put_both(t, "b", "7\n", "7 z\n");
	check_root(t, TEST("--test", "! grep -q bad all", "--keep", "kept"), "-1\n+1 bad\n");
	assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
	assert_false(g_file_test(built, G_FILE_TEST_EXISTS));
}

int main(void)
{
#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, make_room, remove_room)
	const struct CMUnitTest tests[] = {
		IN_ROOM(one_line_of_many),
		IN_ROOM(two_of_many),
		IN_ROOM(auxiliary_changes_are_apart),
		IN_ROOM(files_may_become_folders),
		IN_ROOM(sentences_for_what_is_no_regression),
		IN_ROOM(a_test_that_hangs_fails),
		IN_ROOM(copies_are_kept_where_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
