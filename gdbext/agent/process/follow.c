/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Child processes.  Those that the program makes are noted in the plan, with how they ended, so
 * that the controller can choose one.  In a run with .follow in its plan the program becomes that
 * child instead of making it: fork returns 0, and there is no parent.  Children before it are not
 * made either; the program is told that they were, and ended as they did in the run that chose.
 * With TRACE_NO_CHILDREN none is made, and all are told of so.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* No process has such an id: the kernel's largest is 1 << 22. */
enum { FIRST_PRETENDED = 1 << 29 };

static int32_t statuses[TRACE_MAX_FORKS]; /* of the children that are not made */
static uint32_t follow, made;		  /* .follow of the plan; how many forks there were */
static bool absent;			  /* TRACE_NO_CHILDREN of the plan */
static uint64_t ended;			  /* bit n: child n was waited for */

pid_t follow_real_fork(void)
{
	pid_t (*real)(void) = (pid_t(*)(void))(uintptr_t)dlsym(RTLD_NEXT, "fork");

	return real();
}

void follow_start(void)
{
	follow = agent.plan->follow;
	absent = agent.plan->flags & TRACE_NO_CHILDREN;
	for (uint32_t i = 0; i < TRACE_MAX_FORKS; i++)
		statuses[i] = agent.plan->forks[i].status;
}

static bool does_note_processes(void)
{
	return agent.plan && !agent.child && !follow && !absent;
}

/* Is the program told of this child, from 1, which is not made? */
static bool is_pretended(uint32_t n)
{
	return n <= TRACE_MAX_FORKS && (absent || n < follow);
}

EXPORTED pid_t fork(void)
{
	uint32_t n = __atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);
	pid_t pid;

	if (is_pretended(n))
		return (pid_t)(FIRST_PRETENDED + n);
	if (n == follow)
		return 0;
	pid = follow_real_fork();
	if (pid > 0 && does_note_processes())
		agent_note_fork(n, pid);
	return pid;
}

/* A changed run that ends before it becomes the child says nothing of the child: it fails. */
__attribute__((destructor)) static void follow_end(void)
{
	if (follow && made < follow)
		sys_exit(127);
}

/* Both sides of a vfork share memory, the agent's included. */
EXPORTED pid_t vfork(void)
{
	return fork();
}

/* ---- waiting ---- */

/* A child that is not made, and that may be waited for; 0 = none. */
static uint32_t pretended_child(pid_t pid)
{
	for (uint32_t n = 1; is_pretended(n) && n <= made; n++)
		if (!(ended >> (n - 1) & 1) && (pid <= 0 || pid == (pid_t)(FIRST_PRETENDED + n)))
			return n;
	return 0;
}

EXPORTED pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	uint32_t n = pretended_child(pid);
	int own = 0;
	long got;

	if (n) {
		ended |= 1ull << (n - 1);
		if (status)
			*status = statuses[n - 1];
		if (usage)
			memset(usage, 0, sizeof *usage);
		return (pid_t)(FIRST_PRETENDED + n);
	}
	got = sys4(SYS_wait4, pid, (long)&own, options, (long)usage);
	if (got < 0) {
		errno = (int)-got;
		return -1;
	}
	if (got && status)
		*status = own;
	if (got && does_note_processes() && !WIFSTOPPED(own) && !WIFCONTINUED(own))
		agent_note_end((pid_t)got, own);
	return (pid_t)got;
}

EXPORTED pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}

EXPORTED pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

EXPORTED pid_t wait(int *status)
{
	return wait4(-1, status, 0, NULL);
}

/* The status, as wait() tells it. */
static int status_of_child(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED   ? (info->si_status & 0xff) << 8
	       : info->si_code == CLD_DUMPED ? (info->si_status & 0x7f) | 0x80
					     : info->si_status & 0x7f;
}

static void tell_child_end(siginfo_t *info, uint32_t n)
{
	int status = statuses[n - 1];

	memset(info, 0, sizeof *info);
	info->si_signo = SIGCHLD;
	info->si_pid = (pid_t)(FIRST_PRETENDED + n);
	info->si_code = WIFEXITED(status) ? CLD_EXITED : CLD_KILLED;
	info->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

EXPORTED int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	uint32_t n = type == P_PIDFD ? 0 : pretended_child(type == P_PID ? (pid_t)id : -1);
	siginfo_t own;
	long got;

	memset(&own, 0, sizeof own);
	if (n) {
		if (!(options & WNOWAIT))
			ended |= 1ull << (n - 1);
		tell_child_end(&own, n);
	} else {
		got = sys6(SYS_waitid, type, (long)id, (long)&own, options, 0, 0);
		if (got < 0) {
			errno = (int)-got;
			return -1;
		}
		if (own.si_pid && does_note_processes() &&
		    (own.si_code == CLD_EXITED || own.si_code == CLD_KILLED ||
		     own.si_code == CLD_DUMPED))
			agent_note_end(own.si_pid, status_of_child(&own));
	}
	if (info)
		*info = own;
	return 0;
}
