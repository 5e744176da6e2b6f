/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From two trees to the answer, with builds and tests that are lines of shell: no compiler, no GDB.
 */
#include "tests/support/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEST(...) ((const char *const[]){ "--build", "cat a b >all", __VA_ARGS__, NULL })

static void one_line_of_many(void **state)
{
	trees_put_both(*state, "a", "1\n2\n3\n4\n5\n6\n", "1\n2 x\n3\n4 bad\n5\n6 y\n");
	trees_put_both(*state, "b", "7\n8\n", "7 z\n8\n");
	trees_check_root(*state, TEST("--test", "! grep -q bad all"), "-4\n+4 bad\n");
	trees_check_root(*state, TEST("--test", "! grep -q bad all", "--jobs", "1"),
			 "-4\n+4 bad\n");
	trees_check_root(*state, TEST("--test", "! grep -q bad all", "--technique", "dd"),
			 "-4\n+4 bad\n");
	trees_check_root(*state, TEST("--test", "! grep -q bad all", "--technique", "add"),
			 "-4\n+4 bad\n");
}

/* Each of two lines is bad enough. */
static void two_of_many(void **state)
{
	trees_put_both(*state, "a", "1\n2\n3\n4\n5\n6\n", "1 bad\n2\n3 x\n4\n5 bad\n6\n");
	trees_put_both(*state, "b", "7\n8\n", "7 z\n8\n");
	trees_check_root(*state, TEST("--test", "! grep -q bad all"), "-1\n+1 bad\n-5\n+5 bad\n");
}

/* A mixture with one half of a pair does not build: the other half is auxiliary. */
static void auxiliary_changes_are_apart(void **state)
{
	struct asked a;
	g_autofree char *got = NULL;

	trees_put_both(*state, "a", "1\n2\nuse old\n", "1 x\n2\nuse newer bad\n");
	trees_put_both(*state, "b", "7\nhave old\n", "7\nhave newer\n");
	trees_ask(
		*state,
		(const char *const[]){ "--build",
				       "h=$(sed -n 's/have //p' b); grep -q \"use $h\" a || { echo "
				       "\"a:3: error: '$h'\"; false; }",
				       "--test", "! grep -q bad a", "--verbose", NULL },
		&a);
	got = trees_root(&a);
	assert_string_equal(got, "-use old\n+use newer bad\n");
	assert_int_equal(a.a->auxiliary->len, 1);
	assert_true(a.a->stats.failed_builds > 0);
	assert_true(a.a->proof.with_auxiliary);
	trees_forget(&a);
}

/* A file of the old version is a folder in the new one: no mixture can have both. */
static void files_may_become_folders(void **state)
{
	trees_put_both(*state, "a", "1\n", "1\n");
	trees_put_both(*state, "b", "7\n", "7 z\n");
	trees_put(*state, "old/data", "good\n");
	{
		const struct trees *t = *state;
		g_autofree char *folder = g_build_filename(t->room, "new/data", NULL);

		g_mkdir(folder, 0755);
	}
	trees_put(*state, "new/data/more", "other\n");
	/* that the other one came is reverted with it, and is not to blame */
	trees_check_root(*state, TEST("--test", "[ -f data ]"), "the file data was deleted\n");
}

static void sentences_for_what_is_no_regression(void **state)
{
	trees_put_both(*state, "a", "1\n", "1 bad\n");
	trees_put_both(*state, "b", "7\n", "7\n");
	trees_check_error(*state, TEST("--test", "true"), OPTIONS_EXIT_PASSED, "passes with both");
	trees_check_error(*state, TEST("--test", "false"), OPTIONS_EXIT_USAGE, "fails with both");
	trees_check_error(*state, TEST("--test", "grep -q bad all"), OPTIONS_EXIT_PASSED,
			  "exchange --old and --new");
	trees_check_error(*state, TEST("--test", "exit 125"), OPTIONS_EXIT_UNEXPLAINED,
			  "cannot judge the new version");
	trees_check_error(*state,
			  (const char *const[]){ "--build", "echo 'a:1: error: no'; ! grep bad a",
						 "--test", "true", NULL },
			  OPTIONS_EXIT_USAGE, "a:1: error: no");
	trees_check_error(*state,
			  (const char *const[]){ "--build", "echo GEN error.h; grep -q bad a",
						 "--test", "true", NULL },
			  OPTIONS_EXIT_USAGE, "The old version");
	trees_check_error(*state, TEST("--test", "kill -TERM $$", "--stdin", "/nonexistent/file"),
			  OPTIONS_EXIT_USAGE, "--stdin");
	trees_check_error(*state, TEST("--test", "true", "--keep", "new/kept"), OPTIONS_EXIT_USAGE,
			  "lies in the version");
	trees_put(*state, "new/a", "1\n");
	trees_check_error(*state, TEST("--test", "true"), OPTIONS_EXIT_PASSED, "no difference");
}

static void put_two_lines(const struct trees *t)
{
	trees_put_both(t, "a", "1\n", "1 bad\n");
	trees_put_both(t, "b", "7\n", "7 z\n");
}

static void a_test_that_hangs_fails(void **state)
{
	struct asked a;

	put_two_lines(*state);
	trees_ask(*state,
		  TEST("--test", "if grep -q bad all; then exec sleep 1000; fi", "--run-timeout",
		       "1"),
		  &a);
	assert_non_null(a.a);
	assert_non_null(strstr(a.a->failure, "out of time after 1 s"));
	assert_int_equal(a.a->root->len, 1);
	trees_forget(&a);
}

