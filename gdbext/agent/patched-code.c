/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TRACE_NATIVE: the program's own code, with some of its bytes changed. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

extern int __sigaction(int signo, const struct sigaction *action, struct sigaction *old);

enum { PAGE = 4096, MOST_ELSEWHERE = 4, JMP = 0xe9, INT3 = 0xcc, NOP = 0x90 };

static bool protect(uint64_t addr, uint64_t size, int protection)
{
	uint64_t first = addr & ~(uint64_t)(PAGE - 1),
		 end = (addr + size + PAGE - 1) & ~(PAGE - 1ull);

	return !sys3(SYS_mprotect, (long)first, (long)(end - first), protection);
}

/* Code that does not fit in its place is executed here. */
static struct elsewhere {
	uint64_t addr, code;
} elsewhere[MOST_ELSEWHERE];

static void on_breakpoint(int signo, siginfo_t *info, void *data)
{
	greg_t *rip = &((ucontext_t *)data)->uc_mcontext.gregs[REG_RIP];

	(void)signo;
	(void)info;
	for (unsigned i = 0; i < MOST_ELSEWHERE; i++)
		if (elsewhere[i].addr && elsewhere[i].addr == (uint64_t)*rip - 1)
			*rip = (greg_t)elsewhere[i].code;
}

/* Writes the code, and after it a jump back to the instruction that follows the one that it
 * replaces. */
static uint64_t put_elsewhere(struct agent_module *m, const struct trace_action *a)
{
	uint8_t *code = module_map_near(m, PAGE);
	uint64_t back = a->addr + m->bias + a->where;
	int32_t offset;

	if (!code)
		return 0;
	for (unsigned i = 0; i < a->size; i++)
		code[i] = a->value[i];
	code[a->size] = JMP;
	offset = (int32_t)(back - ((uint64_t)code + a->size + 5));
	__builtin_memcpy(code + a->size + 1, &offset, sizeof offset);
	return (uint64_t)code;
}

static bool edit(const struct trace_action *a)
{
	struct agent_module *m = a->module < agent.n_modules ? &agent.modules[a->module] : NULL;
	volatile uint8_t *to;
	uint64_t code = 0;

	if (!m || !m->file || a->size > sizeof a->value || a->addr < m->plan->lo ||
	    a->addr + a->where > m->plan->hi)
		return false;
	to = (volatile uint8_t *)(uintptr_t)(a->addr + m->bias);
	if ((a->size > a->where && !(code = put_elsewhere(m, a))) ||
	    !protect((uint64_t)to, a->where, PROT_READ | PROT_WRITE))
		return false;
	for (unsigned i = 0; i < a->where; i++)
		to[i] = code ? INT3 : i < a->size ? a->value[i] : NOP;
	for (unsigned i = 0; code && i < MOST_ELSEWHERE; i++) {
		if (elsewhere[i].addr)
			continue;
		elsewhere[i] = (struct elsewhere){ (uint64_t)to, code };
		break;
	}
	return protect((uint64_t)to, a->where, PROT_READ | PROT_EXEC);
}

static bool start_clock(void)
{
	uint64_t us = agent.plan->cpu_us;
	struct itimerval limit = { .it_value = { (long)(us / 1000000), (long)(us % 1000000) } };

	return !us || !sys3(SYS_setitimer, ITIMER_PROF, (long)&limit, 0);
}

static int open_pipe(const char *name, int flags)
{
	char path[4096];
	const char *directory = in_plan(agent.plan->directory);
	size_t n = directory ? strlen(directory) : 0, length = strlen(name);

	if (!n || n + length + 2 > sizeof path)
		return -1;
	memcpy(path, directory, n);
	path[n] = '/';
	memcpy(path + n + 1, name, length + 1);
	return sys_open(path, flags | O_CLOEXEC, 0);
}

/* What the descriptors that the user handed down were like at the start. */
enum { MOST_HANDED_DOWN = 64 };
struct handed_down {
	long flags, offset; /* below 0 = there is none */
};

static void note_files(struct handed_down *files)
{
	for (int fd = 0; fd < MOST_HANDED_DOWN; fd++) {
		files[fd].flags = sys3(SYS_fcntl, fd, F_GETFL, 0);
		files[fd].offset = sys3(SYS_lseek, fd, 0, SEEK_CUR);
	}
}

/* They are as at the start, although all runs share them: a run may have read on, or set
 * flags (O_NOATIME is one that the cage needs). */
static void rewind_files(const struct handed_down *files)
{
	for (int fd = 3; fd < MOST_HANDED_DOWN; fd++) {
		if (files[fd].flags >= 0)
			sys3(SYS_fcntl, fd, F_SETFL, files[fd].flags);
		if (files[fd].offset >= 0)
			sys3(SYS_lseek, fd, files[fd].offset, SEEK_SET);
	}
	if (files[0].flags >= 0)
		sys3(SYS_fcntl, 0, F_SETFL, files[0].flags);
	sys3(SYS_lseek, 0, 0, SEEK_SET);
	for (int fd = 1; fd <= 2; fd++)
		if (!sys3(SYS_ftruncate, fd, 0, 0))
			sys3(SYS_lseek, fd, 0, SEEK_SET);
}

static uint64_t microseconds(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

/* Returns in a child process, which makes the change. */
static bool serve(void)
{
	struct handed_down files[MOST_HANDED_DOWN];
	int ask, answer;
	struct trace_action a;

	note_files(files);
	ask = open_pipe("ask", O_RDONLY);
	answer = open_pipe("answer", O_WRONLY);

	while (ask >= 0 && answer >= 0 && sys3(SYS_read, ask, (long)&a, sizeof a) == sizeof a) {
		struct trace_served served = { .status = -1 };
		struct rusage used = { 0 };
		pid_t child;

		rewind_files(files);
		child = fork();
		if (!child) {
			sys_close(ask);
			sys_close(answer);
			return !sys3(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0) && start_clock() &&
			       edit(&a);
		}
		if (child > 0)
			sys4(SYS_wait4, child, (long)&served.status, 0, (long)&used);
		served.cpu_us =
			(uint32_t)(microseconds(&used.ru_utime) + microseconds(&used.ru_stime));
		sys3(SYS_write, answer, (long)&served, sizeof served);
	}
	sys_exit(0);
}

bool code_edit(void)
{
	const struct trace_action *a = in_plan(agent.plan->actions);
	struct sigaction action = { .sa_sigaction = on_breakpoint,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	if (!modules_find() || __sigaction(SIGTRAP, &action, NULL))
		return false;
	for (uint32_t i = 0; i < agent.plan->n_actions; i++)
		if (a[i].kind == TRACE_ACTION_CODE && !edit(&a[i]))
			return false;
	return agent.plan->flags & TRACE_SERVE ? serve() : start_clock();
}
