/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The connection with a real GDB: how it starts, waits, fails and ends. */
#include "tests/support/mi-gdb.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <cmocka.h>

static char *folder, *loops, *spawns;

static int make_programs(void **state)
{
	(void)state;
	folder = test_gdb_folder_new();
	loops = test_gdb_compile(folder, "loops",
				 "volatile unsigned long n;\n"
				 "int main(void) { for (;;) n++; }\n");
	spawns = test_gdb_compile(folder, "spawns",
				  "#include <signal.h>\n#include <unistd.h>\n"
				  "volatile int ready;\n"
				  "int main(void) {\n"
				  "	signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN);\n"
				  "	for (int i = 0; i < 3; i++)\n"
				  "		if (!fork()) { setpgid(0, 0); for (;;) pause(); }\n"
				  "	ready = 1;\n"
				  "	for (;;) pause();\n"
				  "}\n");
	return 0;
}

static int remove_programs(void **state)
{
	(void)state;
	g_free(loops);
	g_free(spawns);
	test_gdb_folder_free(folder);
	return 0;
}

/* GDB with the program running; returns with its session id in *session. */
static struct mi_conn *start_running(const struct mi_options *options, const char *program,
				     pid_t *session)
{
	struct mi_conn *conn = test_gdb_start(options, program);
	gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC / 5;

	*session = mi_conn_gdb_pid(conn);
	assert_true(mi_cmd_run(conn, NULL));
	while (g_get_monotonic_time() < end)
		mi_conn_pump(conn, 20, NULL);
	assert_true(mi_conn_is_running(conn));
	assert_true(mi_conn_program_pid(conn) > 0);
	return conn;
}

