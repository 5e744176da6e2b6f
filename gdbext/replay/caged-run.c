/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Direct runs: fork and exec, in the cage, without GDB.  What the solver asks
 * for comes through here, many times for one question.
 */
#include "gdbext/replay/run/assert-message.h"
#include "gdbext/replay/internal.h"

#include "gdbext/replay/handed.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/run/output-watch.h"
#include "gdbext/replay/run/run-clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_THREADS 1024u

/* So long there is nothing to look at, in microseconds. */
static gint64 time_to_wait(const struct replay *r, struct cage_guard *guard, gint64 look)
{
	const int ms = cage_guard_patience(guard, deadline_left_ms(r->until, CAGE_GUARD_TICK_MS));
	const gint64 us = ms * G_TIME_SPAN_MILLISECOND;

	return look >= 0 ? MIN(look, us) : us;
}

static int poll_for(struct pollfd *fds, unsigned n, gint64 us)
{
	const struct timespec time = { us / G_USEC_PER_SEC, us % G_USEC_PER_SEC * 1000 };

	return ppoll(fds, n, &time, NULL);
}

/* Waits until the program is over, its time is, or it has taken too much; false when
 * interrupted.  What it asks meanwhile is answered. */
static bool wait_until(const struct replay *r, const char *folder, int pidfd,
		       struct cage_guard *guard, const struct run_clock *clock,
		       struct run_ending *ending, GError **error)
{
	struct output_watch watch = output_watch_new(r->expected, folder, r->limits->output_more);
	gint64 tick = g_get_monotonic_time() + CAGE_GUARD_TICK_MS * 1000;

	for (;;) {
		struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
					{ .fd = cage_guard_fd(guard), .events = POLLIN },
					{ .fd = replay_interrupt_fd(), .events = POLLIN } };
		gint64 now = g_get_monotonic_time(), wait, look;
		int ready;

		if (!deadline_check(r->until, error))
			return false;
		ending->timed_out = run_clock_left(clock) <= 0;
		if (now >= tick) {
			ending->over_limit = !cage_guard_is_within(guard);
			tick = now + CAGE_GUARD_TICK_MS * 1000;
		}
		look = output_watch_look(&watch, &ending->over_limit);
		if (ending->timed_out || ending->over_limit)
			return true;
		wait = time_to_wait(r, guard, look);
		ready = poll_for(fds, G_N_ELEMENTS(fds), wait);
		if (!ready && wait != look)
			cage_guard_part(guard);
		if (ready <= 0)
			continue;
		if (fds[0].revents)
			return true;
		cage_guard_answer(guard, fds[1].revents);
		if (cage_guard_fd(guard) < 0)
			return true; /* all of its threads are ending */
	}
}

/* In any case the program is gone afterwards. */
static bool wait_for_caged_run(struct replay *r, const char *folder, pid_t pid,
			       struct cage_guard *guard, struct run_ending *ending, GError **error)
{
	struct run_clock clock = run_clock_of_new(pid, r->caged_timeout);
	int pidfd = pidfd_open(pid, 0);
	bool waited = false;

	if (pidfd < 0) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot watch the program: %s.", g_strerror(errno));
	} else {
		fcntl(pidfd, F_SETFD, FD_CLOEXEC);
		waited = wait_until(r, folder, pidfd, guard, &clock, ending, error);
		close(pidfd);
	}
	return supervisor_end(r->cager, pid, &ending->is, waited ? error : NULL) && waited;
}

/* What the heads of all threads' records say, taken together. */
struct heads {
	bool insns, bytes, unsupported;
	uint64_t actions_done, executed; /* the latter by the thread that is asked about */
};

bool replay_read_head(const char *folder, unsigned thread, struct trace_head *head)
{
	g_autofree char *path = g_strdup_printf("%s/trace.%u", folder, thread);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, head, sizeof *head, 0);

	if (fd >= 0)
		close(fd);
	return got == sizeof *head && !memcmp(head->magic, TRACE_HEAD_MAGIC, sizeof head->magic);
}

