/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/server/fork-server.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/run/output-watch.h"
#include "gdbext/replay/run/run-clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The agent looks after as many files; see gdbext/agent/process/serve.c. */
enum { MOST_FILES = 64 };

/* Files that all runs have in common.  A run may write to them; the next one finds them as they
 * were when the process began to serve. */
enum { KEPT_PLAN, KEPT_OUT, KEPT_ERR, KEPT_FILES };
static const char *const kept_names[] = { "plan", "out", "err" };

struct fork_server {
	double timeout; /* seconds, one run */
	const struct deadline *until;
	struct supervisor *supervisor;
	char *folder;
	int ask, answer;
	int pidfd; /* -1 = it is not running */
	pid_t pid;
	struct cage_guard *guard;
	char *kept[KEPT_FILES]; /* their contents; NULL = there is no such file */
	gsize kept_length[KEPT_FILES];
	bool serves;
	const struct expected_output
		*expected; /* NULL = nobody knows what its runs have to print */
	uint64_t more;	   /* bytes; 0: a run that missed .expected is over */
};

static int make_pipe(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return mkfifo(path, 0600) ? -1 : open(path, O_RDWR | O_CLOEXEC);
}

/* Where its runs leave what they note; without it they note nothing. */
static void make_notes(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "notes", NULL);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0 && !ftruncate(fd, TRACE_NOTES_SIZE))
		g_debug("runs from %s may take notes", folder);
	if (fd >= 0)
		close(fd);
}

static bool start_fork_server(struct replay *r, struct fork_server *s,
			      const struct run_place *place, const struct run_request *request,
			      GError **error)
{
	struct launch l;

	s->ask = make_pipe(s->folder, "ask");
	s->answer = make_pipe(s->folder, "answer");
	if (s->ask < 0 || s->answer < 0) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make a pipe in %s: %s; set GDB_WHY_TMPDIR.", s->folder,
			    g_strerror(errno));
		return false;
	}
	if (request->native)
		make_notes(s->folder);
	if (!replay_write_plan(r, s->folder, TRACE_SERVE | (request->native ? TRACE_NATIVE : 0),
			       NULL, request, error))
		return false;
	replay_launch_init(r, place, &l);
	replay_limit_launch(r, request, &l);
	s->timeout = r->caged_timeout;
	s->until = r->until;
	s->supervisor = r->cager;
	s->guard = replay_start_caged(r, place, &l, true, &s->pid, error);
	s->pidfd = s->guard ? pidfd_open(s->pid, 0) : -1;
	if (s->pidfd >= 0)
		fcntl(s->pidfd, F_SETFD, FD_CLOEXEC);
	return s->guard;
}

struct fork_server *fork_server_new(struct replay *r, const struct run_request *request,
				    GError **error)
{
	struct fork_server *s = g_new0(struct fork_server, 1);
	struct run_place place;

	s->ask = s->answer = s->pidfd = -1;
	if (!replay_place_make(r, &place, error)) {
		g_free(s);
		return NULL;
	}
	s->folder = g_strdup(place.folder);
	if (!start_fork_server(r, s, &place, request, error))
		g_clear_pointer(&s, fork_server_free);
	replay_place_clear(&place);
	return s;
}

static void end_server(struct fork_server *s)
{
	if (s->pid)
		supervisor_end(s->supervisor, s->pid, NULL, NULL);
	s->pid = 0;
	s->serves = false;
}

static void close_it(int fd)
{
	if (fd >= 0)
		close(fd);
}

void fork_server_free(struct fork_server *s)
{
	if (!s)
		return;
	end_server(s);
	close_it(s->ask);
	close_it(s->answer);
	close_it(s->pidfd);
	cage_guard_free(s->guard);
	folder_remove(s->folder);
	for (int i = 0; i < KEPT_FILES; i++)
		g_free(s->kept[i]);
	g_free(s->folder);
	g_free(s);
}

void fork_server_expect(struct fork_server *s, const struct expected_output *expected,
			uint64_t more)
{
	s->expected = expected;
	s->more = more;
}