static double seconds_since(gint64 start)
{
	return (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}

/* A script that stands for a GDB; free its path. */
static char *script(const char *name, const char *text)
{
	char *path = g_build_filename(folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	assert_int_equal(g_chmod(path, 0755), 0);
	return path;
}

/* --- starting --- */

static void the_newest_mi_is_spoken(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);

	(void)state;
	assert_in_range(mi_conn_mi_version(conn), 2, 4);
	assert_false(mi_conn_is_running(conn));
	assert_int_equal(mi_conn_program_pid(conn), 0);
}

static void an_older_mi_is_fallen_back_to(void **state)
{
	g_autofree char *only_mi3 =
		script("only-mi3", "#!/bin/sh\ncase \"$*\" in *=mi4*)\n"
				   "echo \"Interpreter \\`mi4' unrecognized\" >&2; exit 1;; esac\n"
				   "exec gdb \"$@\"\n");
	g_autofree char *only_mi2 =
		script("only-mi2", "#!/bin/sh\ncase \"$*\" in *=mi[34]*)\n"
				   "echo \"Interpreter \\`mi4' unrecognized\" >&2; exit 1;; esac\n"
				   "exec gdb \"$@\"\n");
	g_autoptr(mi_conn) three = test_gdb_start(&(struct mi_options){ .gdb = only_mi3 }, loops);
	g_autoptr(mi_conn) two = test_gdb_start(&(struct mi_options){ .gdb = only_mi2 }, loops);
	struct mi_breakpoint made = { 0 };

	(void)state;
	assert_int_equal(mi_conn_mi_version(three), 3);
	assert_int_equal(mi_conn_mi_version(two), 2);
	assert_true(mi_cmd_break(two, &(struct mi_break){ .location = "main" }, &made, NULL));
	assert_int_equal(made.number, 1);
}

static void expect_no_start(const struct mi_options *options, enum mi_error code, const char *words)
{
	g_autoptr(GError) error = NULL;
	struct mi_conn *conn = mi_conn_start(options, &error);

	assert_null(conn);
	assert_non_null(error);
	if (!strstr(error->message, words))
		fail_msg("no \"%s\" in: %s", words, error->message);
	test_gdb_assert_error(&error, code);
}

static void what_is_no_gdb_is_named(void **state)
{
	g_autofree char *no_mi = script(
		"no-mi", "#!/bin/sh\necho \"Interpreter \\`mi' unrecognized\" >&2\nexit 1\n");

	(void)state;
	expect_no_start(&(struct mi_options){ .gdb = "/nonexistent/gdb" }, MI_ERROR_START,
			"/nonexistent/gdb");
	expect_no_start(&(struct mi_options){ .gdb = "/etc/passwd" }, MI_ERROR_START,
			"cannot be started");
	expect_no_start(&(struct mi_options){ .gdb = "true" }, MI_ERROR_START, "\"true\"");
	expect_no_start(&(struct mi_options){ .gdb = "false" }, MI_ERROR_START, "status 1");
	expect_no_start(&(struct mi_options){ .gdb = no_mi }, MI_ERROR_START, "unrecognized");
	expect_no_start(&(struct mi_options){ .directory = "/nonexistent" }, MI_ERROR_START,
			"/nonexistent");
}

static void one_that_never_answers_is_given_up(void **state)
{
	g_autofree char *mute = script("mute", "#!/bin/sh\nexec sleep 1000\n");
	gint64 start = g_get_monotonic_time();

	(void)state;
	expect_no_start(&(struct mi_options){ .gdb = mute, .start_timeout_ms = 300 },
			MI_ERROR_TIMEOUT, "in time");
	assert_true(seconds_since(start) < 5);
}

static void a_failing_command_fails_the_start(void **state)
{
	const char *const good[] = { "-gdb-set print elements 7", NULL };
	const char *const bad[] = { "-gdb-set print elements 7", "-no-such-thing", NULL };
	g_autoptr(mi_conn) conn = test_gdb_start(&(struct mi_options){ .commands = good }, NULL);
	g_autofree char *value = mi_cmd_show(conn, "print elements", NULL);

	(void)state;
	assert_string_equal(value, "7");
	expect_no_start(&(struct mi_options){ .commands = bad }, MI_ERROR_COMMAND, "no-such-thing");
}

static void a_bare_gdb_works(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(&(struct mi_options){ .bare = true }, loops);
	struct mi_stop stop = { 0 };

	(void)state;
	assert_true(mi_cmd_break(conn, &(struct mi_break){ .location = "main" }, NULL, NULL));
	assert_true(mi_cmd_run(conn, NULL));
	assert_true(mi_cmd_wait(conn, 10000, &stop, NULL));
	assert_int_equal(stop.reason, MI_STOP_BREAKPOINT);
	mi_stop_clear(&stop);
}

/* --- talking --- */

static void results_find_their_commands(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;
	uint64_t one = mi_conn_send(conn, &error, "-data-evaluate-expression %d", 1);
	uint64_t bad = mi_conn_send(conn, &error, "-data-evaluate-expression 1+");
	uint64_t two = mi_conn_send(conn, &error, "-data-evaluate-expression %d", 2);
	g_autoptr(mi_record) of_two = mi_conn_result(conn, two, 5000, &error);
	g_autoptr(mi_record) of_one = mi_conn_result(conn, one, 5000, &error);

	(void)state;
	assert_string_equal(mi_get_text(of_two->results, "value"), "2");
	assert_string_equal(mi_get_text(of_one->results, "value"), "1");
	assert_null(mi_conn_result(conn, bad, 5000, &error));
	assert_non_null(strstr(error->message, "syntax error"));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
}

static void a_line_break_is_no_command(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mi_conn_command(conn, 1000, &error, "-list-features\n-gdb-exit"));
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
	assert_int_equal(mi_conn_send(conn, &error, "a\rb"), 0);
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
}