/* What was built is left, and nothing else is. */
static void copies_are_kept_where_wanted(void **state)
{
	const struct trees *t = *state;
	g_autofree char *kept = g_build_filename(t->room, "kept", "bench0", "all", NULL);
	g_autofree char *built = g_build_filename(t->room, "new", "all", NULL);

	trees_put_both(t, "a", "1\n", "1 bad\n");
	trees_put_both(t, "b", "7\n", "7 z\n");
	trees_check_root(t, TEST("--test", "! grep -q bad all", "--keep", "kept"), "-1\n+1 bad\n");
	assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
	assert_false(g_file_test(built, G_FILE_TEST_EXISTS));
}

/* What is written to standard error, as a terminal, while that is asked.  Free it. */
static char *shown_while_asking(const struct trees *t, const char *const *words)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, before = dup(STDERR_FILENO);
	char shown[8192];
	struct asked a;
	ssize_t n;

	assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(terminal >= 0 && dup2(terminal, STDERR_FILENO) >= 0);
	trees_ask(t, words, &a);
	dup2(before, STDERR_FILENO);
	close(before);
	assert_non_null(a.a);
	trees_forget(&a);
	fcntl(master, F_SETFL, O_NONBLOCK);
	n = read(master, shown, sizeof shown - 1);
	close(terminal);
	close(master);
	return g_strndup(shown, (gsize)MAX(n, 0));
}

/* One line, written anew for each build and each run, and taken away at the end. */
static void a_terminal_shows_the_progress(void **state)
{
	g_autofree char *shown = NULL, *verbose = NULL;
	const char *last = NULL;
	unsigned builds = 0, runs = 0, b, r;

	trees_put_both(*state, "a", "1\n2\n3\n", "1 bad\n2\n3 x\n");
	trees_put_both(*state, "b", "7\n", "7\n");
	shown = shown_while_asking(*state, TEST("--test", "! grep -q bad all", "--jobs", "1"));
	assert_null(strchr(shown, '\n'));
	for (const char *at = shown; (at = strstr(at, "\r\033[K")); at += 4) {
		last = at;
		if (sscanf(at + 4, "%u builds, %u runs of the test", &b, &r) != 2)
			continue;
		assert_int_equal(b + r, builds + runs + 1);
		builds = b;
		runs = r;
	}
	assert_true(builds >= 3 && runs > builds);
	assert_string_equal(last, "\r\033[K");
	verbose = shown_while_asking(*state, TEST("--test", "! grep -q bad all", "--verbose"));
	assert_null(strstr(verbose, "runs of the test"));
	assert_non_null(strstr(verbose, "change 1: lines of a:1"));
}

static void time_is_up(void **state)
{
	put_two_lines(*state);
	trees_check_error(*state,
			  (const char *const[]){ "--build", "sleep 100", "--test", "true",
						 "--timeout", "0.3", NULL },
			  OPTIONS_EXIT_UNEXPLAINED, "The time was up after 0.3 s, before both");
	trees_check_error(*state,
			  (const char *const[]){ "--build", "sleep 100", "--test", "true",
						 "--build-timeout", "0.3", NULL },
			  OPTIONS_EXIT_USAGE, "the build was stopped after 0.3 s");
}

/* Both versions are built, and no mixture of them in time. */
static void time_is_up_in_the_search(void **state)
{
	static const char build[] =
		"case $(cat a b | tr -d '\\n') in 17 | '1 bad7 z') ;; *) sleep 100 ;; esac";
	struct asked a;

	put_two_lines(*state);
	trees_ask(*state,
		  (const char *const[]){ "--build", build, "--test", "! grep -q bad a", "--timeout",
					 "6", NULL },
		  &a);
	if (!a.a)
		fail_msg("%s", a.error->message);
	assert_int_equal(a.a->outcome, REGRESS_CUT);
	assert_int_equal(a.a->root->len, 0);
	assert_non_null(strstr(g_ptr_array_index(a.a->notes, a.a->notes->len - 1),
			       "compare versions that lie nearer to each other"));
	trees_forget(&a);
}

/* Each run has another end, or the same one by chance. */
static void a_test_that_is_not_reliable(void **state)
{
	const struct trees *t = *state;
	g_autofree char *test = g_strdup_printf(
		"echo x >>%s/count; [ $(($(wc -l <%s/count) %% 2)) = 0 ]", t->room, t->room);

	put_two_lines(t);
	trees_check_error(t, TEST("--test", test, "--jobs", "1"), OPTIONS_EXIT_UNEXPLAINED,
			  "passes and fails in turn with the same build");
}

static void a_program_that_is_not_there(void **state)
{
	put_two_lines(*state);
	trees_check_error(*state, TEST("--run", "./nothing"), OPTIONS_EXIT_USAGE,
			  "No version has a program ./nothing");
	trees_check_error(*state, TEST("--test", "./nothing"), OPTIONS_EXIT_USAGE,
			  "which a shell means by `command not found'");
}

int main(void)
{
#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, trees_make, trees_remove)
	const struct CMUnitTest tests[] = {
		IN_ROOM(one_line_of_many),
		IN_ROOM(two_of_many),
		IN_ROOM(auxiliary_changes_are_apart),
		IN_ROOM(files_may_become_folders),
		IN_ROOM(sentences_for_what_is_no_regression),
		IN_ROOM(a_test_that_hangs_fails),
		IN_ROOM(copies_are_kept_where_wanted),
		IN_ROOM(a_terminal_shows_the_progress),
		IN_ROOM(time_is_up),
		IN_ROOM(time_is_up_in_the_search),
		IN_ROOM(a_test_that_is_not_reliable),
		IN_ROOM(a_program_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
