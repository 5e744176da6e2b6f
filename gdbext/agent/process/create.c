/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that libc starts gets the number of its creation, so that it has the same number in
 * all runs, however they are scheduled. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

typedef void *(*thread_routine)(void *);
typedef int (*create_function)(pthread_t *, const pthread_attr_t *, thread_routine, void *);
typedef int (*create_c11_function)(thrd_t *, thrd_start_t, void *);

/* What a new thread needs to know; the slot is free again once the thread has read it. */
struct start {
	volatile uint32_t taken;
	uint32_t number;
	uint64_t routine;
	void *argument;
};

static struct start *start_new(uint64_t routine, void *argument)
{
	static struct start starts[64];

	for (unsigned i = 0;; i = (i + 1) % 64) {
		struct start *s = &starts[i];

		if (!__atomic_exchange_n(&s->taken, 1, __ATOMIC_ACQUIRE)) {
			s->number = thread_announce();
			s->routine =
				entry_stub(routine); /* the function may be too short for a jump */
			s->routine = s->routine ? s->routine : routine;
			s->argument = argument;
			return s;
		}
		if (i == 63)
			sys3(SYS_sched_yield, 0, 0, 0);
	}
}

static void start_free(struct start *s)
{
	__atomic_store_n(&s->taken, 0, __ATOMIC_RELEASE);
}

/* Runs in the new thread. */
static struct start start_take(struct start *s)
{
	struct start mine = *s;

	start_free(s);
	agent_tls.announced = mine.number + 1;
	return mine;
}

static void *run_thread(void *start)
{
	struct start s = start_take(start);

	return ((thread_routine)(uintptr_t)s.routine)(s.argument);
}

static int run_c11_thread(void *start)
{
	struct start s = start_take(start);

	return ((thrd_start_t)(uintptr_t)s.routine)(s.argument);
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			    thread_routine routine, void *argument)
{
	create_function real = (create_function)(uintptr_t)dlsym(RTLD_NEXT, "pthread_create");
	struct start *s;
	int bad;

	if (!agent.plan || agent.child)
		return real(thread, attributes, routine, argument);
	s = start_new((uint64_t)routine, argument);
	bad = real(thread, attributes, run_thread, s);
	if (bad)
		start_free(s);
	return bad;
}

EXPORTED int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	create_c11_function real = (create_c11_function)(uintptr_t)dlsym(RTLD_NEXT, "thrd_create");
	struct start *s;
	int bad;

	if (!agent.plan || agent.child)
		return real(thread, routine, argument);
	s = start_new((uint64_t)routine, argument);
	bad = real(thread, run_c11_thread, s);
	if (bad != thrd_success)
		start_free(s);
	return bad;
}