static void long_commands_and_answers_pass(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autofree char *text = g_strnfill(300000, 'a');
	g_autofree char *command = g_strconcat("echo ", text, NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *output = mi_cmd_console(conn, command, &error);

	(void)state;
	assert_non_null(output);
	assert_string_equal(output, text);
}

static void count_records(struct mi_conn *conn, const struct mi_record *record, void *counts)
{
	(void)conn;
	((unsigned *)counts)[record->kind]++;
}

static void the_handler_gets_what_no_one_waits_for(void **state)
{
	unsigned counts[MI_TARGET_OUTPUT + 1] = { 0 };
	struct mi_options options = { .handler = count_records, .arg = counts };
	g_autoptr(mi_conn) conn = test_gdb_start(&options, NULL);
	g_autofree char *said = mi_cmd_console(conn, "echo hello\\n", NULL);

	(void)state;
	assert_string_equal(said, "hello\n");
	assert_int_equal(counts[MI_RESULT], 0);
	assert_true(counts[MI_CONSOLE] >= 1);
	assert_true(counts[MI_PROMPT] >= 1);
	assert_true(counts[MI_NOTIFY] >= 1);
	assert_int_equal(counts[MI_TARGET_OUTPUT], 0);
}

/* --- waiting in vain --- */

static void a_wait_ends_in_time_and_can_be_repeated(void **state)
{
	pid_t session;
	g_autoptr(mi_conn) conn = start_running(NULL, loops, &session);
	g_autoptr(GError) error = NULL;
	struct mi_stop stop = { 0 };
	gint64 start = g_get_monotonic_time();

	(void)state;
	assert_false(mi_cmd_wait(conn, 200, &stop, &error));
	test_gdb_assert_error(&error, MI_ERROR_TIMEOUT);
	assert_true(seconds_since(start) >= 0.19 && seconds_since(start) < 5);
	assert_true(mi_cmd_interrupt(conn, &error));
	assert_true(mi_cmd_wait(conn, 5000, &stop, &error));
	assert_int_equal(stop.reason, MI_STOP_SIGNAL);
	assert_string_equal(stop.signal, "SIGINT");
	assert_false(mi_conn_is_running(conn));
	mi_stop_clear(&stop);
	assert_true(mi_cmd_kill(conn, &error));
	assert_int_equal(mi_conn_program_pid(conn), 0);
}

static void a_wait_is_cancelled(void **state)
{
	int fd = eventfd(0, EFD_CLOEXEC);
	uint64_t one = 1;
	pid_t session;
	struct mi_conn *conn =
		start_running(&(struct mi_options){ .cancel_fd = fd }, loops, &session);
	g_autoptr(GError) error = NULL;
	struct mi_stop stop = { 0 };

	(void)state;
	assert_int_equal(write(fd, &one, sizeof one), sizeof one);
	assert_false(mi_cmd_wait(conn, -1, &stop, &error));
	test_gdb_assert_error(&error, MI_ERROR_CANCELLED);
	assert_int_equal(read(fd, &one, sizeof one), sizeof one);
	assert_false(mi_cmd_wait(conn, 50, &stop, &error));
	test_gdb_assert_error(&error, MI_ERROR_TIMEOUT);
	assert_int_equal(write(fd, &one, sizeof one), sizeof one);
	mi_conn_free(conn);
	test_gdb_assert_nothing_left(session);
	close(fd);
}

static void a_stop_of_no_program_is_not_waited_for(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, loops);
	g_autoptr(GError) error = NULL;
	struct mi_stop stop = { 0 };

	(void)state;
	assert_false(mi_cmd_wait(conn, -1, &stop, &error));
	test_gdb_assert_error(&error, MI_ERROR_GONE);
}

/* --- ends --- */

static void gdb_killed_in_the_middle_is_told(void **state)
{
	pid_t session;
	struct mi_conn *conn = start_running(NULL, spawns, &session);
	g_autoptr(GError) error = NULL;
	struct mi_stop stop = { 0 };
	gint64 start = g_get_monotonic_time();

	(void)state;
	assert_int_equal(kill(session, SIGKILL), 0);
	assert_false(mi_cmd_wait(conn, -1, &stop, &error));
	assert_non_null(strstr(error->message, "signal 9"));
	test_gdb_assert_error(&error, MI_ERROR_DIED);
	assert_true(seconds_since(start) < 5);
	test_gdb_assert_nothing_left(session);
	assert_null(mi_conn_command(conn, 1000, &error, "-list-features"));
	assert_non_null(strstr(error->message, "signal 9"));
	test_gdb_assert_error(&error, MI_ERROR_DIED);
	mi_conn_free(conn);
}

