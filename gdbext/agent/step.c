/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes one guest instruction by all the rules of trace.h. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

enum { DIRECTION = 1 << 10, ZERO = 1 << 6 };

static uint64_t address_of_operand(struct agent_thread *t, const struct cell *c,
				   const struct trace_mem *m)
{
	const struct trace_head *head = head_of(t);
	uint64_t a = (uint64_t)m->disp;

	if (m->flags & TRACE_MEM_RIP)
		a += agent.modules[c->module].bias;
	if (m->base != TRACE_REG_NONE)
		a += head->regs[m->base];
	if (m->index != TRACE_REG_NONE)
		a += head->regs[m->index] * m->scale;
	if (m->flags & TRACE_MEM_ADDR32)
		a = (uint32_t)a;
	if (m->seg)
		a += m->seg == 1 ? head->fs_base : head->gs_base;
	return a;
}

static uint8_t *put_log_word(uint8_t *at, uint64_t word)
{
	__builtin_memcpy(at, &word, 8);
	return at + 8;
}

static void copy_guest(uint8_t *to, uint64_t from, unsigned size)
{
	for (; size >= 8; size -= 8, to += 8, from += 8)
		put_log_word(to, *(const volatile uint64_t *)from);
	for (; size; size--)
		*to++ = *(const volatile uint8_t *)from++;
}