const char *fork_server_folder(const struct fork_server *s)
{
	return s->folder;
}

/* ---- may it be forked? ---- */

static bool is_harmless_device(dev_t device)
{
	return major(device) == 1; /* others have no state, or are not opened in the cage */
}

/* What the agent puts back between two runs: where a file that is only read is, and the ends of the
 * two that the program prints to. */
static bool is_put_back(const struct fork_server *s, const char *fd, const struct stat *st)
{
	g_autofree char *info = g_strdup_printf("/proc/%d/fdinfo/%s", (int)s->pid, fd);
	g_autofree char *text = NULL;
	const char *flags;

	if (S_ISCHR(st->st_mode))
		return is_harmless_device(st->st_rdev);
	if (!S_ISREG(st->st_mode) || atoi(fd) >= MOST_FILES ||
	    !g_file_get_contents(info, &text, NULL, NULL))
		return false;
	flags = strstr(text, "flags:");
	if (flags && (strtol(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) == O_RDONLY)
		return true;
	return atoi(fd) <= STDERR_FILENO && cage_guard_is_output(s->guard, st);
}

static bool has_files_of_its_own(const struct fork_server *s)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fd", (int)s->pid);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	if (!dir || cage_guard_gave_files(s->guard))
		return true;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *fd = g_build_filename(path, name, NULL);
		struct stat st;
		bool pipe_of_ours;

		if (stat(fd, &st))
			return true;
		pipe_of_ours = S_ISFIFO(st.st_mode) && cage_guard_is_pipe(s->guard, &st);
		if (!pipe_of_ours && !is_put_back(s, name, &st))
			return true;
	}
	return false;
}

/* What /proc/PID/NAME says; NULL when it says nothing. */
static char *text_of_proc(const struct fork_server *s, const char *name)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)s->pid, name);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

/* A line of smaps: "FROM-TO rw-s …". */
static bool is_shared_mapping(const char *line)
{
	char rights[5];

	return sscanf(line, "%*x-%*x %4s", rights) == 1 && strlen(rights) == 4 &&
	       rights[1] == 'w' && rights[3] == 's';
}

/* "VmFlags: rd wr … dc": madvise() may say that a child does not get it, or finds it empty. */
static bool stays_behind(const char *line)
{
	return g_str_has_prefix(line, "VmFlags:") && (strstr(line, " dc") || strstr(line, " wf"));
}

/* Would all runs write to the same memory, or lack some? */
static bool has_memory_of_its_own(const struct fork_server *s)
{
	g_autofree char *text = text_of_proc(s, "smaps");
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line && *line; line++)
		if (is_shared_mapping(*line) || stays_behind(*line))
			return true;
	return !lines;
}

/* Does the process have timers by timer_create()?  A forked child would have none of them. */
static bool has_timers(const struct fork_server *s)
{
	g_autofree char *text = text_of_proc(s, "timers");

	return !text || *text;
}

/* Signals that were sent and are blocked: for a child they were not sent. */
static bool has_signals(const struct fork_server *s)
{
	static const char *const names[] = { "\nSigPnd:", "\nShdPnd:" };
	g_autofree char *text = text_of_proc(s, "status");

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *line = text ? strstr(text, names[i]) : NULL;

		if (!line || g_ascii_strtoull(line + strlen(names[i]), NULL, 16))
			return true;
	}
	return false;
}

static bool has_threads(const struct fork_server *s)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", (int)s->pid);
	struct stat st;

	return stat(path, &st) || st.st_nlink != 3;
}

bool fork_server_is_forkable(const struct fork_server *s)
{
	return s->serves && !has_threads(s) && !has_memory_of_its_own(s) &&
	       !has_files_of_its_own(s) && !has_timers(s) && !has_signals(s);
}

/* ---- what runs have in common ---- */

static char *kept_path(const struct fork_server *s, int which)
{
	return g_build_filename(s->folder, kept_names[which], NULL);
}

static void keep_files(struct fork_server *s)
{
	for (int i = 0; i < KEPT_FILES; i++) {
		g_autofree char *path = kept_path(s, i);

		if (!g_file_get_contents(path, &s->kept[i], &s->kept_length[i], NULL))
			s->kept[i] = NULL;
	}
}

