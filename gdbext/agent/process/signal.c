/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals with a handler of the program's.  The kernel always calls
 * agent_handler.  While the thread is in untraced code that calls the
 * program's handler, and nothing more is to be done: a traced handler is
 * entered as any function is.  While the agent has control, the signal waits,
 * with all others blocked, for the next boundary between instructions; there
 * the agent does what the kernel would have done had the guest been alone: it
 * builds the frame on the guest's stack and goes on at the handler.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

enum {
	FP_MAGIC = 0x46505853,
	FP_LEGACY = 512,
	FP_MAGIC_AT = 464, /* then the size (4 bytes) and the parts of the state (8) */
	FP_FEATURES_AT = FP_MAGIC_AT + 8,
	FP_MXCSR_AT = 24,
	RED_ZONE = 128,
	CLEARED_FLAGS = 1 << 8 | 1 << 10 | 1 << 16, /* TF, DF, RF */
};

struct frame {
	uint64_t back;
	struct kernel_context context;
	siginfo_t info;
};

const uint8_t signal_order[16] = { 8,	      9,	 10,	    11,	       12,	  13,
				   14,	      15,	 TRACE_RDI, TRACE_RSI, TRACE_RBP, TRACE_RBX,
				   TRACE_RDX, TRACE_RAX, TRACE_RCX, TRACE_RSP };

#define BIT_OF(signo) (1ull << ((signo)-1))
#define FAULTS \
	(BIT_OF(SIGSEGV) | BIT_OF(SIGBUS) | BIT_OF(SIGFPE) | BIT_OF(SIGILL) | BIT_OF(SIGTRAP))
/* Also not blocked: libc's own, and what the cage needs. */
#define WAITING_MASK (~(FAULTS | BIT_OF(SIGSYS) | BIT_OF(32) | BIT_OF(33)))

static void set_mask(uint64_t mask)
{
	mask = signal_mask_hide(mask);
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8);
}

/* ---- when the kernel calls ---- */

static void unset_handler(int signo)
{
	struct {
		uint64_t handler, flags, restorer, mask;
	} plain = { 0 };

	sys4(SYS_rt_sigaction, signo, (long)&plain, 0, 8);
}

/* The kernel sees a fault that it must kill for, because there is no room for
 * the handler's frame. */
static void end_by_signal(int signo)
{
	uint64_t none = 0;

	unset_handler(signo);
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, 8);
	sys3(SYS_tgkill, sys3(SYS_getpid, 0, 0, 0), sys3(SYS_gettid, 0, 0, 0), signo);
	sys_exit(128 + signo);
}

static bool is_fault(int signo, const siginfo_t *info)
{
	return signo < 32 && FAULTS & BIT_OF(signo) && info->si_code > 0;
}

/* A signal that only we have a handler for.  A fault happens once more, and then
 * the kernel does what it does. */
static void do_default(int signo, const siginfo_t *info, uint64_t handler)
{
	if (is_fault(signo, info))
		unset_handler(signo);
	else if (!handler)
		end_by_signal(signo);
}

/* Does the program believe that it is blocked? */
static bool is_shown_blocked(int signo, const struct kernel_context *context)
{
	return (signal_mask_shown(context->mask) & ~context->mask) >> (signo - 1) & 1;
}

static void call_program(int signo, siginfo_t *info, void *context)
{
	uint64_t handler = program_action(signo).handler;

	if (handler <= 1 || (is_fault(signo, info) && is_shown_blocked(signo, context)))
		do_default(signo, info, handler);
	else
		((void (*)(int, siginfo_t *, void *))(uintptr_t)handler)(signo, info, context);
}

/* The shape of what the kernel saves of vector and floating-point registers. */
static void learn_fp_shape(struct agent_thread *t, const struct kernel_context *context)
{
	const uint8_t *fp = (const uint8_t *)context->fp;
	uint32_t magic, size = FP_LEGACY;

	if (t->fp_size || !fp)
		return;
	__builtin_memcpy(&magic, fp + FP_MAGIC_AT, 4);
	if (magic == FP_MAGIC)
		__builtin_memcpy(&size, fp + FP_MAGIC_AT + 4, 4);
	if (size > FP_ROOM)
		size = FP_LEGACY;
	__builtin_memcpy(&t->fp_features, fp + FP_FEATURES_AT, sizeof t->fp_features);
	__builtin_memcpy(t->fp, fp, size);
	t->fp_size = size;
}

static bool is_our_signal_stack(const struct agent_thread *t, const stack_t *stack)
{
	return stack->ss_sp == t->signal_stack;
}

/* A signal that is already waiting is not added again, as in the kernel. */
static void wait_for_boundary(struct agent_thread *t, int signo, const siginfo_t *info,
			      struct kernel_context *context)
{
	struct pending *p = &t->pending[t->n_pending];

