/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No process and no file stays behind, however a question ends.
 * timeout: 180 */
#include "tests/support/replay.h"

#include "gdbext/replay/interrupt.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char *acts;
static char *folder;
static char *marker; /* an argument of the program under test */

enum asking { FIRST_RUN, FIRST_AND_DIRECT_RUNS };

/* Asks, as gdb-why would; the exit status to end with. */
static int ask(const char *act, const char *argument, enum asking asking, double timeout)
{
	char *argv[] = { acts, (char *)act, (char *)argument, marker, NULL };
	struct replay_options options = support_options(argv);
	struct replay_failing failing = { 0 };
	struct run_request request = { 0 };
	struct run_result result = { 0 };
	GError *error = NULL;
	struct replay *r;
	bool done;

	if (timeout > 0)
		options.run_timeout = timeout;
	r = replay_new(&options, &error);
	done = r && replay_record_failing(r, &failing, &error);
	while (done && asking == FIRST_AND_DIRECT_RUNS) {
		done = replay_runner(r)->run(replay_runner(r), &request, &result, &error);
		run_result_clear(&result);
	}
	replay_failing_clear(&failing);
	replay_free(r);
	if (!done)
		g_printerr("%s\n", error->message);
	return done ? 0 : g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL) ? 130 : 2;
}

/* A process of its own that asks: a controller. */
static pid_t start_controller(const char *act, const char *argument, enum asking asking)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* As in a terminal: a group of its own, with the signals' defaults. */
	setpgid(0, 0);
	if (!replay_interrupt_install(NULL, NULL, NULL))
		_exit(99);
	_exit(ask(act, argument, asking, 0));
}

