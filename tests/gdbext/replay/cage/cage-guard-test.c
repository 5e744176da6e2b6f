/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the guard answers to a process in the cage, and what it counts of it.  The process is a
 * child of the test, which is the guard, so no program has to be recorded. */
#include "gdbext/replay/cage/cage-guard.h"
#include "gdbext/replay/cage/cage.h"

#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY = 1 << 20, PATIENCE_MS = 60000 };

/* Shared with the child. */
struct shared {
	volatile int listener; /* its descriptor, 0 = not yet, -1 = no cage */
	volatile bool taken;   /* the guard has it */
	volatile int go_on;    /* the child has said that it waits, and waits until this is 2 */
	volatile int wrong;    /* the line of what is not as it should be */
	char folder[256];
	uint32_t futex;
};

struct guarded {
	char *folder;
	int out, err;
	struct shared *shared;
	pid_t pid;
	struct cage_guard *guard;
};

/* Notes the line that is not as it should be, and ends the child. */
#define OR_ELSE(condition)                   \
	do {                                 \
		if (!(condition)) {          \
			s->wrong = __LINE__; \
			return;              \
		}                            \
	} while (0)

static char *in_folder(const struct guarded *g, const char *name)
{
	return g_build_filename(g->folder, name, NULL);
}

static int start(void **state)
{
	struct guarded *g = g_new0(struct guarded, 1);
	g_autofree char *out = NULL, *err = NULL;

	g->folder = test_folder_new();
	out = in_folder(g, "out.txt");
	err = in_folder(g, "err.txt");
	g->out = open(out, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	g->err = open(err, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	g->shared = mmap(NULL, sizeof *g->shared, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(g->out >= 0 && g->err >= 0 && g->shared != MAP_FAILED);
	g_strlcpy(g->shared->folder, g->folder, sizeof g->shared->folder);
	*state = g;
	return 0;
}

static int end(void **state)
{
	struct guarded *g = *state;

	if (g->pid > 0) {
		kill(g->pid, SIGKILL);
		waitpid(g->pid, NULL, 0);
	}
	cage_guard_free(g->guard);
	munmap(g->shared, sizeof *g->shared);
	close(g->out);
	close(g->err);
	test_folder_free(g->folder);
	g_free(g);
	return 0;
}

static void guard_it(struct guarded *g, struct cage_guard_options options, int listener)
{
	options.listener = listener;
	options.pid = g->pid;
	options.folder = g->folder;
	options.out = g->out;
	options.err = g->err;
	g->guard = cage_guard_new(&options);
}

static bool has_ended(struct guarded *g, int *status)
{
	if (waitpid(g->pid, status, WNOHANG) != g->pid)
		return false;
	g->pid = 0;
	return true;
}

/* Answers until the child says that it waits, or ends, which is what is returned. */
static bool answer(struct guarded *g, int *status)
{
	for (unsigned i = 0; i < PATIENCE_MS; i++) {
		struct pollfd asked = { .fd = cage_guard_fd(g->guard), .events = POLLIN };

		if (g->shared->go_on == 1)
			return false;
		if (poll(&asked, 1, cage_guard_patience(g->guard, 1)) > 0)
			cage_guard_answer(g->guard, asked.revents);
		else if (has_ended(g, status))
			return true;
	}
	fail_msg("the child neither ended nor waits");
	return true;
}

static void wait_for_guard(struct shared *s)
{
	s->go_on = 1;
	while (s->go_on == 1)
		sched_yield();
}

static void in_the_cage(struct guarded *g, void (*act)(struct shared *s),
			struct cage_guard_options o)
{
	GError *error = NULL;
	struct cage *cage = cage_new(&error);
	const struct cage_start begin = { NULL, NULL, NULL, NULL };
	struct sock_filter *filter;
	int of, listener;
	size_t n;

	if (!cage) {
		print_message("%s\n", error->message);
		g_error_free(error);
		skip();
	}
	filter = cage_aim(cage, false, &begin, &n);
	g->pid = fork();
	if (!g->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		g->shared->listener = cage_close_on_self(filter, n, false);
		while (!g->shared->taken)
			sched_yield();
		act(g->shared);
		/* not the exit of the coverage build, which writes files */
		syscall(SYS_exit_group, 0);
	}
	while (!g->shared->listener)
		usleep(1000);
	g_free(filter);
	cage_free(cage);
	assert_true(g->shared->listener > 0);
	of = pidfd_open(g->pid, 0);
	listener = pidfd_getfd(of, g->shared->listener, 0);
	close(of);
	assert_true(listener >= 0);
	guard_it(g, o, listener);
	g->shared->taken = true;
}

static void acts_well(struct guarded *g, void (*act)(struct shared *s), struct cage_guard_options o)
{
	int status = -1;

	in_the_cage(g, act, o);
	assert_true(answer(g, &status));
	assert_true(WIFEXITED(status));
	if (g->shared->wrong)
		fail_msg("line %d of the child is not as it should be", g->shared->wrong);
}

/* ---- what it may do ---- */

static void opens_files(struct shared *s)
{
	int dir = open(s->folder, O_RDONLY | O_DIRECTORY), fd = openat(dir, "data", O_RDWR);
	char text[8] = "";

	OR_ELSE(dir >= 0 && fd >= 0);
	OR_ELSE(write(fd, "new", 3) == 3 && pread(fd, text, 7, 0) == 4 && !strcmp(text, "new4"));
	OR_ELSE(openat(dir, "nothing", O_RDONLY) < 0 && errno == ENOENT);
	OR_ELSE((fd = (int)syscall(SYS_creat, "/tmp/made-by-nobody", 0600)) >= 0);
	OR_ELSE(write(fd, "x", 1) == 1);
	OR_ELSE((fd = memfd_create("memory", MFD_CLOEXEC)) >= 0);
	OR_ELSE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	OR_ELSE(syscall(SYS_memfd_create, "memory", MFD_HUGETLB) < 0 && errno == EINVAL);
}

static void files_are_opened_for_it(void **state)
{
	struct guarded *g = *state;
	g_autofree char *data = in_folder(g, "data"), *is = NULL;

	assert_true(g_file_set_contents(data, "1234", -1, NULL));
	acts_well(g, opens_files, (struct cage_guard_options){ 0 });
	assert_true(g_file_get_contents(data, &is, NULL, NULL));
	assert_string_equal(is, "1234");
	assert_false(g_file_test("/tmp/made-by-nobody", G_FILE_TEST_EXISTS));
	assert_true(cage_guard_gave_files(g->guard));
	assert_false(cage_guard_took_plan(g->guard));
	cage_guard_forget(g->guard);
	assert_false(cage_guard_gave_files(g->guard));
}

/* vfork, which goes on in the parent only. */
static int started(void)
{
	return (int)syscall(SYS_vfork);
}

static void starts_programs(struct shared *s)
{
	char *const words[] = { "true", NULL }, *const none[] = { NULL };
	int status = -1, first, second;
	struct rusage used = { .ru_maxrss = 1 };
	siginfo_t info = { 0 };
	pid_t child;

	OR_ELSE(waitpid(-1, &status, 0) < 0 && errno == ECHILD && status == -1);
	OR_ELSE(!posix_spawn(&child, "/bin/true", NULL, NULL, words, none) && child > 0);
	OR_ELSE(waitpid(child, &status, 0) == child && status == 0);
	OR_ELSE(waitpid(child, &status, 0) < 0 && errno == ECHILD);
	OR_ELSE((first = started()) > 0 && (second = started()) > 0 && first != second);
	OR_ELSE(!kill(second, SIGKILL));
	OR_ELSE(!waitid(P_PID, (id_t)second, &info, WEXITED | WNOWAIT));
	OR_ELSE(info.si_pid == second && info.si_code == CLD_EXITED && info.si_status == 0);
	/* as the fork server waits: the guard is not asked, and there is no process */
	OR_ELSE(wait4(-1, &status, __WALL | __WNOTHREAD, NULL) < 0 && errno == ECHILD);
	OR_ELSE(wait4(-1, &status, WNOHANG, &used) == first && used.ru_maxrss == 0);
	OR_ELSE(wait4(0, NULL, 0, NULL) == second);
	OR_ELSE((first = started()) > 0);
	OR_ELSE(wait4(first, (int *)8, 0, NULL) < 0 && errno == EFAULT);
	OR_ELSE(fork() < 0 && errno == EAGAIN);
	OR_ELSE(syscall(SYS_clone, CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) <
		0);
}

static void programs_are_started_in_appearance(void **state)
{
	unsigned n = 0;

	acts_well(*state, starts_programs, (struct cage_guard_options){ .started = &n });
	assert_int_equal(n, 4);
}

static void starts_none(struct shared *s)
{
	OR_ELSE(started() < 0 && errno == EAGAIN);
	OR_ELSE(fork() < 0 && errno == EAGAIN);
	OR_ELSE(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void where_nobody_counts_them_no_programs_are_started(void **state)
{
	acts_well(*state, starts_none, (struct cage_guard_options){ 0 });
}

static void sets_flags(struct shared *s)
{
	int fd[2];

	OR_ELSE(!pipe(fd));
	OR_ELSE(!fcntl(fd[0], F_SETFL, O_NONBLOCK));
	OR_ELSE(fcntl(fd[0], F_GETFL) & O_NONBLOCK);
	OR_ELSE(!fcntl(fd[0], F_SETFL, 0));
	OR_ELSE(!(fcntl(fd[0], F_GETFL) & O_NONBLOCK));
	OR_ELSE(fcntl(900, F_SETFL, O_NONBLOCK) < 0);
}

static void it_sets_flags_of_its_own(void **state)
{
	acts_well(*state, sets_flags, (struct cage_guard_options){ 0 });
}

static void signals_and_forks(struct shared *s)
{
	OR_ELSE(kill(getppid(), SIGUSR1) < 0 && errno == EPERM);
	OR_ELSE(!kill(getppid(), 0)); /* that only asks */
	OR_ELSE(!kill(getpid(), 0));
	OR_ELSE(syscall(SYS_tkill, getppid(), SIGUSR1) < 0 && errno == EPERM);
	OR_ELSE(!syscall(SYS_tkill, getpid(), 0));
	OR_ELSE(syscall(SYS_clone, 0, 0, 0, 0, 0) < 0 && errno == EAGAIN);
	OR_ELSE(syscall(SYS_sched_getaffinity, 0, sizeof(cpu_set_t), &(cpu_set_t){ 0 }) > 0);
}

static void it_reaches_nobody_else(void **state)
{
	acts_well(*state, signals_and_forks, (struct cage_guard_options){ 0 });
}

static long wait_for_change(uint32_t *word, uint32_t is, long ns)
{
	return syscall(SYS_futex, word, FUTEX_WAIT, is, &(struct timespec){ 0, ns }, NULL, 0);
}

static void waits(struct shared *s)
{
	OR_ELSE(wait_for_change(&s->futex, 1, 1000000) < 0 && errno == EAGAIN);
	OR_ELSE(wait_for_change(&s->futex, 0, 1000000) < 0 && errno == ETIMEDOUT);
	OR_ELSE(wait_for_change(&s->futex, 0, -1) < 0 && errno == EINVAL);
}

static void waits_come_to_an_end(void **state)
{
	acts_well(*state, waits, (struct cage_guard_options){ 0 });
}

/* ---- what counts ---- */

static void holds_sockets(struct shared *s)
{
	int fd[2];

	wait_for_guard(s);
	OR_ELSE(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	OR_ELSE(dup2(fd[0], 300) == 300);
	wait_for_guard(s);
	for (int i = 0; i < 16; i++)
		OR_ELSE(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	wait_for_guard(s);
}

static void what_sockets_may_hold_counts(void **state)
{
	struct guarded *g = *state;
	int status;

	in_the_cage(g, holds_sockets, (struct cage_guard_options){ .memory = 4 * MEMORY });
	assert_false(answer(g, &status));
	assert_true(cage_guard_is_within(g->guard));
	g->shared->go_on = 2;
	assert_false(answer(g, &status));
	assert_true(cage_guard_is_within(g->guard));
	g->shared->go_on = 2;
	assert_false(answer(g, &status));
	assert_false(cage_guard_is_within(g->guard));
}

static void holds_files(struct shared *s)
{
	static char zeros[MEMORY / 4];
	int fd[4];

	for (int i = 0; i < 4; i++) {
		OR_ELSE((fd[i] = memfd_create("memory", 0)) >= 0);
		OR_ELSE(write(fd[i], zeros, sizeof zeros) == sizeof zeros);
	}
	OR_ELSE(write(fd[0], zeros, 4096) == 4096);
	wait_for_guard(s);
	for (int i = 1; i < 4; i++)
		close(fd[i]);
	OR_ELSE(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd[0], 0) != MAP_FAILED);
	close(fd[0]);
	wait_for_guard(s);
}

/* A file that it closed is memory no more; one that it has mapped is. */
static void files_in_memory_count_while_they_are_held(void **state)
{
	struct guarded *g = *state;
	int status;

	in_the_cage(g, holds_files, (struct cage_guard_options){ .memory = MEMORY });
	assert_false(answer(g, &status));
	assert_false(cage_guard_is_within(g->guard));
	g->shared->go_on = 2;
	assert_false(answer(g, &status));
	assert_true(cage_guard_is_within(g->guard));
	assert_true(cage_guard_gave_files(g->guard));
}

static void does_nothing(struct shared *s)
{
	(void)s;
}

static void write_much(int fd, size_t size)
{
	g_autofree char *zeros = g_malloc0(size);

	assert_int_equal(write(fd, zeros, size), size);
}

static void its_folder_and_its_output_have_bounds(void **state)
{
	struct guarded *g = *state;

	guard_it(g, (struct cage_guard_options){ .disk = MEMORY, .output = MEMORY / 2 }, -1);
	assert_true(cage_guard_is_within(g->guard));
	write_much(g->out, MEMORY / 4);
	write_much(g->err, MEMORY / 4);
	assert_true(cage_guard_is_within(g->guard));
	write_much(g->out, MEMORY / 2); /* too much for one output file, not for the folder */
	assert_false(cage_guard_is_within(g->guard));
	assert_int_equal(ftruncate(g->out, 0), 0);
	assert_true(cage_guard_is_within(g->guard));
	for (unsigned i = 0; i < 4; i++) {
		g_autofree char *name = g_strdup_printf("trace.%u", i), *path = in_folder(g, name);
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		write_much(fd, MEMORY / 4);
		close(fd);
	}
	assert_false(cage_guard_is_within(g->guard));
}

static void it_knows_the_output_and_the_pipes(void **state)
{
	struct guarded *g = *state;
	g_autofree char *ask = in_folder(g, "ask"), *other = in_folder(g, "other");
	struct stat st;

	assert_int_equal(mkfifo(ask, 0600) | mkfifo(other, 0600), 0);
	guard_it(g, (struct cage_guard_options){ 0 }, -1);
	assert_int_equal(fstat(g->out, &st), 0);
	assert_true(cage_guard_is_output(g->guard, &st));
	assert_false(cage_guard_is_pipe(g->guard, &st));
	assert_int_equal(stat(ask, &st), 0);
	assert_true(cage_guard_is_pipe(g->guard, &st));
	assert_int_equal(stat(other, &st), 0);
	assert_false(cage_guard_is_pipe(g->guard, &st));
	assert_false(cage_guard_is_output(g->guard, &st));
}

/* Nobody is left who could ask, and poll has nothing to say any more. */
static void it_ends_with_those_who_ask(void **state)
{
	struct guarded *g = *state;

	acts_well(g, does_nothing, (struct cage_guard_options){ 0 });
	for (unsigned i = 0; i < PATIENCE_MS && cage_guard_fd(g->guard) >= 0; i++) {
		struct pollfd asked = { .fd = cage_guard_fd(g->guard), .events = POLLIN };

		if (poll(&asked, 1, 1) > 0)
			cage_guard_answer(g->guard, asked.revents);
	}
	assert_int_equal(cage_guard_fd(g->guard), -1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(files_are_opened_for_it),
		TEST(programs_are_started_in_appearance),
		TEST(where_nobody_counts_them_no_programs_are_started),
		TEST(it_sets_flags_of_its_own),
		TEST(it_reaches_nobody_else),
		TEST(waits_come_to_an_end),
		TEST(what_sockets_may_hold_counts),
		TEST(files_in_memory_count_while_they_are_held),
		TEST(its_folder_and_its_output_have_bounds),
		TEST(it_knows_the_output_and_the_pipes),
		TEST(it_ends_with_those_who_ask),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