	learn_fp_shape(t, context);
	if (!t->n_pending)
		t->program_mask = signal_mask_shown(context->mask);
	for (uint32_t i = 0; i < t->n_pending; i++)
		if (t->pending[i].info.si_signo == signo)
			return;
	if (t->n_pending == MAX_PENDING)
		return;
	p->info = *info;
	p->context = *context;
	if (is_our_signal_stack(t, &p->context.stack))
		p->context.stack = (stack_t){ .ss_flags = SS_DISABLE };
	p->action = program_action(signo);
	t->n_pending++;
	t->alert = true;
	context->mask |= WAITING_MASK;
}

/* The signal of int3 is reported after the instruction. */
static void complete_trap(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);
	const struct cell *c = cell_at(t, head->rip);

	if (!c || c->kind == CELL_NEW || c->insn->flow != TRACE_FLOW_NONE)
		return;
	head->rip = c->addr + c->insn->length;
	head->insns++;
}

static void restart_call(struct agent_thread *t, struct kernel_context *context)
{
	agent_tls.inside = INSIDE_RESTART;
	context->rip = emitted_restart(t);
	context->rflags &= ~(uint64_t)CLEARED_FLAGS;
}

/* Does the program have a handler for it? */
static bool has_handler_for(int signo, const struct kernel_context *context)
{
	return !(signals_seen() & BIT_OF(signo)) ||
	       (program_action(signo).handler > 1 && !is_shown_blocked(signo, context));
}

void agent_handler(int signo, siginfo_t *info, void *data)
{
	struct kernel_context *context = data;
	struct agent_thread *t = agent_tls.thread;
	uint32_t inside = agent_tls.inside;
	bool leaving = t && (emitted_is_leaving(t, context->rip) || (inside && t->leaving));
	bool fault = is_fault(signo, info) && !leaving, cached;

	if (!t || (!inside && !leaving)) {
		/* inside: the thread is about to get its struct agent_thread */
		agent_tls.inside = INSIDE_NOT;
		call_program(signo, info, data);
		agent_tls.inside = inside;
		return;
	}
	if (fault && t->delivering)
		end_by_signal(signo);
	cached = fault && jit_fault(t, context);
	if (fault && agent.counting && signo != SIGTRAP)
		count_fault(t, cached && !has_handler_for(signo, context));
	if (!has_handler_for(signo, context)) {
		do_default(signo, info, program_action(signo).handler);
		t->jit = false; /* the fault is met again by a step */
		if (cached)
			restart_call(t, context);
		return;
	}
	wait_for_boundary(t, signo, info, context);
	jit_alert(t);
	if (!fault && !leaving)
		return;
	if (fault && signo == SIGTRAP)
		complete_trap(t);
	t->leaving = leaving;
	restart_call(t, context);
}

/* ---- at the boundary ---- */

/* Only the parts of the state that the kernel saves: a process may not use others, such as the
 * tiles of AMX, unless it asks, and there is no room for them in the frame. */
static void save_fp(uint8_t *to, const struct agent_thread *t)
{
	if (t->fp_size > FP_LEGACY)
		__asm__ volatile("xsave64 (%0)"
				 :
				 : "r"(to), "a"((uint32_t)t->fp_features),
				   "d"((uint32_t)(t->fp_features >> 32))
				 : "memory");
	else
		__asm__ volatile("fxsave64 (%0)" : : "r"(to) : "memory");
}

/* Handlers start with these registers as a new process has them. */
static void reset_fp(struct agent_thread *t)
{
	const uint32_t mxcsr = 0x1f80, control = 0x37f;

	__builtin_memcpy(t->fp_initial + FP_MXCSR_AT, &mxcsr, 4);
	__builtin_memcpy(t->fp_initial, &control, 2);
	if (t->fp_size > FP_LEGACY)
		__asm__ volatile("xrstor64 (%0)"
				 :
				 : "r"(t->fp_initial), "a"((uint32_t)t->fp_features),
				   "d"((uint32_t)(t->fp_features >> 32))
				 : "memory");
	else
		__asm__ volatile("fxrstor64 (%0)" : : "r"(t->fp_initial) : "memory");
}

static uint64_t top_of_stack(const struct agent_thread *t, const struct pending *p)
{
	uint64_t sp = head_of((void *)(uintptr_t)t)->regs[TRACE_RSP];
	const stack_t *other = &p->context.stack;
	bool on_other = sp - (uint64_t)other->ss_sp <= other->ss_size;

	if (p->action.flags & SA_ONSTACK && !(other->ss_flags & SS_DISABLE) && other->ss_size &&
	    !on_other)
		return (uint64_t)other->ss_sp + other->ss_size;
	return sp - RED_ZONE;
}