/* Exit status, or 1000 + the signal. */
static int wait_controller(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static unsigned wait_entries(unsigned wanted)
{
	for (int i = 0; i < 500 && support_count_entries(folder) != wanted; i++)
		g_usleep(10000);
	return support_count_entries(folder);
}

static void check_clean(void)
{
	g_autofree char *ours = g_strconcat("GDB_WHY_TMPDIR=", folder, NULL);

	assert_int_equal(support_wait_processes(marker, 0), 0);
	assert_int_equal(support_wait_processes(ours, 0), 0); /* GDB is one of them */
	assert_int_equal(wait_entries(0), 0);
}

static void children_of_the_program_end(void **state)
{
	(void)state;
	assert_int_equal(ask("leave", "x", FIRST_RUN, 0), 0);
	assert_int_equal(support_wait_processes(marker, 0), 0);
	assert_int_equal(ask("daemon", "fail", FIRST_RUN, 0), 0);
	assert_int_equal(support_wait_processes(marker, 0), 0);
	assert_int_equal(ask("daemon", "stay", FIRST_RUN, 1), 0);
	assert_int_equal(support_wait_processes(marker, 0), 0);
	check_clean();
}

static void check_killed(const char *act, const char *argument, enum asking asking, int signo,
			 int expected)
{
	pid_t pid = start_controller(act, argument, asking);

	assert_true(support_wait_processes(marker, 1) >= 1);
	g_usleep(50000);
	kill(pid, signo);
	assert_int_equal(wait_controller(pid), expected);
	check_clean();
}

static void interrupted_in_the_first_run(void **state)
{
	(void)state;
	check_killed("loop", "x", FIRST_RUN, SIGINT, 130);
	check_killed("sleep", "x", FIRST_RUN, SIGTERM, 130);
	check_killed("loop", "x", FIRST_RUN, SIGHUP, 130);
	check_killed("loop", "x", FIRST_RUN, SIGKILL, 1000 + SIGKILL);
}

static void interrupted_with_a_daemon_about(void **state)
{
	pid_t pid;

	(void)state;
	for (int i = 0; i < 2; i++) {
		pid = start_controller("daemon", "stay", FIRST_RUN);
		assert_true(support_wait_processes(marker, 2) == 2);
		g_usleep(50000);
		kill(pid, i ? SIGINT : SIGKILL);
		assert_int_equal(wait_controller(pid), i ? 130 : 1000 + SIGKILL);
		check_clean();
	}
}

static void interrupted_in_direct_runs(void **state)
{
	(void)state;
	check_killed("fail", "x", FIRST_AND_DIRECT_RUNS, SIGINT, 130);
	check_killed("fail", "x", FIRST_AND_DIRECT_RUNS, SIGKILL, 1000 + SIGKILL);
}

/* At any moment: the later, the further it has come. */
static void interrupted_at_any_time(void **state)
{
	(void)state;
	for (int i = 0; i < 25; i++) {
		pid_t pid = start_controller("fail", "x", FIRST_AND_DIRECT_RUNS);
		int status;

		g_usleep((gulong)i * 8000);
		kill(pid, i % 3 ? SIGINT : SIGKILL);
		status = wait_controller(pid);
		/* Before the handler is there, SIGINT kills as well. */
		assert_true(status == 130 || status == 1000 + SIGINT || status == 1000 + SIGKILL);
		check_clean();
	}
}

/* While the folder, the helpers and GDB come into being. */
static void killed_while_starting(void **state)
{
	(void)state;
	for (int i = 0; i < 60; i++) {
		pid_t pid = start_controller("fail", "x", FIRST_RUN);

		g_usleep((gulong)i * 300);
		kill(pid, SIGKILL);
		assert_int_equal(wait_controller(pid), 1000 + SIGKILL);
		check_clean();
	}
}

/* The children of pid by that name. */
static pid_t child_named(pid_t pid, const char *name)
{
	g_autofree char *command = g_strdup_printf("pgrep -P %d -x '%.15s'", (int)pid, name);
	FILE *pipe = popen(command, "r");
	char line[32] = "";

	assert_non_null(pipe);
	if (!fgets(line, sizeof line, pipe))
		*line = '\0';
	pclose(pipe);
	return atoi(line);
}

static void gdb_is_killed(void **state)
{
	g_autofree char *ours = g_strconcat("GDB_WHY_TMPDIR=", folder, NULL);
	pid_t pid = start_controller("loop", "x", FIRST_RUN), gdb;

	(void)state;
	assert_int_equal(support_wait_processes(marker, 1), 1);
	g_usleep(100000);
	gdb = child_named(pid, "gdb");
	assert_true(gdb > 0);
	assert_int_equal(support_count_processes(ours), 2); /* GDB and the program */
	kill(gdb, SIGKILL);
	assert_int_equal(wait_controller(pid), 2);
	check_clean();
}

static void supervisor_is_killed(void **state)
{
	pid_t pid = start_controller("loop", "x", FIRST_RUN), supervisor;

	(void)state;
	assert_int_equal(support_wait_processes(marker, 1), 1);
	g_usleep(100000);
	supervisor = child_named(pid, "gdb-why watcher");
	assert_true(supervisor > 0);
	kill(supervisor, SIGKILL);
	wait_controller(pid);
	check_clean();
}

/* The next caged run says so. */
static void supervisor_of_caged_runs_is_killed(void **state)
{
	pid_t pid = start_controller("fail", "x", FIRST_AND_DIRECT_RUNS), supervisor;

	(void)state;
	assert_true(support_wait_processes(marker, 1) >= 1);
	supervisor = child_named(pid, "gdb-why cage");
	assert_true(supervisor > 0);
	kill(supervisor, SIGKILL);
	assert_int_equal(wait_controller(pid), 2);
	check_clean();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_of_the_program_end),
		cmocka_unit_test(interrupted_in_the_first_run),
		cmocka_unit_test(interrupted_with_a_daemon_about),
		cmocka_unit_test(interrupted_in_direct_runs),
		cmocka_unit_test(interrupted_at_any_time),
		cmocka_unit_test(killed_while_starting),
		cmocka_unit_test(gdb_is_killed),
		cmocka_unit_test(supervisor_is_killed),
		cmocka_unit_test(supervisor_of_caged_runs_is_killed),
	};
	int failed;

	support_need_replay();
	acts = support_compile("acts.c", "acts", "-g -O0");
	folder = support_folder();
	marker = support_marker();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	support_forget_folder(folder);
	g_free(marker);
	g_free(acts);
	return failed;
}
