/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control that comes from untraced code and goes there.  Nothing is kept for
 * the way back but what stands on the guest's stack, so calls may be left by
 * longjmp and nested as deep as the program likes.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

/* The stream must have room for one instruction. */
void log_enter(struct agent_thread *t, unsigned why, uint32_t mask)
{
	const struct trace_head *head = head_of(t);
	struct trace_enter enter = {
		.tag = 'E', .why = (uint8_t)why, .mask = mask, .rip = head->rip
	};
	uint8_t *at = t->at;

	if (!t->recording)
		return;
	__builtin_memcpy(at, &enter, sizeof enter);
	at += sizeof enter;
	for (uint32_t left = mask & ALL_GPR; left; left &= left - 1) {
		__builtin_memcpy(at, &head->regs[__builtin_ctz(left)], 8);
		at += 8;
	}
	for (uint32_t left = (mask & ALL_XMM) >> TRACE_XMM0; left; left &= left - 1) {
		__builtin_memcpy(at, t->xmm[__builtin_ctz(left)], 16);
		at += 16;
	}
	t->at = at;
	head_of(t)->length = (uint64_t)at - t->base;
	if (!t->miss)
		mirror_begin(t);
}

static bool same_vector(const uint8_t *a, const uint8_t *b)
{
	uint64_t x[2], y[2];

	__builtin_memcpy(x, a, sizeof x);
	__builtin_memcpy(y, b, sizeof y);
	return x[0] == y[0] && x[1] == y[1];
}

/* Takes the registers from .now, and returns a mask of those that have changed.  It looks at all
 * vector registers, or only at those that may hold a result. */
static uint32_t take_registers(struct agent_thread *t, bool all)
{
	uint64_t *regs = head_of(t)->regs;
	uint32_t changed = 0;

	for (unsigned i = 0; i < 17; i++) {
		changed |= (uint32_t)(regs[i] != t->now[i]) << i;
		regs[i] = t->now[i];
	}
	if (all)
		xmm_store(t->xmm);
	else
		xmm_store_results(t->xmm);
	for (unsigned i = 0; i < 2; i++)
		if (!same_vector(t->xmm[i], t->xmm_left[i]))
			changed |= 1u << (TRACE_XMM0 + i);
	return changed;
}

static uint64_t entry_address(uint32_t number)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		const struct agent_module *m = &agent.modules[i];

		if (m->size && number - m->first_entry < m->plan->n_entries)
			return m->entries[number - m->first_entry] + m->bias;
	}
	return 0;
}

static uint64_t insn_address_of(uint32_t number)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		const struct agent_module *m = &agent.modules[i];

		if (m->size && number - m->first_insn < m->plan->n_insns)
			return m->insns[number - m->first_insn].addr + m->bias;
	}
	return 0;
}

/* After a call, no value is taken to be known; elsewhere it may be. */
static bool is_behind_call(uint64_t addr)
{
	const struct agent_module *m = module_at(addr);
	uint32_t number = m ? module_insn(m, addr) : 0;
	const struct trace_insn *before = number > 1 ? &m->insns[number - 2] : NULL;

	return before && before->addr + before->length == m->insns[number - 1].addr &&
	       (before->flow == TRACE_FLOW_CALL || before->flow == TRACE_FLOW_CALL_IND);
}

/* An untraced handler ran on top of traced code and does not simply come back:
 * now the record has to tell of it. */
static void tell_of_handler(struct agent_thread *t)
{
	if (t->async_waits && t->recording)
		stream_async(t, &t->async);
	t->async_waits = false;
}

/* It is where a debugger stopped it, and nothing has happened in between.  In any
 * case what is planted there has had its effect. */
static bool was_stopped(struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);
	bool was = t->broke_rip == head->rip && t->broke_rsp == head->regs[TRACE_RSP];

	t->passes = agent.plan->flags & TRACE_BREAKPOINTS;
	t->broke_rip = 0;
	return was;
}

static void enter_traced(struct agent_thread *t, uint32_t inside)
{
	struct trace_head *head = head_of(t);
	uint32_t changed = take_registers(t, inside == INSIDE_RESUME || inside & INSIDE_ENTRY);

	output_note(t, true);
	if (agent.n_threads > 1)
		stream_record_all(t);
	if (inside == INSIDE_RESUME) {
		head->rip = t->resume_rip;
		head->native = 0;
		signal_resumed(t);
		return;
	}
	tell_of_handler(t);
	if (inside & INSIDE_ENTRY) {
		head->rip = entry_address(inside & ~INSIDE_ENTRY);
		head->native = 0; /* not before .rip says where: GDB may look */
		if (!was_stopped(t))
			log_enter(t, t->started ? TRACE_WHY_CALL : TRACE_WHY_START,
				  ALL_GPR | ALL_XMM);
	} else {
		head->rip = insn_address_of(inside - INSIDE_FIRST);
		head->native = 0;
		if (!was_stopped(t)) {
			if (!is_behind_call(head->rip))
				stream_record_all(t);
			log_enter(t, TRACE_WHY_RETURN, changed);
			apply_later_actions(t);
		}
	}
	t->started = true;
}

void agent_enter(struct agent_thread *t)
{
	uint32_t inside = agent_tls.inside;

	if (t->at >= t->limit)
		stream_grow(t);
	if (inside == INSIDE_SIGRETURN) {
		take_registers(t, true);
		head_of(t)->rip = agent.sigreturn_stub;
		go_native(t);
	} else {
		enter_traced(t, inside);
	}
	run(t);
}

/* A signal arrived while the agent was doing something, whatever that was. */
void agent_restart(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	if (t->recording)
		t->at = (uint8_t *)t->base + head->length;
	if (t->leaving) {
		/* Everything was prepared for going to untraced code. */
		t->leaving = false;
		go_native(t);
	}
	run(t);
}

void go_break(struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);

	t->broke_rip = head->rip;
	t->broke_rsp = head->regs[TRACE_RSP];
	go_native(t);
}

void go_native(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	output_note(t, false);
	for (;;) {
		t->target = head->rip;
		head->native = 1;
		t->leaving = true;
		__asm__ volatile("" : : : "memory");
		if (!t->alert)
			break;
		t->leaving = false;
		signal_deliver(t);
		if (!head->native)
			return;
	}
	/* From now on a signal makes this function start again. */
	if (head->rip == agent.sigreturn_stub)
		signal_return(t);
	if (head->rip == agent.restorer)
		signal_check_return(head->regs[TRACE_RSP]);
	xmm_store_results(t->xmm_left);
}
