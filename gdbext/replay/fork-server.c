/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that cost a fork each: the agent serves them from a process that has been
 * loaded once (TRACE_SERVE).
 */
#include "gdbext/replay/internal.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/run-clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct replay_server {
	double timeout; /* seconds, one run */
	const struct deadline *until;
	struct supervisor *supervisor;
	char *folder;
	int ask, answer;
	int pidfd; /* -1 = it is not running */
	pid_t pid;
	struct cage_guard *guard;
	int out, err;				/* what the runs write, from the start each time */
	const struct expected_output *expected; /* NULL = status 0 is enough */
};

static int make_pipe(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return mkfifo(path, 0600) ? -1 : open(path, O_RDWR | O_CLOEXEC);
}

static bool start(struct replay *r, struct replay_server *s, const struct run_place *place,
		  const struct run_request *request, GError **error)
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
	if (!replay_write_plan(r, s->folder, TRACE_NATIVE | TRACE_SERVE, request, error))
		return false;
	replay_launch_init(r, place, &l);
	l.limit_memory = r->memory_limit;
	l.limit_file = r->limits->caged_output;
	s->timeout = r->caged_timeout;
	s->until = r->until;
	s->supervisor = r->supervisor;
	s->guard = replay_start_caged(r, place, &l, true, &s->pid, error);
	s->pidfd = s->guard ? pidfd_open(s->pid, 0) : -1;
	if (s->pidfd >= 0)
		fcntl(s->pidfd, F_SETFD, FD_CLOEXEC);
	return s->guard;
}

struct replay_server *replay_server_new(struct replay *r, const struct trace_action *changes,
					size_t n, uint64_t cpu_us, GError **error)
{
	struct run_request request = {
		.actions = changes, .n_actions = n, .native = true, .cpu_us = cpu_us
	};
	struct replay_server *s = g_new0(struct replay_server, 1);
	struct run_place place;

	s->ask = s->answer = s->pidfd = s->out = s->err = -1;
	if (!replay_place_make(r, &place, error)) {
		g_free(s);
		return NULL;
	}
	s->folder = g_strdup(place.folder);
	s->out = fcntl(place.out, F_DUPFD_CLOEXEC, 3);
	s->err = fcntl(place.err, F_DUPFD_CLOEXEC, 3);
	if (!start(r, s, &place, &request, error))
		g_clear_pointer(&s, replay_server_free);
	replay_place_clear(&place);
	return s;
}

static void end(struct replay_server *s)
{
	if (!s->pid)
		return;
	supervisor_end(s->supervisor, s->pid, NULL, NULL);
	s->pid = 0;
}

static void close_it(int fd)
{
	if (fd >= 0)
		close(fd);
}

void replay_server_free(struct replay_server *s)
{
	if (!s)
		return;
	end(s);
	close_it(s->ask);
	close_it(s->answer);
	close_it(s->pidfd);
	close_it(s->out);
	close_it(s->err);
	cage_guard_free(s->guard);
	folder_remove(s->folder);
	g_free(s->folder);
	g_free(s);
}

/* 1: there is an answer; 0: time is up, the run took too much, or the server is gone; -1:
 * interrupted. */
static int wait_for_answer(struct replay_server *s, GError **error)
{
	struct run_clock clock = run_clock_start(s->pid, s->timeout);
	gint64 tick = g_get_monotonic_time() + CAGE_GUARD_TICK_MS * 1000;

	for (;;) {
		struct pollfd fds[] = { { .fd = s->answer, .events = POLLIN },
					{ .fd = s->pidfd, .events = POLLIN },
					{ .fd = cage_guard_fd(s->guard), .events = POLLIN },
					{ .fd = replay_interrupt_fd(), .events = POLLIN } };
		gint64 now = g_get_monotonic_time();

		if (!deadline_check(s->until, error))
			return -1;
		if (run_clock_left(&clock) <= 0 || (now >= tick && !cage_guard_is_within(s->guard)))
			return 0;
		tick = now >= tick ? now + CAGE_GUARD_TICK_MS * 1000 : tick;
		if (poll(fds, G_N_ELEMENTS(fds), deadline_left_ms(s->until, CAGE_GUARD_TICK_MS)) <=
		    0)
			continue;
		if (fds[0].revents & POLLIN)
			return 1;
		if (fds[1].revents)
			return 0;
		cage_guard_answer(s->guard, fds[2].revents);
	}
}

static bool is_lost(GError **error)
{
	g_set_error_literal(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "The program cannot be run with changed code.");
	return false;
}

void replay_server_expect(struct replay_server *s, const struct expected_output *expected)
{
	s->expected = expected;
}

/* All runs share their place in the files with us. */
static void empty_output(int fd)
{
	if (fd >= 0 && (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)))
		g_debug("what an earlier run wrote stays: %s", g_strerror(errno));
}

static bool has_passed(const struct replay_server *s, int status)
{
	if (s->expected)
		return expected_look(s->expected, s->folder, WIFEXITED(status), WEXITSTATUS(status))
			.met;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool replay_server_run(struct replay_server *s, const struct trace_action *change, bool *passes,
		       uint64_t *cpu_us, GError **error)
{
	struct trace_served served = { .status = 1, .cpu_us = (uint32_t)(s->timeout * 1e6) };
	int came;

	if (s->expected) {
		empty_output(s->out);
		empty_output(s->err);
	}
	if (!s->pid || write(s->ask, change, sizeof *change) != sizeof *change)
		return is_lost(error);
	came = wait_for_answer(s, error);
	cage_guard_forget(s->guard);
	if (came < 0)
		return false;
	if (!came) /* as far as the answer goes, a run that does not end fails */
		end(s);
	else if (read(s->answer, &served, sizeof served) != sizeof served || served.status == -1)
		return is_lost(error);
	if (passes)
		*passes = has_passed(s, served.status);
	if (cpu_us)
		*cpu_us = served.cpu_us;
	return true;
}
