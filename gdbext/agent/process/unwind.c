/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of libraries that look at where they were called from.  Return
 * addresses on the program's stack may be thunks (module.c), of which the unwinder
 * knows nothing: so while it works, the addresses that they stand for take their place.  Then
 * the thunks are put back: where it goes on in traced code, and in the frames that were not
 * unwound.  All this is executed like the program's own code, outside of the agent.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Opaque to us. */
struct _Unwind_Context;
struct _Unwind_Exception;

typedef int (*raise_function)(struct _Unwind_Exception *);
typedef void (*resume_function)(struct _Unwind_Exception *);
typedef int (*trace_function)(struct _Unwind_Context *, void *);
typedef int (*walk_function)(trace_function, void *);

/* Where a thunk stood. */
struct slot {
	uint64_t *at, thunk;
};

struct slots {
	struct slot *all;
	size_t n, room;
};

static __thread struct slots slots __attribute__((tls_model("initial-exec")));

/* ---- the stack ---- */

extern void *__libc_stack_end;

/* The end of the stack that the address is on, 0 = of one that is not libc's. */
static uint64_t stack_end(uint64_t address)
{
	enum { FARTHEST = 128 << 20 };
	pthread_attr_t attributes;
	void *lowest;
	size_t size;
	uint64_t end = (uint64_t)__libc_stack_end;

	if (address < end && end - address < FARTHEST)
		return end;
	if (pthread_getattr_np(pthread_self(), &attributes))
		return 0;
	end = pthread_attr_getstack(&attributes, &lowest, &size) ? 0 : (uint64_t)lowest + size;
	pthread_attr_destroy(&attributes);
	return address < end && end - address <= size ? end : 0;
}

static void keep_return_address(uint64_t *at)
{
	struct slot *more;

	if (slots.n == slots.room) {
		more = realloc(slots.all, (slots.room * 2 + 64) * sizeof *more);
		if (!more)
			return;
		slots.all = more;
		slots.room = slots.room * 2 + 64;
	}
	slots.all[slots.n++] = (struct slot){ at, *at };
	*at = thunk_meaning(*at);
}

/* From the frame on: every thunk becomes the address that it stands for. */
static void show_addresses(void *frame)
{
	uint64_t *at = frame, *end = (uint64_t *)stack_end((uint64_t)frame);

	if (agent.plan)
		for (; at < end; at++)
			if (thunk_meaning(*at))
				keep_return_address(at);
}

/* The slots from this address on are thunks again; those below it are dead. */
static void hide_addresses(uint64_t from)
{
	for (size_t i = 0; i < slots.n; i++)
		if ((uint64_t)slots.all[i].at >= from)
			*slots.all[i].at = slots.all[i].thunk;
	free(slots.all);
	slots = (struct slots){ 0 };
}

static void *real_function(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found) {
		sys_say("the program uses, but no library has, ", name);
		agent_give_up(TRACE_GAVE_UP_INSIDE, name);
	}
	return found;
}

/* ---- the unwinder ---- */

#define FRAME() __builtin_frame_address(0)

int _Unwind_RaiseException(struct _Unwind_Exception *e);
EXPORTED int _Unwind_RaiseException(struct _Unwind_Exception *e)
{
	raise_function raise_real =
		(raise_function)(uintptr_t)real_function("_Unwind_RaiseException");
	int why;

	show_addresses(FRAME());
	why = raise_real(e);
	hide_addresses(0);
	return why;
}

int _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *e);
EXPORTED int _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *e)
{
	raise_function rethrow =
		(raise_function)(uintptr_t)real_function("_Unwind_Resume_or_Rethrow");
	int why;

	show_addresses(FRAME());
	why = rethrow(e);
	hide_addresses(0);
	return why;
}

void _Unwind_Resume(struct _Unwind_Exception *e);
EXPORTED void _Unwind_Resume(struct _Unwind_Exception *e)
{
	resume_function resume = (resume_function)(uintptr_t)real_function("_Unwind_Resume");

	show_addresses(FRAME());
	resume(e);
}

/* The language's part of the unwinder says where control is to go on. */
void _Unwind_SetIP(struct _Unwind_Context *context, uint64_t ip);
EXPORTED void _Unwind_SetIP(struct _Unwind_Context *context, uint64_t ip)
{
	uint64_t (*frame_of)(struct _Unwind_Context *) =
		(uint64_t(*)(struct _Unwind_Context *))(uintptr_t)real_function("_Unwind_GetCFA");
	void (*set)(struct _Unwind_Context *, uint64_t) = (void (*)(
		struct _Unwind_Context *, uint64_t))(uintptr_t)real_function("_Unwind_SetIP");
	uint64_t thunk = agent.plan ? thunk_for(ip) : 0;

	hide_addresses(frame_of(context));
	set(context, thunk ? thunk : ip);
}

/* A walk from the frame that called us on: ours is left out. */
struct walk {
	trace_function f;
	void *argument;
	bool beyond_ours;
};

static int on_frame(struct _Unwind_Context *context, void *data)
{
	struct walk *w = data;

	if (w->beyond_ours)
		return w->f(context, w->argument);
	w->beyond_ours = true;
	return 0;
}

int _Unwind_Backtrace(trace_function f, void *argument);
EXPORTED int _Unwind_Backtrace(trace_function f, void *argument)
{
	walk_function walk = (walk_function)(uintptr_t)real_function("_Unwind_Backtrace");
	struct walk w = { .f = f, .argument = argument };
	int why;

	show_addresses(FRAME());
	why = walk(on_frame, &w);
	hide_addresses(0);
	return why;
}

int backtrace(void **frames, int n);
EXPORTED int backtrace(void **frames, int n)
{
	int (*walk)(void **, int) = (int (*)(void **, int))(uintptr_t)real_function("backtrace");
	void **all = n > 0 ? malloc(((size_t)n + 1) * sizeof *all) : NULL;
	int found;

	if (!all)
		return 0;
	show_addresses(FRAME());
	found = walk(all, n + 1) - 1;
	hide_addresses(0);
	for (int i = 0; i < found; i++)
		frames[i] = all[i + 1];
	free(all);
	return found;
}

EXPORTED void pthread_exit(void *result)
{
	void (*leave)(void *) = (void (*)(void *))(uintptr_t)real_function("pthread_exit");

	show_addresses(FRAME());
	leave(result);
	__builtin_unreachable();
}

/* ---- the loader ---- */

/* An address in the module where, untouched, a return stands; 0 = none. */
static uint64_t return_in(const struct agent_module *m)
{
	for (uint32_t i = 0; i < m->plan->n_insns; i++) {
		const struct trace_insn *insn = &m->insns[i];
		uint64_t at = insn->addr + m->bias;

		if (insn->flow == TRACE_FLOW_RET && insn->length == 1 &&
		    *(const volatile uint8_t *)at == 0xc3)
			return at;
	}
	return 0;
}

struct dlsym_way dlsym_way(void *handle, uint64_t back)
{
	uint64_t meaning = handle == RTLD_NEXT ? thunk_meaning(back) : 0;
	void *found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");

	if (!found)
		found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	if (!found)
		agent_give_up(TRACE_GAVE_UP_INSIDE, "dlsym is missing");
	return (struct dlsym_way){ (uint64_t)found, meaning ? return_in(module_at(meaning)) : 0 };
}
