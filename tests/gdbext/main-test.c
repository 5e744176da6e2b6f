/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program itself: each command is reached, and what it cannot do is one sentence on standard
 * error and status 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Its status; *out and *err are the caller's. */
static int run(const char *words, char **out, char **err)
{
	const char *program = g_getenv("WHY_BIN");
	g_autofree char *line = g_strdup_printf("%s %s", program, words);
	GError *error = NULL;
	int status;

	if (!g_spawn_command_line_sync(line, out, err, &status, &error))
		fail_msg("%s", error->message);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* It cannot, and says why in a sentence that holds this. */
static void refuses(const char *words, const char *says)
{
	g_autofree char *out = NULL, *err = NULL;
	int status = run(words, &out, &err);

	if (status != 2 || *out || !g_str_has_prefix(err, "gdb-why: ") || !strstr(err, says) ||
	    strchr(err, '\n') != err + strlen(err) - 1)
		fail_msg("gdb-why %s: status %d, `%s', `%s'", words, status, out, err);
}

static void each_command_is_reached(void **state)
{
	(void)state;
	refuses("explain /no/p", "There is no program /no/p");
	refuses("record /no/p", "There is no program /no/p");
	refuses("ask why -- /no/p", "There is no program /no/p");
	refuses("try --set 'a = 1' --at p.c:3 /no/p", "There is no program /no/p");
	refuses("rank --tests /no/suite -- /no/p", "/no/");
	refuses("regress --old /no/old --new . --test true", "/no/old");
	refuses("specs --spec /no/spec.c /no/p", "/no/");
	refuses("evaluate /no/subject", "/no/subject");
	refuses("lesson dance", "`lesson dance' is not known");
}

static void options_are_read_first(void **state)
{
	(void)state;
	refuses("explain", "no program to explain was given");
	refuses("panel", "no program to panel was given");
	refuses("explain --nosuch /no/p", "--nosuch");
	refuses("explain --events 77 /no/p", "77");
}

static void help_needs_nothing(void **state)
{
	g_autofree char *out = NULL, *err = NULL, *help = NULL, *nothing = NULL;

	(void)state;
	assert_int_equal(run("--version", &out, &err), 0);
	assert_true(g_str_has_prefix(out, "gdb-why "));
	assert_string_equal(err, "");
	assert_int_equal(run("help rank", &help, &nothing), 0);
	assert_true(g_str_has_prefix(help, "Usage: gdb-why rank"));
	assert_string_equal(nothing, "");
}

/* What becomes of it with these standard streams; -1 = closed. */
static int run_with(char *const *words, int input, int output)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (input < 0)
			close(STDIN_FILENO);
		dup2(output, STDOUT_FILENO);
		execv(words[0], words);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* A file that it opens must not get the number of a standard stream. */
static void closed_streams_are_held(void **state)
{
	g_autofree char *program = g_strdup(g_getenv("WHY_BIN"));
	char *words[] = { program, "explain", "/no/p", NULL };
	int nowhere = open("/dev/null", O_WRONLY), status;

	(void)state;
	status = run_with(words, -1, nowhere);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	close(nowhere);
}

/* As other programs do when nobody reads what they print. */
static void ends_by_a_broken_pipe(void **state)
{
	g_autofree char *program = g_strdup(g_getenv("WHY_BIN"));
	char *words[] = { program, "--version", NULL };
	int ends[2], status;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	status = run_with(words, STDIN_FILENO, ends[1]);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
	close(ends[1]);
}

/* Without a terminal it answers as text, or says what is wrong. */
static void the_panel_needs_a_terminal(void **state)
{
	g_autofree char *out = NULL, *err = NULL;
	int status = run("panel /no/p", &out, &err);

	(void)state;
	assert_int_equal(status, 2);
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "There is no program /no/p"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_streams_are_held),
		cmocka_unit_test(ends_by_a_broken_pipe),
		cmocka_unit_test(the_panel_needs_a_terminal),
		cmocka_unit_test(each_command_is_reached),
		cmocka_unit_test(options_are_read_first),
		cmocka_unit_test(help_needs_nothing),
	};

	if (!g_getenv("WHY_BIN")) {
		puts("needs gdb-why (WHY_BIN)");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