static void gdb_killed_before_a_command_is_told(void **state)
{
	struct mi_conn *conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_int_equal(kill(mi_conn_gdb_pid(conn), SIGKILL), 0);
	for (int i = 0; i < 3; i++) {
		assert_null(mi_conn_command(conn, 5000, &error, "-list-features"));
		test_gdb_assert_error(&error, MI_ERROR_DIED);
	}
	mi_conn_free(conn);
}

static void gdb_that_quits_is_told(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	g_free(mi_cmd_console(conn, "quit 3", &error));
	g_clear_error(&error);
	assert_null(mi_conn_command(conn, 5000, &error, "-list-features"));
	assert_non_null(strstr(error->message, "ended by itself"));
	test_gdb_assert_error(&error, MI_ERROR_DIED);
}

static void nothing_is_left_of_a_running_program(void **state)
{
	const char *const programs[] = { loops, spawns };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		pid_t session;
		struct mi_conn *conn = start_running(NULL, programs[i], &session);

		mi_conn_free(conn);
		test_gdb_assert_nothing_left(session);
	}
}

static void nothing_is_left_of_a_frozen_gdb(void **state)
{
	pid_t session;
	struct mi_conn *conn = start_running(NULL, spawns, &session);
	g_autoptr(GError) error = NULL;
	gint64 start = g_get_monotonic_time();

	(void)state;
	assert_int_equal(kill(session, SIGSTOP), 0);
	assert_null(mi_conn_command(conn, 200, &error, "-list-features"));
	test_gdb_assert_error(&error, MI_ERROR_TIMEOUT);
	mi_conn_free(conn);
	test_gdb_assert_nothing_left(session);
	assert_true(seconds_since(start) < 5);
}

/* A process of its own that has a program running under GDB; tells its session. */
static pid_t start_controller(pid_t *session)
{
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		start_running(NULL, loops, session);
		if (write(fds[1], session, sizeof *session) == sizeof *session)
			pause();
		_exit(1);
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], session, sizeof *session), sizeof *session);
	close(fds[0]);
	return pid;
}

static void nothing_is_left_when_we_are_killed(void **state)
{
	pid_t session, pid = start_controller(&session);
	gint64 start = g_get_monotonic_time();

	(void)state;
	assert_true(test_gdb_session_lives(session));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	while (test_gdb_session_lives(session) && seconds_since(start) < 10)
		g_usleep(1000);
	test_gdb_assert_nothing_left(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_mi_is_spoken),
		cmocka_unit_test(an_older_mi_is_fallen_back_to),
		cmocka_unit_test(what_is_no_gdb_is_named),
		cmocka_unit_test(one_that_never_answers_is_given_up),
		cmocka_unit_test(a_failing_command_fails_the_start),
		cmocka_unit_test(a_bare_gdb_works),
		cmocka_unit_test(results_find_their_commands),
		cmocka_unit_test(a_line_break_is_no_command),
		cmocka_unit_test(long_commands_and_answers_pass),
		cmocka_unit_test(the_handler_gets_what_no_one_waits_for),
		cmocka_unit_test(a_wait_ends_in_time_and_can_be_repeated),
		cmocka_unit_test(a_wait_is_cancelled),
		cmocka_unit_test(a_stop_of_no_program_is_not_waited_for),
		cmocka_unit_test(gdb_killed_in_the_middle_is_told),
		cmocka_unit_test(gdb_killed_before_a_command_is_told),
		cmocka_unit_test(gdb_that_quits_is_told),
		cmocka_unit_test(nothing_is_left_of_a_running_program),
		cmocka_unit_test(nothing_is_left_of_a_frozen_gdb),
		cmocka_unit_test(nothing_is_left_when_we_are_killed),
	};

	test_gdb_or_skip();
	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
