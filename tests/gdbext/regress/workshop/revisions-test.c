/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versions that are revisions of a git repository, and what git knows beside lines of text. */
#include "tests/support/program.h"
#include "tests/support/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

/* Runs git in the room. */
static char *git(const struct trees *t, const char *words)
{
	return test_output(
		"cd %s && HOME=%s git -c user.name=T -c user.email=t@example.org %s 2>&1", t->room,
		t->room, words);
}

static void commit(const struct trees *t, const char *text)
{
	g_autofree char *added = NULL, *done = NULL;

	trees_put(t, "a", text);
	added = git(t, "add a");
	done = git(t, "commit -q -m 'Change a'");
}

/* v1, two harmless commits, the bad one, and a harmless one. */
static int make_history(void **state)
{
	g_autofree char *begun = NULL, *tagged = NULL;

	trees_make(state);
	begun = git(*state, "init -q .");
	commit(*state, "1\n2\n3\n4\n5\n");
	tagged = git(*state, "tag v1");
	commit(*state, "1 x\n2\n3\n4\n5\n");
	commit(*state, "1 x\n2\n3\n4\n5\n6\n");
	commit(*state, "1 x\n2\n3 bad\n4\n5 y\n6\n");
	commit(*state, "1 x\n2\n3 bad\n4\n5 y\n6\n7\n");
	return 0;
}

#define ASK(old, newer, ...)                                                                     \
	((const char *const[]){ "--build", "cat a >all", "--test", "! grep -q bad all", "--old", \
				old, "--new", newer, __VA_ARGS__, NULL })

static void assert_root(struct asked *a, const char *root)
{
	g_autofree char *got = trees_root(a);

	assert_string_equal(got, root);
}

static void two_revisions(void **state)
{
	struct asked a;

	trees_ask(*state, ASK("v1", "HEAD", "--jobs", "1"), &a);
	assert_root(&a, "-3\n+3 bad\n");
	assert_true(g_str_has_suffix(a.a->new_name, " Change a"));
	assert_int_equal(regress_changes_count(a.a->changes), 3);
	assert_true(g_file_test(regression_new_folder(a.r), G_FILE_TEST_IS_DIR));
	trees_forget(&a);
}

static void the_commit_is_found_first(void **state)
{
	g_autofree char *bad = git(*state, "rev-parse --short=7 HEAD~1");
	struct asked a;

	trees_ask(*state, ASK("v1", "HEAD", "--bisect-first", "--verbose"), &a);
	assert_root(&a, "-3\n+3 bad\n");
	assert_memory_equal(a.a->new_name, bad, 7);
	assert_int_equal(regress_changes_count(a.a->changes), 2);
	assert_non_null(strstr(g_ptr_array_index(a.a->notes, 0), "Of 4 commits"));
	trees_forget(&a);
}

/* The middle cannot be judged: its neighbours are. */
static void a_commit_that_cannot_be_judged(void **state)
{
	struct asked a;

	trees_ask(*state,
		  (const char *const[]){ "--build", "cat a >all", "--test",
					 "[ $(wc -l <all) = 6 ] && exit 125; ! grep -q bad all",
					 "--old", "v1", "--new", "HEAD", "--bisect-first", NULL },
		  &a);
	assert_root(&a, "-3\n+3 bad\n");
	assert_non_null(strstr(g_ptr_array_index(a.a->notes, 0), "3 were built"));
	trees_forget(&a);
}

static void sentences(void **state)
{
	trees_check_error(*state, ASK("v1", "nonsense", "--jobs", "1"), OPTIONS_EXIT_USAGE,
			  "neither a folder nor a revision nonsense");
	trees_check_error(*state, ASK("nonsense", "v1", "--bisect-first"), OPTIONS_EXIT_USAGE,
			  "neither a folder nor a revision nonsense");
	trees_check_error(*state, ASK("HEAD", "v1", "--bisect-first"), OPTIONS_EXIT_USAGE,
			  "HEAD is no ancestor of v1");
}

/* Only root can give a repository away. */
static void a_repository_of_another_user(void **state)
{
	const struct trees *t = *state;
	g_autofree char *given = NULL, *advice = NULL;

	if (geteuid() != 0)
		skip();
	given = test_output("chown -R 12345 %s", t->room);
	advice =
		g_strdup_printf("belongs to another user (12345), so git does not trust it; if you "
				"do, allow it with `git config --global --add safe.directory %s'.",
				t->room);
	trees_check_error(t, ASK("v1", "HEAD", "--jobs", "1"), OPTIONS_EXIT_USAGE, advice);
	trees_check_error(t, ASK("v1", "HEAD", "--bisect-first"), OPTIONS_EXIT_USAGE, advice);
}