bool replay_is_whole(const struct replay_failing *failing, uint64_t *bytes, uint64_t *insns)
{
	struct trace_head head;

	if (!replay_read_head(failing->record, failing->thread, &head) ||
	    head.end != TRACE_END_BYTES)
		return true;
	*bytes = head.length;
	*insns = head.insns;
	return false;
}

static struct heads read_heads(const char *folder, unsigned asked)
{
	struct heads all = { 0 };
	struct trace_head head;

	for (unsigned thread = 0; thread < MAX_THREADS; thread++) {
		if (!replay_read_head(folder, thread, &head))
			break;
		all.actions_done += head.actions_done;
		all.executed += thread == asked ? head.insns : 0;
		all.insns |= head.end == TRACE_END_INSNS;
		all.bytes |= head.end == TRACE_END_BYTES;
		all.unsupported |= head.end == TRACE_END_UNSUPPORTED;
	}
	return all;
}

/* Does what the program printed last to its standard error look as what
 * __assert_fail prints?  The record would tell as well, but not when a limit ended it. */
static bool ends_in_assertion(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "err", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	char tail[8192];
	ssize_t got = 0;

	if (size > 0)
		got = pread(fd, tail, sizeof tail - 1, MAX(size - (off_t)sizeof tail + 1, 0));
	if (fd >= 0)
		close(fd);
	tail[MAX(got, 0)] = '\0';
	for (ssize_t i = 0; i < got; i++) /* NULs must not hide the rest */
		if (!tail[i])
			tail[i] = ' ';
	return assert_message_find(tail, NULL);
}

static void classify_signal(const struct run_ending *ending, double cpu_limit,
			    struct run_result *result)
{
	int signo = WTERMSIG(ending->is.status);

	result->end = RUN_SIGNAL;
	result->signo = signo;
	if (signo == SIGXCPU || (signo == SIGKILL && ending->is.cpu >= cpu_limit - 0.1))
		result->end = RUN_TIMEOUT;
	else if (signo == SIGXFSZ || signo == SIGKILL)
		result->end = RUN_LIMIT; /* or out of memory */
}

static uint64_t cpu_limit_of(const struct replay *r)
{
	return (uint64_t)ceil(r->caged_timeout) + 1;
}

void replay_classify(const struct replay *r, const char *folder, const struct run_ending *ending,
		     const struct run_request *request, struct run_result *result)
{
	struct heads heads = read_heads(folder, request->thread);
	bool failed = !WIFEXITED(ending->is.status) || WEXITSTATUS(ending->is.status);

	result->actions_done = heads.actions_done;
	result->insns = heads.executed;
	if (ending->timed_out) {
		result->end = RUN_TIMEOUT;
	} else if (ending->over_limit || heads.insns || heads.unsupported ||
		   (heads.bytes && request->record)) {
		result->end = RUN_LIMIT;
	} else if (!failed) {
		result->end = RUN_PASSED;
	} else if (ends_in_assertion(folder)) {
		result->end = RUN_ASSERT;
	} else if (WIFEXITED(ending->is.status)) {
		result->end = RUN_STATUS;
		result->status = WEXITSTATUS(ending->is.status);
	} else {
		classify_signal(ending, (double)cpu_limit_of(r), result);
	}
}

void replay_limit_launch(const struct replay *r, const struct run_request *request,
			 struct launch *l)
{
	l->limit_memory = r->memory_limit;
	l->limit_file = r->limits->caged_output;
	if (request->native)
		return;
	l->limit_cpu = cpu_limit_of(r);
	l->limit_file += MAX(r->max_bytes, r->limits->caged_output);
}

struct cage_guard *replay_start_caged(struct replay *r, const struct run_place *place,
				      struct launch *l, bool serves, pid_t *pid, GError **error)
{
	struct cage_guard_options options = { .folder = place->folder,
					      .out = place->out,
					      .err = place->err,
					      .output_file = r->output_file.path,
					      .output_before = r->output_file.before,
					      .serves = serves,
					      .memory = l->limit_memory,
					      .disk = l->limit_file + r->limits->caged_output,
					      .output = r->limits->caged_output,
					      .until = r->until,
					      .started =
						      r->follow.child ? NULL : &r->started_in_cage,
					      .listener = -1 };