/* Registers as they are at the start of the handler. */
static void build_frame(struct agent_thread *t, const struct pending *p)
{
	struct trace_head *head = head_of(t);
	uint64_t fp = (top_of_stack(t, p) - t->fp_size) & ~63ull;
	struct frame *f = (struct frame *)(((fp - sizeof *f) & ~15ull) - 8);

	t->delivering = true;
	f->back = agent.sigreturn_stub;
	f->context = p->context;
	for (unsigned i = 0; i < 16; i++)
		f->context.regs[i] = head->regs[signal_order[i]];
	f->context.rip = head->rip;
	f->context.rflags = head->rflags;
	f->context.mask = t->program_mask;
	f->context.fp = fp;
	f->info = p->info;
	__builtin_memcpy((void *)fp, t->fp, t->fp_size);
	save_fp((uint8_t *)fp, t);
	t->delivering = false;

	head->regs[TRACE_RAX] = 0;
	head->regs[TRACE_RDI] = (uint64_t)p->info.si_signo;
	head->regs[TRACE_RSI] = (uint64_t)&f->info;
	head->regs[TRACE_RDX] = (uint64_t)&f->context;
	head->regs[TRACE_RSP] = (uint64_t)f;
	head->rflags &= ~(uint64_t)CLEARED_FLAGS;
	head->rip = p->action.handler;
	reset_fp(t);
}

static void log_handler_start(struct agent_thread *t, const struct pending *p, uint64_t rip)
{
	struct trace_head *head = head_of(t);
	struct trace_async a = { .insns = head->insns,
				 .offset = head->length,
				 .rip = rip,
				 .kind = TRACE_ASYNC_SIGNAL,
				 .signo = (uint32_t)p->info.si_signo,
				 .handler = head->rip };

	__builtin_memcpy(a.regs, head->regs, sizeof head->regs);
	a.regs[TRACE_RFLAGS] = head->rflags;
	t->async = a;
	if (!t->recording)
		return;
	if (cell_at(t, head->rip))
		stream_async(t, &a);
	else
		t->async_waits = true;
}

void signal_deliver(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);
	struct pending p = t->pending[t->n_pending - 1];
	uint64_t rip = head->rip;

	if (t->at >= t->limit)
		stream_grow(t);
	if (!head->native)
		stream_record_all(t);
	__builtin_memcpy(t->regs_before, head->regs, sizeof t->regs_before);
	build_frame(t, &p);
	if (!head->native) {
		log_handler_start(t, &p, rip);
	} else if (cell_at(t, head->rip)) {
		head->native = 0;
		xmm_store(t->xmm);
		log_enter(t, TRACE_WHY_CALL, (1 << 17) - 1 + (0xff << TRACE_XMM0));
	}
	t->program_mask |= p.action.mask;
	if (!(p.action.flags & SA_NODEFER))
		t->program_mask |= BIT_OF(p.info.si_signo);
	t->n_pending--;
	t->alert = t->n_pending != 0;
	if (!t->alert)
		set_mask(t->program_mask);
}

/* ---- when the handler is done ---- */

static stack_t our_stack(struct agent_thread *t)
{
	return (stack_t){ .ss_sp = t->signal_stack, .ss_size = sizeof t->signal_stack };
}

void signal_stack_set(struct agent_thread *t)
{
	stack_t ours = our_stack(t), now = { 0 };

	if (signals_seen() && !sys3(SYS_sigaltstack, 0, (long)&now, 0) && now.ss_flags & SS_DISABLE)
		sys3(SYS_sigaltstack, (long)&ours, 0, 0);
}

void signal_return(struct agent_thread *t)
{
	struct kernel_context *context = (void *)head_of(t)->regs[TRACE_RSP];
	uint32_t inside = INSIDE_NOT;

	t->resume_mask = context->mask;
	context->mask = signal_mask_hide(context->mask);
	if (context->stack.ss_flags & SS_DISABLE && signals_seen())
		context->stack = our_stack(t);
	t->resume_rip = context->rip;
	if (cell_at(t, context->rip)) {
		context->rip = emitted_resume(t);
		inside = INSIDE_RESUME;
	}
	/* This is not on the agent's stack, because a handler may run in between. */
	__asm__ volatile("mov %0,%%rsp\n\t"
			 "movl %1,(%2)\n\t"
			 "movb $0,(%3)\n\t"
			 "syscall"
			 :
			 : "r"(context), "r"(inside), "r"(&agent_tls.inside), "r"(&t->leaving),
			   "a"(SYS_rt_sigreturn)
			 : "memory");
	__builtin_unreachable();
}

void signal_resumed(struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);
	bool untouched = t->async_waits && head->rip == t->async.rip &&
			 !__builtin_memcmp(t->regs_before, head->regs, sizeof t->regs_before);

	/* Came before rt_sigreturn, which then has unblocked what is to wait, or
	 * after it, when what is in force is no more the program's mask. */
	if (t->alert) {
		t->program_mask = t->resume_mask;
		set_mask(t->program_mask | WAITING_MASK);
	}
	if (t->async_waits && !untouched && t->recording)
		stream_async(t, &t->async);
	t->async_waits = false;
	if (agent.counting)
		count_retry(t);
	if (!untouched)
		log_enter(t, TRACE_WHY_RESUME, (1 << 17) - 1 + (0xff << TRACE_XMM0));
}

void signal_check_return(uint64_t sp)
{
	struct kernel_context *context = (void *)sp;
	uint64_t thunk = thunk_for(context->rip);

	if (thunk)
		context->rip = thunk;
}
