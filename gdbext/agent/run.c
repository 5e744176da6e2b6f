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

static inline bool holds(unsigned cond, uint64_t flags)
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

bool condition_holds(unsigned cond, uint64_t *regs)
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
		return holds(cond, flags);
	}
}

/* Runs until something is to be done that is not an instruction: then head.rip
 * is where control stands. */
static void run_cells(struct agent_thread *t, struct cell *c)
{
	struct trace_head *head = head_of(t);
	uint64_t *regs = head->regs, *state = &head->rflags;
	uint8_t *at = t->at;
	uint64_t value, sp;
	bool taken;

#define OPERAND(type) \
	(*(const volatile type *)(regs[c->base] + (regs[c->index] << c->shift) + (uint64_t)c->disp))
#define READ(type)                                        \
	do {                                              \
		type read = OPERAND(type);                \
		__builtin_memcpy(at, &read, sizeof read); \
		at += sizeof read;                        \
	} while (0)
#define LOADED(type)                                                \
	do {                                                        \
		__builtin_memcpy(at, &regs[c->base], sizeof(type)); \
		at += sizeof(type);                                 \
	} while (0)
#define DONE()                                         \
	do {                                           \
		BARRIER();                             \
		head->length = (uint64_t)at - t->base; \
		head->insns++;                         \
	} while (0)

	for (;;) {
		head->rip = c->addr;
		BARRIER();
		if (UNLIKELY(t->alert) || UNLIKELY(at >= t->limit) || head->insns >= t->stop) {
			if (!c->addr) /* not prepared: .rip is not known from it */
				cell_prepare(t, c);
			break;
		}
		switch (c->kind) {
		case CELL_READ1:
			READ(uint8_t);
			c->code(state);
			break;
		case CELL_READ2:
			READ(uint16_t);
			c->code(state);
			break;
		case CELL_READ4:
			READ(uint32_t);
			c->code(state);
			break;
		case CELL_READ8:
			READ(uint64_t);
			c->code(state);
			break;
		case CELL_LOAD1:
			c->code(state);
			LOADED(uint8_t);
			break;
		case CELL_LOAD2:
			c->code(state);
			LOADED(uint16_t);
			break;
		case CELL_LOAD4:
			c->code(state);
			LOADED(uint32_t);
			break;
		case CELL_LOAD8:
			c->code(state);
			LOADED(uint64_t);
			break;
		case CELL_RUN:
			c->code(state);
			break;
		case CELL_COND:
			taken = holds(c->cond, head->rflags);
			*at = taken; /* not to be seen where nothing is recorded */
			at += t->recording;
			DONE();
			c = taken ? c->target : c->next;
			continue;
		case CELL_JUMP:
			DONE();
			c = c->target;
			continue;
		case CELL_CALL:
			sp = regs[TRACE_RSP] - 8;
			*(volatile uint64_t *)sp = c->addr + c->insn->length;
			regs[TRACE_RSP] = sp;
			DONE();
			c = c->target;
			continue;
		case CELL_RET:
			sp = regs[TRACE_RSP];
			value = *(const volatile uint64_t *)sp;
			struct cell *to = cell_at(t, value);
			if (UNLIKELY(!to))
				goto slow;
			__builtin_memcpy(at, &value, 8);
			at += t->recording ? 8 : 0;
			regs[TRACE_RSP] = sp + 8 + c->insn->ret_pop;
			DONE();
			c = to;
			continue;
		case CELL_BREAKABLE:
			if (is_planted_at(c->addr)) {
				t->at = at;
				go_break(t);
				return;
			}
			goto slow;
		case CELL_SLOW:
		slow:
			t->at = at;
			c = step(t, c);
			if (!c)
				return;
			at = t->at;
			continue;
		default:
			t->at = at;
			if (!cell_prepare(t, c))
				return;
			continue;
		}
		DONE();
		c = c->next;
	}
	t->at = at;
}

static void pass(struct agent_thread *t, struct cell *c)
{
	t->passes = false;
	step_at(t, c);
}

static void make_room(struct agent_thread *t)
{
	stream_grow(t);
	stream_next_part(t);
}

void run(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	while (!head->native) {
		struct cell *c = cell_at(t, head->rip);

		if (head->insns == t->stop && t->stop == t->from)
			stream_begin(t);
		if (head->insns >= t->stop) {
			head->end = TRACE_END_INSNS;
			sys_exit(0);
		}
		if (!c)
			go_native(t);
		else if (t->alert)
			signal_deliver(t);
		else if (t->at >= t->limit)
			make_room(t);
		else if (t->passes)
			pass(t, c);
		else if (!t->jit || !jit_run(t))
			run_cells(t, cell_at(t, head->rip));
	}
}
