/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the process starts, forks and ends. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void),
			      void (*)(void), void *);

EXPORTED int __libc_start_main(main_function program, int argc, char **argv, void (*init)(void),
			       void (*fini)(void), void (*loader_fini)(void), void *stack);

/* The function main may be too short for a jump. */
int __libc_start_main(main_function program, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*loader_fini)(void), void *stack)
{
	start_function real = (start_function)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
	uint64_t stub = agent.plan ? entry_stub((uint64_t)program) : 0;

	if (stub)
		program = (main_function)(uintptr_t)stub;
	return real(program, argc, argv, init, fini, loader_fini, stack);
}

/* A child goes on as it is, but the record is its parent's; counts are its own. */
static void in_child(void)
{
	struct agent_thread *self = agent_tls.thread;

	agent.child = true;
	if (self)
		self->owner = head_of(self)->tid = (uint32_t)sys3(SYS_gettid, 0, 0, 0);
	if (agent.counting) {
		if (self && !counts_open(self))
			agent_give_up(TRACE_GAVE_UP_PROFILE, "there is no room to count in");
		return;
	}
	for (unsigned i = 0; i < sizeof agent.threads / sizeof *agent.threads; i++) {
		struct agent_thread *t = agent.threads[i];

		if (!t)
			break;
		t->stop = ~0ull;
		t->n_marks = t->n_later = 0;
		stream_fork(t);
	}
}

bool process_start(void)
{
	return !pthread_atfork(NULL, NULL, in_child);
}

/* Copies of code are made once, from the file: what the program writes over its code is not
 * seen, so that it means to is said. */
EXPORTED int mprotect(void *from, size_t size, int protection)
{
	uint64_t lo = (uint64_t)from, hi = lo + size;
	long bad = sys3(SYS_mprotect, (long)from, (long)size, protection);

	for (uint32_t i = 0; agent.plan && protection & PROT_WRITE && !bad && i < agent.n_modules;
	     i++) {
		const struct agent_module *m = &agent.modules[i];

		if (m->size && lo < m->lo + m->size && hi > m->lo)
			agent_note_code(TRACE_OWN_CODE_OPENED);
	}
	if (!bad)
		return 0;
	errno = (int)-bad;
	return -1;
}

static void note_end_of_process(void)
{
	if (!agent.plan)
		return;
	if (!agent.child && !agent.counting && modules_are_changed())
		agent_note_code(TRACE_OWN_CODE_CHANGED);
	threads_end(TRACE_END_EXIT);
}

EXPORTED void _exit(int status)
{
	note_end_of_process();
	sys_exit(status);
}

EXPORTED void _Exit(int status);
EXPORTED void _Exit(int status)
{
	_exit(status);
}

__attribute__((destructor)) static void at_exit(void)
{
	note_end_of_process();
}