/* What was printed after that is cut off by the process itself. */
static bool is_as_kept(const struct fork_server *s, int which, const char *path)
{
	gsize n = s->kept_length[which], length = 0;
	g_autofree char *now = g_malloc(n + 1);
	ssize_t got = 1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && got > 0 && length <= n) {
		got = read(fd, now + length, n + 1 - length);
		length += (gsize)MAX(got, 0);
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0 && (which == KEPT_PLAN ? length == n : length >= n) &&
	       !memcmp(now, s->kept[which], n);
}

/* An empty file may only grow. */
static bool may_differ(const struct fork_server *s, int which)
{
	return s->kept[which] && (which == KEPT_PLAN || s->kept_length[which]);
}

/* The files are changed in place, because the process has them open or mapped. */
static bool put_back_file(const struct fork_server *s, int which)
{
	g_autofree char *path = kept_path(s, which);
	gsize n = s->kept_length[which];
	bool done;
	int fd;

	if (!may_differ(s, which) || is_as_kept(s, which, path))
		return true;
	fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	done = fd >= 0 && pwrite(fd, s->kept[which], n, 0) == (ssize_t)n &&
	       !ftruncate(fd, (off_t)n);
	if (fd >= 0)
		close(fd);
	return done;
}

static bool put_all_back(const struct fork_server *s)
{
	bool done = true;

	for (int i = 0; i < KEPT_FILES; i++)
		done = put_back_file(s, i) && done;
	return done;
}

/* ---- a run that takes too much processor time ---- */

/* The process that the server forked last and waits for; 0: there is none. */
static pid_t run_of_server(const struct fork_server *s)
{
	g_autofree char *name = g_strdup_printf("task/%d/children", (int)s->pid);
	g_autofree char *text = text_of_proc(s, name);

	return text ? (pid_t)strtol(text, NULL, 10) : 0;
}

/* Microseconds of processor time that the process has taken; -1: nobody knows. */
static gint64 processor_time_of(pid_t pid)
{
	struct timespec taken;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &taken))
		return -1;
	return (gint64)taken.tv_sec * G_USEC_PER_SEC + taken.tv_nsec / 1000;
}

/* Ends the run if it has taken so much.  Otherwise says how long it cannot have done so yet, in
 * microseconds; -1: that is not to be asked again. */
static gint64 cut_run(const struct fork_server *s, gint64 most)
{
	const pid_t pid = run_of_server(s);
	const gint64 taken = pid > 0 ? processor_time_of(pid) : -1;
	int fd;

	if (taken < most)
		return taken < 0 ? -1 : most - taken;
	fd = pidfd_open(pid, 0);
	/* another process may have its number by now, but then it is no child of the server */
	if (fd >= 0 && run_of_server(s) == pid)
		pidfd_send_signal(fd, SIGKILL, NULL, 0);
	close_it(fd);
	return -1;
}

/* The kernel looks at a run's clock at each tick, and an endless run takes one or two more of them
 * than it is given.  Returns the microseconds until it is to be looked at again; -1: never. */
static gint64 until_cut(const struct fork_server *s, gint64 began, gint64 most)
{
	gint64 gone = g_get_monotonic_time() - began;

	return most <= 0 ? -1 : gone < most ? most - gone : cut_run(s, most);
}

/* Ends the run when it need not go on because of what it has printed.  Returns the microseconds
 * until it is to be looked at again; -1: never. */
static gint64 until_output_seen(const struct fork_server *s, struct output_watch *watch)
{
	bool over = false;
	gint64 left = output_watch_look(watch, &over);

	if (!over)
		return left;
	watch->expected = NULL;
	return cut_run(s, 0);
}

/* ---- runs ---- */

static int poll_until(struct pollfd *fds, unsigned n, int ms, gint64 us)
{
	gint64 most =
		us >= 0 ? MIN(us, ms * G_TIME_SPAN_MILLISECOND) : ms * G_TIME_SPAN_MILLISECOND;
	struct timespec patience = { most / G_USEC_PER_SEC, most % G_USEC_PER_SEC * 1000 };

	return ppoll(fds, n, &patience, NULL);
}

