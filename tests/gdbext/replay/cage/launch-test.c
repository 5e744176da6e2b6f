/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs as the supervisor starts them, started by the test itself. */
#include "gdbext/replay/cage/launch.h"

#include "gdbext/replay/cage/cage-guard.h"
#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/replay.h"

#include "tests/support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { INHERITED = 20, HANDED_AT = 30, PATIENCE_MS = 60000 };

/* A shell that is started, and the files that it has. */
struct shell {
	char *folder;
	int in, out, err;
};

static int file_with(const struct shell *s, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(s->folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return open(path, O_RDWR | O_CLOEXEC);
}

static int start(void **state)
{
	struct shell *s = g_new0(struct shell, 1);

	s->folder = test_folder_new();
	s->in = file_with(s, "in", "from input\n");
	s->out = file_with(s, "out", "");
	s->err = file_with(s, "err", "");
	assert_true(s->in > 2 && s->out > 2 && s->err > 2);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct shell *s = *state;

	close(s->in);
	close(s->out);
	close(s->err);
	test_folder_free(s->folder);
	g_free(s);
	return 0;
}

static struct launch launch_of(const struct shell *s, const char *const *argv)
{
	static char *const no_environment[] = { NULL };

	return (struct launch){ .path = argv[0],
				.argv = (char *const *)(uintptr_t)argv,
				.envp = no_environment,
				.in = s->in,
				.out = s->out,
				.err = s->err };
}

static void has_written(int fd, const char *text)
{
	char is[4096] = "";

	assert_true(pread(fd, is, sizeof is - 1, 0) >= 0);
	assert_string_equal(is, text);
}

static void ends_well(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The descriptor with this number, which only this test has. */
static void becomes(int fd, int number)
{
	assert_int_equal(dup2(fd, number), number);
	close(fd);
}

static void it_has_the_files_and_limits_that_it_is_given(void **state)
{
	const struct shell *s = *state;
	const char *argv[] = { "/bin/bash", "-c",
			       "cat; pwd; read a <&20; echo $a; ulimit -t; ulimit -f; echo no >&2; "
			       "test $$ = $(cut -d' ' -f6 </proc/$$/stat)",
			       NULL };
	const int inherited[] = { INHERITED, INHERITED + 1 }; /* the second one is not open */
	struct launch l = launch_of(s, argv);
	g_autofree char *expected =
		g_strdup_printf("from input\n%s\ninherited\n7\n1024\n", s->folder);
	GError *error = NULL;
	pid_t pid;

	becomes(file_with(s, "inherited", "inherited\n"), INHERITED);
	l.directory = s->folder;
	l.inherited = inherited;
	l.n_inherited = 2;
	l.limit_cpu = 7;
	l.limit_file = 1 << 20; /* the shell counts in blocks of 1024 bytes */
	pid = launch_start(&l, &error);
	assert_true(pid > 0);
	ends_well(pid);
	close(INHERITED);
	has_written(s->out, expected);
	has_written(s->err, "no\n");
}

static void it_may_stop_at_its_first_instruction(void **state)
{
	const struct shell *s = *state;
	const char *argv[] = { "/bin/bash", "-c", "echo ran", NULL };
	struct launch l = launch_of(s, argv);
	GError *error = NULL;
	int status;
	pid_t pid;

	l.stop = true;
	pid = launch_start(&l, &error);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	has_written(s->out, "");
	assert_int_equal(ptrace(PTRACE_CONT, pid, NULL, NULL), 0);
	ends_well(pid);
	has_written(s->out, "ran\n");
}

static void cannot(const struct launch *l, const char *what)
{
	GError *error = NULL;

	assert_int_equal(launch_start(l, &error), 0);
	assert_true(g_error_matches(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM));
	if (!strstr(error->message, what))
		fail_msg("%s: not \"%s\"", error->message, what);
	g_error_free(error);
}

static void why_it_cannot_be_started_is_said(void **state)
{
	const char *argv[] = { "/bin/true", NULL }, *nowhere[] = { "/nowhere/at/all", NULL };
	struct launch l = launch_of(*state, argv);

	l.directory = "/nowhere/at/all";
	cannot(&l, "/bin/true cannot enter its working directory: ");
	l = launch_of(*state, nowhere);
	cannot(&l, "/nowhere/at/all cannot be executed: ");
	l = launch_of(*state, argv);
	l.in = 999;
	cannot(&l, "/bin/true cannot set its standard files: ");
}

/* Answers until the program has ended. */
static void guard_until_it_ends(struct cage_guard *guard, pid_t pid)
{
	for (unsigned i = 0; i < PATIENCE_MS; i++) {
		struct pollfd asked = { .fd = cage_guard_fd(guard), .events = POLLIN };
		siginfo_t how = { 0 };

		if (poll(&asked, 1, cage_guard_patience(guard, 1)) > 0)
			cage_guard_answer(guard, asked.revents);
		else if (!waitid(P_PID, (id_t)pid, &how, WEXITED | WNOHANG | WNOWAIT) && how.si_pid)
			return;
	}
	fail_msg("it does not end");
}

static void run_in_cage(const struct shell *s, struct launch l, const struct cage *cage)
{
	int listener = -1;
	struct cage_guard_options o = { .folder = s->folder, .out = s->out, .err = s->err };
	struct cage_guard *guard;
	GError *error = NULL;

	l.cage = cage;
	l.listener = &listener;
	o.pid = launch_start(&l, &error);
	if (!o.pid)
		fail_msg("%s", error->message);
	assert_true(listener >= 0);
	o.listener = listener;
	guard = cage_guard_new(&o);
	guard_until_it_ends(guard, o.pid);
	ends_well(o.pid);
	cage_guard_free(guard);
}

static void what_it_writes(const struct shell *s, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(s->folder, name, NULL), *is = NULL;

	assert_true(g_file_get_contents(path, &is, NULL, NULL));
	assert_string_equal(is, text);
}

static void in_the_cage_it_reaches_copies(void **state)
{
	const struct shell *s = *state;
	const char *argv[] = { "/bin/bash", "-c",
			       "read a <&20; read b <&30; read c <&31; echo $a $b $c; echo x >&20; "
			       "echo x >made",
			       NULL };
	const int inherited[] = { INHERITED };
	const int handed[] = { file_with(s, "one", "first\n"), file_with(s, "two", "second\n") };
	struct launch_kept kept = { 0 };
	struct launch l = launch_of(s, argv);
	GError *error = NULL;
	struct cage *cage = cage_new(&error);
	const char *nowhere[] = { "/nowhere/at/all", NULL };
	struct launch lost = launch_of(s, nowhere);
	int listener = -1;

	if (!cage) {
		print_message("%s\n", error->message);
		g_error_free(error);
		skip();
	}
	becomes(file_with(s, "inherited", "inherited\n"), INHERITED);
	l.directory = s->folder;
	l.inherited = inherited;
	l.n_inherited = 1;
	l.handed = handed;
	l.n_handed = 2;
	l.handed_at = HANDED_AT;
	l.kept = &kept;
	run_in_cage(s, l, cage);
	has_written(s->out, "inherited first second\n");
	what_it_writes(s, "inherited", "inherited\n");
	assert_int_equal(access("made", F_OK), -1);
	lost.kept = &kept; /* whose listener the next one does not get */
	lost.cage = cage;
	lost.listener = &listener;
	cannot(&lost, "/nowhere/at/all cannot be executed: ");
	assert_int_equal(listener, -1);
	for (size_t i = 0; i < G_N_ELEMENTS(handed); i++)
		assert_int_equal(lseek(handed[i], 0, SEEK_SET), 0);
	assert_int_equal(lseek(INHERITED, 0, SEEK_SET), 0);
	assert_int_equal(ftruncate(s->out, 0) | lseek(s->out, 0, SEEK_SET), 0);
	run_in_cage(s, l, cage);
	has_written(s->out, "inherited first second\n");
	launch_kept_clear(&kept);
	assert_null(kept.stack);
	close(INHERITED);
	close(handed[0]);
	close(handed[1]);
	cage_free(cage);
}

/* In a process of its own: 0 = the start failed with a sentence that says why. */
static int start_without_memory(void)
{
	char program[] = "/bin/true", *argv[] = { program, NULL }, *envp[] = { NULL };
	struct launch l = { .path = program, .argv = argv, .envp = envp, .out = 1, .err = 2 };
	GError *error = NULL;

	free(malloc(1 << 16)); /* the heap has room for the sentence */
	setrlimit(RLIMIT_AS, &(struct rlimit){ 1, 1 });
	if (launch_start(&l, &error))
		return 1;
	return error && g_error_matches(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM) &&
			       strstr(error->message, "/bin/true")
		       ? 0
		       : 2;
}

static void no_memory_is_an_error(void **state)
{
	pid_t pid;
	int status;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* it needs address space of its own */
#endif
	pid = fork();
	if (!pid)
		_exit(start_without_memory());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(it_has_the_files_and_limits_that_it_is_given),
		TEST(it_may_stop_at_its_first_instruction),
		TEST(why_it_cannot_be_started_is_said),
		TEST(in_the_cage_it_reaches_copies),
		cmocka_unit_test(no_memory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