static uint8_t *log_operands(struct agent_thread *t, const struct cell *c, uint8_t *at)
{
	const struct trace_insn *insn = c->insn;

	for (unsigned i = 0; i < insn->n_mem && i < 2; i++) {
		const struct trace_mem *m = &insn->mem[i];
		uint64_t address;

		if (!is_logged(t, m) || is_mirrored(t, m))
			continue;
		address = address_of_operand(t, c, m);
		if (t->addresses)
			at = put_log_word(at, address);
		copy_guest(at, address, m->size);
		at += m->size;
	}
	for (unsigned i = 0; t->addresses && i < insn->n_mem && i < 2; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			at = put_log_word(at, address_of_operand(t, c, &insn->mem[i]));
	return at;
}

static uint8_t *log_step_outputs(struct agent_thread *t, const struct trace_insn *insn, uint8_t *at)
{
	const struct trace_head *head = head_of(t);
	unsigned vectors = (unsigned)__builtin_popcountll(insn->out_vec) * insn->vec_size;

	for (unsigned i = 0; i < 16; i++)
		if (insn->out_gpr >> i & 1)
			at = put_log_word(at, head->regs[i]);
	if (insn->out_flags)
		at = put_log_word(at, head->rflags);
	__builtin_memcpy(at, t->vector, vectors);
	return at + vectors;
}

/* The instruction has been executed; .at is where its part of the stream ends. */
static struct cell *finish_agent_step(struct agent_thread *t, const struct cell *c, uint8_t *at,
				      uint64_t to, uint64_t sp_before)
{
	struct trace_head *head = head_of(t);

	if (t->recording)
		t->at = at;
	head->rip = to;
	head->length = (uint64_t)t->at - t->base;
	head->insns++;
	if (c->mark && head->insns > t->from)
		mark_done(t, c, sp_before);
	return cell_at(t, to);
}

/* Untraced code must not return to traced code but to its thunk. */
static void guard_return(struct agent_thread *t)
{
	volatile uint64_t *slot = (volatile uint64_t *)head_of(t)->regs[TRACE_RSP];
	uint64_t thunk = thunk_for(*slot);

	if (thunk)
		*slot = thunk;
}

/* ---- what goes on with the next instruction ---- */

static bool is_narrow(const struct trace_insn *insn)
{
	return insn->n_mem && insn->mem[0].flags & TRACE_MEM_ADDR32;
}

static bool count_is_zero(const struct agent_thread *t, const struct trace_insn *insn)
{
	uint64_t count = head_of((void *)(uintptr_t)t)->regs[TRACE_RCX];

	return !(is_narrow(insn) ? (uint32_t)count : count);
}

/* One iteration has been executed. Does the instruction go on? */
static bool does_repeat(struct agent_thread *t, const struct trace_insn *insn)
{
	struct trace_head *head = head_of(t);
	uint64_t *count = &head->regs[TRACE_RCX];

	*count = is_narrow(insn) ? (uint32_t)(*count - 1) : *count - 1;
	return insn->rep == TRACE_REP || (insn->rep == TRACE_REPE) == !!(head->rflags & ZERO);
}

/* An operand that is mirrored, and its value. */
struct mirrored {
	uint64_t address, value;
	unsigned size; /* 0 = there is none */
};

/* Before the instruction. */
static struct mirrored mirrored_operand(struct agent_thread *t, const struct cell *c)
{
	const struct trace_insn *insn = c->insn;
	const struct trace_mem *m = &insn->mem[0];
	struct mirrored o = { .size = 0 };
	int32_t immediate;

	if (!insn->n_mem || !is_mirrored(t, m))
		return o;
	o.address = address_of_operand(t, c, m);
	o.size = m->size;
	if (m->flags & TRACE_MEM_READ) {
		copy_guest((uint8_t *)&o.value, o.address, o.size);
	} else if (insn->store_reg == TRACE_REG_IMMEDIATE) {
		__builtin_memcpy(&immediate,
				 module_bytes(&agent.modules[c->module], insn) + insn->length - 4,
				 4);
		o.value = (uint64_t)(int64_t)immediate;
	} else {
		o.value = head_of(t)->regs[insn->store_reg];
	}
	return o;
}

/* After it; at: the end of the stream. */
static uint8_t *use_mirror(struct agent_thread *t, const struct cell *c, struct mirrored *o,
			   uint8_t *at)
{
	if (!o->size)
		return at;
	if (c->insn->mem[0].flags & TRACE_MEM_WRITE) {
		mirror_store(t, o->address, &o->value, o->size);
		return at;
	}
	if (is_load(t, c->insn))
		__builtin_memcpy(&o->value, &head_of(t)->regs[c->insn->load_reg], o->size);
	return mirror_load(t, o->address, &o->value, o->size, at);
}

static struct cell *step_on(struct agent_thread *t, const struct cell *c)
{
	struct trace_head *head = head_of(t);
	const struct trace_insn *insn = c->insn;
	uint64_t sp_before = head->regs[TRACE_RSP], to = c->addr + insn->length;
	bool repeated = insn->rep != TRACE_REP_NONE, turned;
	struct mirrored mirrored = mirrored_operand(t, c);
	uint8_t *at = t->at;

	if (!repeated || !count_is_zero(t, insn)) {
		if (t->recording)
			at = log_operands(t, c, at);
		c->code(&head->rflags);
		at = use_mirror(t, c, &mirrored, at);
		if (t->recording && is_load(t, insn) && !mirrored.size)
			__builtin_memcpy(at - insn->mem[0].size, &head->regs[insn->load_reg],
					 insn->mem[0].size);
		if (c->calls_kernel)
			head->regs[TRACE_RCX] = to;
		if (repeated && does_repeat(t, insn))
			to = c->addr;
		t->repeating = to == c->addr ? to : 0;
	}
	if (t->recording && !(insn->flags & TRACE_INSN_PLAIN))
		at = log_step_outputs(t, insn, at);
	if (!cell_at(t, to))
		guard_return(t);
	turned = c->turns_back && head->rflags & DIRECTION && !t->backward;
	c = finish_agent_step(t, c, at, to, sp_before);
	if (!turned)
		return (struct cell *)(uintptr_t)c;
	/* From now on slots have to load the flags before anything else. */
	t->backward = true;
	cells_forget(t);
	return NULL;
}

/* ---- flow ---- */

static struct cell *step_cond(struct agent_thread *t, const struct cell *c)
{
	struct trace_head *head = head_of(t);
	const struct trace_action *a = mark_action(t, c->mark, TRACE_ACTION_FORCE);
	bool taken = branch_is_taken(c->insn->cond, head->regs);
	uint8_t *at = t->at;
	uint64_t to;

	if (a)
		taken = a->value[0];
	if (agent.counting)
		count_outcome(t, c, taken);
	if (is_outcome_logged(t, c->insn))
		*at++ = taken;
	to = taken ? c->insn->target + agent.modules[c->module].bias : c->addr + c->insn->length;
	if (!cell_at(t, to))
		guard_return(t);
	return finish_agent_step(t, c, at, to, head->regs[TRACE_RSP]);
}

static struct cell *step_return(struct agent_thread *t, const struct cell *c)
{
	struct trace_head *head = head_of(t);
	uint64_t sp = head->regs[TRACE_RSP], to = *(const volatile uint64_t *)sp, shown;
	uint64_t meaning = thunk_meaning(to);
	uint8_t *at = t->at;

	to = meaning ? meaning : to;
	shown = to == agent.sigreturn_stub && agent.restorer ? agent.restorer : to;
	if (t->recording)
		at = put_log_word(at, shown);
	head->regs[TRACE_RSP] = sp + 8 + c->insn->ret_pop;
	return finish_agent_step(t, c, at, to, sp);
}

/* Where a jump or call goes. */
static uint64_t control_destination(struct agent_thread *t, const struct cell *c)
{
	const struct trace_insn *insn = c->insn;
	uint64_t bias = agent.modules[c->module].bias;
	const struct trace_action *a;

	if (insn->flow == TRACE_FLOW_JUMP || insn->flow == TRACE_FLOW_CALL)
		return insn->target + bias;
	a = mark_action(t, c->mark, TRACE_ACTION_JUMP);
	if (a)
		return a->where + bias;
	if (insn->flow_reg != TRACE_REG_NONE)
		return head_of(t)->regs[insn->flow_reg];
	return *(const volatile uint64_t *)address_of_operand(t, c, &insn->mem[0]);
}

static struct cell *step_jump(struct agent_thread *t, const struct cell *c)
{
	const struct trace_insn *insn = c->insn;
	uint64_t to = control_destination(t, c);
	uint8_t *at = t->at;

	if (t->recording)
		at = log_operands(t, c, at);
	if (is_target_logged(t, insn) && insn->flow == TRACE_FLOW_JUMP_IND)
		at = put_log_word(at, to);
	if (agent.counting && insn->flow == TRACE_FLOW_JUMP_IND)
		count_jump(t, c, to);
	if (!cell_at(t, to))
		guard_return(t);
	return finish_agent_step(t, c, at, to, head_of(t)->regs[TRACE_RSP]);
}

static struct cell *step_call(struct agent_thread *t, const struct cell *c)
{
	struct trace_head *head = head_of(t);
	const struct trace_insn *insn = c->insn;
	uint64_t to = control_destination(t, c), sp = head->regs[TRACE_RSP];
	uint64_t back = c->addr + insn->length, thunk = cell_at(t, to) ? 0 : thunk_for(back);
	uint8_t *at = t->at;

	if (t->recording)
		at = log_operands(t, c, at);
	if (is_target_logged(t, insn) && insn->flow == TRACE_FLOW_CALL_IND)
		at = put_log_word(at, to);
	*(volatile uint64_t *)(sp - 8) = thunk ? thunk : back;
	head->regs[TRACE_RSP] = sp - 8;
	return finish_agent_step(t, c, at, to, sp);
}

struct cell *step(struct agent_thread *t, struct cell *c)
{
	if (c->insn->flags & TRACE_INSN_UNSUPPORTED) {
		head_of(t)->end = TRACE_END_UNSUPPORTED;
		sys_exit(0);
	}
	if (agent.counting)
		count_start(t, c);
	switch (c->insn->flow) {
	case TRACE_FLOW_NONE:
		return step_on(t, c);
	case TRACE_FLOW_COND:
		return step_cond(t, c);
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_JUMP_IND:
		return step_jump(t, c);
	case TRACE_FLOW_RET:
		return step_return(t, c);
	default:
		return step_call(t, c);
	}
}

void step_at(struct agent_thread *t, struct cell *c)
{
	if (c->kind == CELL_NEW && !cell_prepare(t, c))
		return;
	step(t, c);
}
