/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TRACE_SERVE: a process that stands still and forks a run for each request. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { MOST_FILES = 64 };

/* What a descriptor was like when the process began to serve. */
struct open_file {
	long flags, offset; /* below 0 = there is none */
};

static int open_serving_pipe(const char *name, int flags)
{
	char path[4096];
	const char *directory = in_plan(agent.plan->directory);
	unsigned n = 0;

	for (; directory && directory[n] && n + 16 < sizeof path; n++)
		path[n] = directory[n];
	if (!n || directory[n])
		return -1;
	for (path[n++] = '/'; *name; name++)
		path[n++] = *name;
	path[n] = '\0';
	return sys_open(path, flags | O_CLOEXEC, 0);
}

static void note_files(struct open_file *files)
{
	for (int fd = 0; fd < MOST_FILES; fd++) {
		files[fd].flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
		files[fd].offset = sys3(SYS_lseek, fd, 0, SEEK_CUR);
	}
}

/* Puts the open files back as they were.  All runs share them, so an earlier run may have read
 * on, or set flags (the cage needs O_NOATIME).  What that run printed is dropped; the controller
 * puts back what was printed before. */
static void rewind_files(const struct open_file *files)
{
	for (int fd = 0; fd < MOST_FILES; fd++) {
		bool prints = fd == 1 || fd == 2;

		if (files[fd].flags >= 0 && sys3(SYS_fcntl, fd, F_GETFL, 0) != files[fd].flags)
			sys3(SYS_fcntl, fd, F_SETFL, files[fd].flags);
		if (files[fd].offset < 0 ||
		    (prints && sys3(SYS_ftruncate, fd, files[fd].offset, 0)))
			continue;
		sys3(SYS_lseek, fd, files[fd].offset, SEEK_SET);
	}
}

/* A forked process has no timers.  Those of timer_create() are seen by the controller. */
static bool has_timer(void)
{
	struct itimerval now = { 0 };

	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++)
		if (!sys3(SYS_getitimer, which, (long)&now, 0) &&
		    (now.it_value.tv_sec || now.it_value.tv_usec))
			return true;
	return false;
}

static bool read_all_of_request(int fd, void *to, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		long n = sys3(SYS_read, fd, (long)((uint8_t *)to + done), (long)(size - done));

		if (n == -4 /* EINTR */)
			continue;
		if (n <= 0)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

static bool read_request(int fd, struct trace_request *request)
{
	return read_all_of_request(fd, request, offsetof(struct trace_request, actions)) &&
	       request->n_actions <= TRACE_MOST_SERVED &&
	       read_all_of_request(fd, request->actions,
				   request->n_actions * sizeof *request->actions);
}

static uint64_t microseconds_used(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

/* Its end sends no signal, which the program would see.  The flags are those that the cage lets
 * through without asking the guard (cage-calls.c). */
static struct trace_served wait_for_child(long child)
{
	struct trace_served served = { .status = -1 };
	struct rusage used = { 0 };
	int status = 0;

	while (child > 0 &&
	       sys4(SYS_wait4, child, (long)&status, __WALL | __WNOTHREAD, (long)&used) == -4)
		;
	if (child > 0)
		served.status = status;
	served.cpu_us =
		(uint32_t)(microseconds_used(&used.ru_utime) + microseconds_used(&used.ru_stime));
	return served;
}

/* The child ends with the process that served it, which may be gone already. */
static bool dies_with(long server)
{
	return !sys3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0) &&
	       sys3(SYS_getppid, 0, 0, 0) == server;
}

bool serve(void)
{
	const long server = sys3(SYS_getpid, 0, 0, 0);
	struct open_file files[MOST_FILES];
	struct trace_request *request = far_map(sizeof *request, PROT_READ | PROT_WRITE, -1);
	struct trace_served served = { .status = request && !has_timer() ? 0 : -1 };
	int ask, answer;

	note_files(files);
	ask = open_serving_pipe("ask", O_RDONLY);
	answer = open_serving_pipe("answer", O_WRONLY);
	if (ask < 0 || answer < 0)
		sys_exit(0);
	while (sys3(SYS_write, answer, (long)&served, sizeof served) == sizeof served &&
	       served.status != -1 && read_request(ask, request)) {
		long child;

		rewind_files(files);
		child = sys6(SYS_clone, 0, 0, 0, 0, 0, 0);
		if (!child) {
			sys_close(ask);
			sys_close(answer);
			agent.asked = (struct agent_request){ request->actions, request->n_actions,
							      request->flags, request->max_insns,
							      request->cpu_us };
			return dies_with(server);
		}
		served = wait_for_child(child);
	}
	sys_exit(0);
}

/* What belonged to the process that served. */
static void take_over_stream(struct agent_thread *t)
{
	uint8_t page[TRACE_STREAM_OFFSET];
	struct trace_head *head = head_of(t);

	__builtin_memcpy(page, head, sizeof page);
	if (!stream_open(t, true))
		agent_give_up(TRACE_GAVE_UP_RECORD, "the record cannot be made");
	__builtin_memcpy(head, page, sizeof page);
	t->owner = head->tid = (uint32_t)sys3(SYS_gettid, 0, 0, 0);
	head->pid = (uint32_t)sys3(SYS_getpid, 0, 0, 0);
}

void serve_from_here(struct agent_thread *t)
{
	stream_fork(t); /* each child has a record of its own */
	if (!serve())
		sys_exit(0);
	take_over_stream(t);
	if (!marks_make(t))
		agent_give_up(TRACE_GAVE_UP_THREAD, "out of memory");
}