/* cpu_us: what the run may take; 0 = it does not matter.  1: there is an answer; 0: time is up, the
 * run took too much, or the server is gone; -1: interrupted. */
static int wait_for_answer(struct fork_server *s, uint64_t cpu_us, struct run_ending *ending,
			   GError **error)
{
	/* What it waited for a processor in earlier runs is not asked for, because that costs a
	 * fifth of a short run: a run that is late gets that much more. */
	struct run_clock clock = run_clock_of_new(s->pid, s->timeout);
	const gint64 began = g_get_monotonic_time();
	gint64 tick = began + CAGE_GUARD_TICK_MS * 1000, cut = (gint64)MIN(cpu_us, G_MAXINT64);
	struct output_watch watch =
		output_watch_new(s->serves ? s->expected : NULL, s->folder, s->more);

	for (;;) {
		struct pollfd fds[] = { { .fd = s->answer, .events = POLLIN },
					{ .fd = s->pidfd, .events = POLLIN },
					{ .fd = cage_guard_fd(s->guard), .events = POLLIN },
					{ .fd = replay_interrupt_fd(), .events = POLLIN } };
		gint64 now = g_get_monotonic_time(), left, seen;

		if (!deadline_check(s->until, error))
			return -1;
		ending->timed_out = run_clock_left(&clock) <= 0;
		ending->over_limit = now >= tick && !cage_guard_is_within(s->guard);
		if (ending->timed_out || ending->over_limit)
			return 0;
		tick = now >= tick ? now + CAGE_GUARD_TICK_MS * 1000 : tick;
		left = until_cut(s, began, cut);
		cut = left < 0 ? 0 : cut;
		seen = until_output_seen(s, &watch);
		left = left < 0 || (seen >= 0 && seen < left) ? seen : left;
		if (poll_until(fds, G_N_ELEMENTS(fds),
			       cage_guard_patience(s->guard,
						   deadline_left_ms(s->until, CAGE_GUARD_TICK_MS)),
			       left) <= 0)
			continue;
		if (fds[0].revents & POLLIN)
			return 1;
		if (fds[1].revents)
			return 0;
		cage_guard_answer(s->guard, fds[2].revents);
	}
}

/* False without error when the server is over. */
static bool read_server_answer(struct fork_server *s, uint64_t cpu_us, struct run_ending *ending,
			       GError **error)
{
	struct trace_served served = { .status = -1 };
	int came = wait_for_answer(s, cpu_us, ending, error);

	if (came > 0 && read(s->answer, &served, sizeof served) == sizeof served &&
	    served.status != -1) {
		ending->is.status = served.status;
		ending->is.cpu = served.cpu_us / 1e6;
		return true;
	}
	end_server(s);
	return false;
}

bool fork_server_wait(struct fork_server *s, GError **error)
{
	struct run_ending ending = { 0 };

	if (s->pid && !s->serves && read_server_answer(s, 0, &ending, error)) {
		s->serves = true;
		keep_files(s);
		cage_guard_serve(s->guard);
	}
	return s->serves;
}

bool fork_server_run(struct fork_server *s, const struct trace_request *request,
		     struct run_ending *ending, GError **error)
{
	size_t size = offsetof(struct trace_request, actions) +
		      request->n_actions * sizeof *request->actions;
	GError *interrupted = NULL;
	bool answered;

	*ending = (struct run_ending){ 0 };
	if (!s->serves || !put_all_back(s) || write(s->ask, request, size) != (ssize_t)size) {
		g_set_error_literal(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
				    "The program cannot be run from there.");
		return false;
	}
	answered = read_server_answer(s, request->cpu_us, ending, &interrupted);
	cage_guard_forget(s->guard);
	if (interrupted) {
		g_propagate_error(error, interrupted);
		return false;
	}
	if (answered || ending->timed_out || ending->over_limit)
		return true;
	g_set_error_literal(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "The process that the program was run from is gone.");
	return false;
}
