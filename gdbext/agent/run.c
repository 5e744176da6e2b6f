/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop: one guest instruction after the other.  Frequent and simple ones
 * are done here, all others by step().
 *
 * At any point in here a guest's fault may end in agent_restart instead, which
 * goes on from what struct trace_head says.  So .rip, .length and .insns are
 * written in time: first .rip, then the instruction's effects, then .length and
 * .insns, and the guest's registers by the instruction itself.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

/* Keeps the compiler from moving the guest's memory accesses, or ours to the
 * head, across. */
#define BARRIER() __asm__ volatile("" : : : "memory")

#define FLAG(n) (flags >> (n)&1)

static inline bool does_condition_hold(unsigned cond, uint64_t flags)
{
	bool result;

	switch (cond >> 1) {
	case 0:
		result = FLAG(11);
		break;
	case 1:
		result = FLAG(0);
		break;
	case 2:
		result = FLAG(6);
		break;
	case 3:
		result = FLAG(0) | FLAG(6);
		break;
	case 4:
		result = FLAG(7);
		break;
	case 5:
		result = FLAG(2);
		break;
	case 6:
		result = FLAG(7) ^ FLAG(11);
		break;
	default:
		result = (FLAG(7) ^ FLAG(11)) | FLAG(6);
		break;
	}
	return result ^ (cond & 1);
}

bool branch_is_taken(unsigned cond, uint64_t *regs)
{
	uint64_t *count = &regs[TRACE_RCX], flags = regs[TRACE_RFLAGS];

	switch (cond) {
	case TRACE_COND_RCXZ:
		return !*count;
	case TRACE_COND_ECXZ:
		return !(uint32_t)*count;
	case TRACE_COND_LOOP:
		return --*count;
	case TRACE_COND_LOOPE:
		return --*count && FLAG(6);
	case TRACE_COND_LOOPNE:
		return --*count && !FLAG(6);
	default:
		return does_condition_hold(cond, flags);
	}
}

/* Where the loop stands.  All of it is inlined, so that these stay in machine registers. */
struct stretch {
	struct agent_thread *t;
	struct trace_head *head;
	struct cell *c; /* the next instruction */
	uint8_t *at;	/* the end of the stream */
};

#define INLINED static inline __attribute__((always_inline))

INLINED uint64_t read_guest(uint64_t addr, unsigned size)
{
	switch (size) {
	case 1:
		return *(const volatile uint8_t *)addr;
	case 2:
		return *(const volatile uint16_t *)addr;
	case 4:
		return *(const volatile uint32_t *)addr;
	default:
		return *(const volatile uint64_t *)addr;
	}
}

INLINED void write_down(struct stretch *s, const void *bytes, unsigned size)
{
	__builtin_memcpy(s->at, bytes, size);
	s->at += size;
}

INLINED void instruction_is_done(struct stretch *s, struct cell *next)
{
	BARRIER();
	s->head->length = (uint64_t)s->at - s->t->base;
	s->head->insns++;
	s->c = next;
}

/* An instruction that reads memory, and may write to the same place. */
INLINED void run_read(struct stretch *s, unsigned size)
{
	const uint64_t *regs = s->head->regs;
	const struct cell *c = s->c;
	uint64_t value =
		read_guest(regs[c->base] + (regs[c->index] << c->shift) + (uint64_t)c->disp, size);

	write_down(s, &value, size);
	c->code(&s->head->rflags);
}

/* One that does nothing but load a register. */
INLINED void run_load(struct stretch *s, unsigned size)
{
	s->c->code(&s->head->rflags);
	write_down(s, &s->head->regs[s->c->base], size);
}

INLINED void run_cond(struct stretch *s)
{
	bool taken = does_condition_hold(s->c->cond, s->head->rflags);

	*s->at = taken; /* not to be seen where nothing is recorded */
	s->at += s->c->told;
	instruction_is_done(s, taken ? s->c->target : s->c->next);
}

INLINED void run_call(struct stretch *s)
{
	uint64_t sp = s->head->regs[TRACE_RSP] - 8;

	*(volatile uint64_t *)sp = s->c->addr + s->c->insn->length;
	s->head->regs[TRACE_RSP] = sp;
	instruction_is_done(s, s->c->target);
}

