/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of the program that run traced code. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <asm/prctl.h>
#include <sys/mman.h>

_Static_assert(sizeof(struct agent_thread) + TRACE_STREAM_OFFSET < BLOCK_STEP, "room");

/* "common" must be right before anything has run in a thread. */
__thread struct agent_tls agent_tls = { .common = agent_first_entry };

HIDDEN void *thread_first(void);

static int my_tid(void)
{
	return (int)sys3(SYS_gettid, 0, 0, 0);
}

static bool is_alive(const struct agent_thread *t)
{
	int pid = (int)sys3(SYS_getpid, 0, 0, 0), tid = (int)t->owner;

	return tid != my_tid() && !sys3(SYS_tgkill, pid, tid, 0);
}

static struct agent_thread *thread_map(unsigned slot)
{
	uint64_t size = TRACE_STREAM_OFFSET + sizeof(struct agent_thread);
	uint8_t *block = sys_map_at(BLOCKS_START + slot * BLOCK_STEP, (size + 4095) & ~4095ull,
				    PROT_READ | PROT_WRITE | PROT_EXEC,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct agent_thread *t;

	if (!block)
		return NULL;
	t = (void *)(block + TRACE_STREAM_OFFSET);
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		uint64_t cells = (uint64_t)agent.modules[i].plan->n_insns * sizeof(struct cell);

		if (!agent.modules[i].size)
			continue;
		t->cells[i] = far_map(cells, PROT_READ | PROT_WRITE, -1);
		if (!t->cells[i])
			return NULL;
	}
	sys3(SYS_mprotect, (long)t->guard, sizeof t->guard, PROT_NONE);
	emit_thread(t);
	return t;
}

/* Takes a new thread, or one whose thread has ended, because what that one has prepared can be
 * used again. */
static struct agent_thread *thread_take(void)
{
	struct agent_thread *t = NULL;

	while (__atomic_exchange_n(&agent.taking, 1, __ATOMIC_ACQUIRE))
		sys3(SYS_sched_yield, 0, 0, 0);
	for (unsigned i = 0; i < MAX_THREADS && !t; i++) {
		struct agent_thread *old = agent.threads[i];

		if (old && is_alive(old))
			continue;
		if (old)
			head_of(old)->end = TRACE_END_EXIT;
		else if (!(old = thread_map(i)))
			break;
		old->owner = (uint32_t)my_tid();
		t = agent.threads[i] = old;
	}
	__atomic_store_n(&agent.taking, 0, __ATOMIC_RELEASE);
	return t;
}

static void thread_init(struct agent_thread *t, unsigned number)
{
	uint64_t max = agent.plan->max_insns;

	t->number = number;
	t->started = t->leaving = t->delivering = t->alert = t->async_waits = false;
	t->n_pending = t->n_later = 0;
	t->addresses = agent.plan->flags & TRACE_ADDRESSES;
	t->recording = agent.plan->flags & TRACE_RECORD && !agent.child;
	t->from = agent.plan->from_thread == number ? agent.plan->from : 0;
	t->recording = t->recording && !t->from;
	t->stop = max ? max : ~0ull;
	t->stop = t->from && t->from < t->stop ? t->from : t->stop;
	t->max_bytes = agent.plan->max_bytes ? agent.plan->max_bytes : ~0ull;
	t->part_insns = agent.plan->window;
	t->part_bytes = t->max_bytes / 2; /* two are kept */
	if (t->part_insns)
		t->max_bytes = ~0ull;
	t->fp_size = 0;
	t->jit = agent.jit;
}

static void head_init(struct trace_head *head, uint32_t number)
{
	__builtin_memcpy(head->magic, TRACE_HEAD_MAGIC, sizeof head->magic);
	head->version = TRACE_VERSION;
	head->flags = agent.plan->flags;
	head->window = agent.plan->window;
	head->engine = agent.jit ? TRACE_ENGINE_JIT : TRACE_ENGINE_STEP;
	head->thread = number;
	head->pid = (uint32_t)sys3(SYS_getpid, 0, 0, 0);
	head->n_modules = agent.n_modules;
	for (uint32_t i = 0; i < agent.n_modules; i++)
		head->bias[i] = agent.modules[i].bias;
	head->native = 1;
}

static void head_begin(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	head_init(head, t->number);
	head->tid = (uint32_t)my_tid();
	head->known_until = t->number || t->part_insns || t->from ? 0 : ~0ull;
	t->elides = t->recording && !t->addresses && head->known_until;
	/* an action, or the user of a debugger, may turn a branch */
	t->infers = !(agent.plan->flags & (TRACE_ADDRESSES | TRACE_BREAKPOINTS | TRACE_SERVE)) &&
		    !agent.asked.n_actions;
	t->mirrors = t->infers && t->jit && !t->part_insns && !agent.child &&
		     agent.plan->flags & TRACE_RECORD && mirror_map(t);
	t->miss = NULL;
	head->flags |= (t->infers ? TRACE_INFERS : 0) | (t->mirrors ? TRACE_MIRRORS : 0);
	sys3(SYS_arch_prctl, ARCH_GET_FS, (long)&head->fs_base, 0);
	sys3(SYS_arch_prctl, ARCH_GET_GS, (long)&head->gs_base, 0);
}

static uint32_t next_number(void)
{
	return __atomic_fetch_add(&agent.n_threads, 1, __ATOMIC_RELAXED);
}

uint32_t thread_announce(void)
{
	struct trace_head head = { 0 };

	head_init(&head, next_number());
	if (!agent.child && !stream_announce(&head))
		sys_say("a thread cannot be recorded: ", "there is no room on the disk");
	return head.thread;
}

struct agent_thread *thread_new(void)
{
	struct agent_thread *t = thread_take();
	bool reused = t && t->used;

	if (!t)
		return NULL;
	thread_init(t, agent_tls.announced ? agent_tls.announced - 1 : next_number());
	if (!stream_open(t, !agent_tls.announced) || (agent.counting && !counts_open(t)))
		return NULL;
	t->used = true;
	head_begin(t);
	if (reused) { /* the program's threads have segment bases and actions of their own */
		cells_forget(t);
		jit_forget(t);
	}
	if (!marks_make(t))
		return NULL;
	signal_stack_set(t);
	agent_tls.thread = t;
	agent_tls.common = (void (*)(void))(uintptr_t)t->code;
	return t;
}

/* Returns where to go on. */
void *thread_first(void)
{
	uint64_t all = ~0ull, before;
	struct agent_thread *t;

	/* A handler that came in between may have made it. */
	sys4(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&before, 8);
	t = agent_tls.thread ? agent_tls.thread : thread_new();
	if (!t) {
		agent_give_up(TRACE_GAVE_UP_THREAD, "out of memory, or of disk space");
	}
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8);
	return t->code;
}

void threads_end(uint32_t end)
{
	for (unsigned i = 0; i < MAX_THREADS && agent.threads[i]; i++)
		if (head_of(agent.threads[i])->end == TRACE_END_RUNNING)
			head_of(agent.threads[i])->end = end;
}