static void no_repository(void **state)
{
	trees_check_error(*state, ASK("v1", "HEAD", "--jobs", "1"), OPTIONS_EXIT_USAGE,
			  "no git repository here");
}

/* ---- what is no line of a text ---- */

static void check_kind(const struct trees *t, const char *test, enum regress_kind kind)
{
	struct asked a;

	trees_ask(t, (const char *const[]){ "--build", "true", "--test", test, NULL }, &a);
	if (!a.a)
		fail_msg("%s", a.error->message);
	assert_int_equal(a.a->root->len, 1);
	assert_int_equal(
		regress_change_at(a.a->changes, g_array_index(a.a->root, unsigned, 0))->kind, kind);
	trees_forget(&a);
}

static void files_that_came_or_went(void **state)
{
	trees_put_both(*state, "a", "1\n", "1 x\n");
	trees_put(*state, "new/lib/more", "m\n");
	check_kind(*state, "[ ! -e lib/more ]", REGRESS_ADDED);
	trees_put(*state, "old/lib/less", "l\nm\nn\no\n");
	check_kind(*state, "[ -e lib/less ]", REGRESS_DELETED);
	trees_put(*state, "new/lib/other", "l\nm\nn\no\n");
	check_kind(*state, "[ -e lib/less ]", REGRESS_RENAMED);
}

static void modes_links_and_contents(void **state)
{
	const struct trees *t = *state;
	g_autofree char *links = NULL, *modes = NULL, *bytes = NULL;

	trees_put_both(t, "a", "1\n", "1 x\n");
	trees_put_both(t, "run", "#!/bin/sh\n", "#!/bin/sh\n");
	modes = test_output("chmod +x %s/old/run", t->room);
	check_kind(t, "[ -x run ]", REGRESS_MODE);
	links = test_output("cd %s && ln -s a old/link && ln -s none new/link", t->room);
	check_kind(t, "[ -e link ]", REGRESS_CONTENTS);
	bytes = test_output("cd %s && printf 'a\\000b' >old/bytes && printf 'a\\000c' >new/bytes",
			    t->room);
	check_kind(t, "grep -q b bytes", REGRESS_CONTENTS);
}

/* Objects are not compared, and that is said; a text that names the old folder names the new one.
 */
static void what_a_build_leaves(void **state)
{
	const struct trees *t = *state;
	g_autofree char *old = g_strdup_printf("S = %s/old/lib\n", t->room);
	g_autofree char *newer = g_strdup_printf("S = %s/new/lib\n", t->room);
	struct asked a;

	trees_put_both(t, "a", "1\n", "1 bad\n");
	trees_put_both(t, "p.o", "\177ELF old", "\177ELF new");
	trees_put_both(t, "config.log", "old", "new");
	trees_put_both(t, "paths", old, newer);
	trees_ask(t, (const char *const[]){ "--build", "true", "--test", "! grep -q bad a", NULL },
		  &a);
	assert_root(&a, "-1\n+1 bad\n");
	assert_int_equal(regress_changes_count(a.a->changes), 1);
	assert_non_null(strstr(g_ptr_array_index(a.a->notes, 0),
			       "2 files that a compiler made differ; they are not looked at."));
	trees_forget(&a);
	trees_put_both(t, "a", "1\n", "1\n");
	trees_check_error(t, (const char *const[]){ "--build", "true", "--test", "true", NULL },
			  OPTIONS_EXIT_PASSED, "but files that a compiler made");
}

int main(void)
{
#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, trees_make, trees_remove)
#define IN_HISTORY(test) cmocka_unit_test_setup_teardown(test, make_history, trees_remove)
	const struct CMUnitTest tests[] = {
		IN_HISTORY(two_revisions),
		IN_HISTORY(the_commit_is_found_first),
		IN_HISTORY(a_commit_that_cannot_be_judged),
		IN_HISTORY(sentences),
		IN_HISTORY(a_repository_of_another_user),
		IN_ROOM(no_repository),
		IN_ROOM(files_that_came_or_went),
		IN_ROOM(modes_links_and_contents),
		IN_ROOM(what_a_build_leaves),
	};

	test_need("git");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