	if (!r->cage) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "No changed run is made, since %s.", r->without_cage);
		return NULL;
	}
	l->cage = r->cage;
	l->listener = &options.listener;
	l->forks = serves;
	if (!serves) /* which lasts */
		together_begin(&options.together);
	l->together = &options.together;
	options.pid = supervisor_start(r->cager, l, error);
	*pid = options.pid;
	if (options.pid)
		return cage_guard_new(&options);
	together_end(&options.together, 0);
	return NULL;
}

static struct cage_guard *start_run(struct replay *r, const struct run_place *place,
				    const struct run_request *request, bool hands, pid_t *pid,
				    GError **error)
{
	uint32_t flags =
		(request->record ? TRACE_RECORD : 0) | (request->native ? TRACE_NATIVE : 0);
	struct handed handed = hands ? handed_choose(r, flags) : (struct handed){ 0 };
	struct cage_guard *guard = NULL;
	struct launch l;

	replay_launch_init(r, place, &l);
	replay_limit_launch(r, request, &l);
	l.handed = handed.fd;
	l.n_handed = handed.n;
	l.handed_at = handed.at;
	if (replay_write_plan(r, place->folder, flags, &handed, request, error) &&
	    handed_open(&handed, r, place, error))
		guard = replay_start_caged(r, place, &l, false, pid, error);
	handed_close(&handed);
	return guard;
}

static bool run_in(struct replay *r, struct run_place *place, const struct run_request *request,
		   bool hands, struct run_result *result, GError **error)
{
	struct run_ending ending = { 0 };
	struct cage_guard *guard;
	bool waited, taken;
	pid_t pid;

	guard = start_run(r, place, request, hands, &pid, error);
	if (!guard)
		return false;
	waited = wait_for_caged_run(r, place->folder, pid, guard, &ending, error);
	taken = cage_guard_took_plan(guard);
	cage_guard_free(guard);
	if (!waited || !deadline_check(r->until, error))
		return false;
	/* out of time may be before its start */
	if (!ending.timed_out && !ending.over_limit &&
	    !(taken && replay_has_lost_plan(place->folder)) &&
	    !replay_check_claimed(place->folder,
				  WIFSIGNALED(ending.is.status) ? WTERMSIG(ending.is.status) : 0,
				  error))
		return false;
	replay_classify(r, place->folder, &ending, request, result);
	return true;
}

/* hands: the recorder finds its files open, and need not ask for them. */
static bool run_caged_once(struct runner *runner, const struct run_request *request, bool hands,
			   struct run_result *result, GError **error)
{
	struct replay *r = ((struct direct *)runner)->replay;
	gint64 start = g_get_monotonic_time();
	struct run_result found = { 0 };
	struct run_place place;
	bool done;

	if (!deadline_check(r->until, error) || !replay_place_make(r, &place, error))
		return false;
	done = run_in(r, &place, request, hands, &found, error);
	if (done) {
		found.record = g_steal_pointer(&place.folder);
		found.ms = (double)(g_get_monotonic_time() - start) / 1e3;
		*result = found;
	} else {
		folder_remove(place.folder);
	}
	replay_place_clear(&place);
	return done;
}

/* From a checkpoint where there is one.  The first run had the recorder: should this one be killed
 * before its start, or have taken its plan away (handed.h), it is made once more. */
bool caged_run(struct runner *runner, const struct run_request *request, struct run_result *result,
	       GError **error)
{
	struct checkpoints *c = ((struct direct *)runner)->checkpoints;
	GError *interrupted = NULL;

	/* what is handed is the code of all other runs */
	if (request->images)
		return run_caged_once(runner, request, false, result, error);
	if (checkpoints_run(c, request, result, &interrupted))
		return true;
	if (interrupted) {
		g_propagate_error(error, interrupted);
		return false;
	}
	return run_caged_once(runner, request, true, result, NULL) ||
	       (deadline_check(((struct direct *)runner)->replay->until, error) &&
		run_caged_once(runner, request, false, result, error));
}

void run_result_clear(struct run_result *result)
{
	if (result->in_place)
		checkpoints_forget_run(result->record);
	else
		folder_remove(result->record);
	g_free(result->record);
	*result = (struct run_result){ 0 };
}