/* False: it returns to code that is not traced, so it is not executed here. */
INLINED bool run_return(struct stretch *s)
{
	uint64_t sp = s->head->regs[TRACE_RSP];
	uint64_t value = *(const volatile uint64_t *)sp;
	struct cell *to = cell_at(s->t, value);

	if (UNLIKELY(!to))
		return false;
	__builtin_memcpy(s->at, &value, 8);
	s->at += s->t->recording ? 8 : 0;
	s->head->regs[TRACE_RSP] = sp + 8 + s->c->insn->ret_pop;
	instruction_is_done(s, to);
	return true;
}

/* What is rare.  NULL: something is to be done that is not an instruction. */
static struct cell *run_other_cell(struct agent_thread *t, struct cell *c)
{
	switch (c->kind) {
	case CELL_BREAKABLE:
		if (!is_planted_at(c->addr))
			return step(t, c);
		go_break(t);
		return NULL;
	case CELL_RET:
	case CELL_SLOW:
		return step(t, c);
	default:
		return cell_prepare(t, c) ? c : NULL;
	}
}

INLINED bool run_elsewhere(struct stretch *s)
{
	s->t->at = s->at;
	s->c = run_other_cell(s->t, s->c);
	s->at = s->t->at;
	return s->c;
}

/* One instruction; false: something is to be done that is none. */
INLINED bool run_cell(struct stretch *s)
{
	switch (s->c->kind) {
	case CELL_READ1:
		run_read(s, 1);
		break;
	case CELL_READ2:
		run_read(s, 2);
		break;
	case CELL_READ4:
		run_read(s, 4);
		break;
	case CELL_READ8:
		run_read(s, 8);
		break;
	case CELL_LOAD1:
		run_load(s, 1);
		break;
	case CELL_LOAD2:
		run_load(s, 2);
		break;
	case CELL_LOAD4:
		run_load(s, 4);
		break;
	case CELL_LOAD8:
		run_load(s, 8);
		break;
	case CELL_RUN:
		s->c->code(&s->head->rflags);
		break;
	case CELL_COND:
		run_cond(s);
		return true;
	case CELL_JUMP:
		instruction_is_done(s, s->c->target);
		return true;
	case CELL_CALL:
		run_call(s);
		return true;
	case CELL_RET:
		return run_return(s) || run_elsewhere(s);
	default:
		return run_elsewhere(s);
	}
	instruction_is_done(s, s->c->next);
	return true;
}

/* Runs until something is to be done that is not an instruction: then head.rip
 * is where control stands. */
static void run_cells(struct agent_thread *t, struct cell *c)
{
	struct stretch s = { t, head_of(t), c, t->at };

	do {
		s.head->rip = s.c->addr;
		BARRIER();
		if (UNLIKELY(t->alert) || UNLIKELY(s.at >= t->limit) || s.head->insns >= t->stop) {
			if (!s.c->addr) /* not prepared: .rip is not known from it */
				cell_prepare(t, s.c);
			t->at = s.at;
			return;
		}
	} while (run_cell(&s));
}

static void pass_cell(struct agent_thread *t, struct cell *c)
{
	t->passes = false;
	step_at(t, c);
}

static void make_room_for_stream(struct agent_thread *t)
{
	stream_grow(t);
	stream_next_part(t);
}

/* The instruction .from of the plan is next. */
static void begin_plan(struct agent_thread *t)
{
	if (agent.plan->flags & TRACE_SERVE)
		serve_from_here(t);
	stream_begin(t);
}

void run(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	while (!head->native) {
		struct cell *c = cell_at(t, head->rip);
		const bool begins = head->insns == t->stop && t->stop == t->from;

		/* before an untraced call, the instruction that is next stands behind it */
		if (begins && c)
			begin_plan(t);
		if (head->insns >= t->stop && (c || !begins)) {
			head->end = TRACE_END_INSNS;
			output_write_rest();
			sys_exit(0);
		}
		if (!c)
			go_native(t);
		else if (t->alert)
			signal_deliver(t);
		else if (t->at >= t->limit || stream_part_is_full(t))
			make_room_for_stream(t);
		else if (t->passes)
			pass_cell(t, c);
		else if (!t->jit || !jit_run(t))
			run_cells(t, cell_at(t, head->rip));
	}
}
