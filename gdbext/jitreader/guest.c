/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/jitreader/guest.h"

enum { CODE_SIZE = AT_LEAVE * 2 };

struct search {
	const struct describe *d;
	const struct guest_view *view;
	uint64_t rip;
	struct guest *guest;
};

static bool fetch_guest_memory(const struct search *s, uint64_t addr, void *to, size_t size)
{
	return addr && s->view->memory(s->view->arg, addr, to, size);
}

#define READ(s, addr, to) fetch_guest_memory(s, addr, &(to), sizeof(to))

static bool is_in_range(uint64_t addr, uint64_t from, uint64_t size)
{
	return addr - from < size;
}

/* Most frames are none of ours: this tells from the first look. */
static bool may_be_ours(const struct describe *d, uint64_t rip)
{
	if (is_in_range(rip, d->threads.from, d->threads.to - d->threads.from))
		return true;
	for (unsigned i = 0; i < TRACE_MAX_MODULES; i++)
		if (is_in_range(rip, d->modules[i].from, d->modules[i].to - d->modules[i].from))
			return true;
	return false;
}

/* ---- registers ---- */

static void take_processor(const struct search *s)
{
	for (unsigned i = 0; i < 16; i++)
		s->guest->known[i] =
			s->view->reg(s->view->arg, (enum trace_reg)i, &s->guest->regs[i]);
}

static void set_guest_register(struct guest *g, unsigned reg, uint64_t value)
{
	g->regs[reg] = value;
	g->known[reg] = true;
}

static bool stand_at(const struct search *s, const struct agent_module *m, uint32_t number)
{
	struct trace_insn insn;

	if (!READ(s, (uint64_t)(m->insns + number), insn))
		return false;
	s->guest->rip = insn.addr + m->bias + insn.length;
	return true;
}

/* The module that the address is traced code of. */
static bool find_insn(const struct search *s, uint64_t addr, struct agent_module *m,
		      uint32_t *number)
{
	uint64_t modules = s->d->agent + offsetof(struct agent, modules);

	for (unsigned i = 0; i < TRACE_MAX_MODULES; i++) {
		if (!READ(s, modules + i * sizeof *m, *m) || !is_in_range(addr, m->lo, m->size))
			continue;
		if (!READ(s, (uint64_t)(m->index + (addr - m->lo)), *number) || !*number)
			return false;
		--*number;
		return true;
	}
	return false;
}

/* As struct trace_head has it: while the agent's own code or a slot runs, and
 * while registers are loaded for leaving it. */
static bool take_thread_head(const struct search *s, uint64_t head)
{
	struct trace_head h;
	struct agent_module m;
	uint32_t number;

	if (!READ(s, head, h))
		return false;
	for (unsigned i = 0; i < 16; i++)
		set_guest_register(s->guest, i, h.regs[i]);
	s->guest->rip = h.rip;
	return h.native || !find_insn(s, h.rip, &m, &number) || stand_at(s, &m, number);
}

/* ---- a thread's own code ---- */

static bool stand_at_insn(const struct search *s, uint64_t addr)
{
	struct agent_module m;
	uint32_t number;

	return find_insn(s, addr, &m, &number) && stand_at(s, &m, number);
}

/* The module whose numbers, from its own first one on, this number is among. */
static bool module_of_number(const struct search *s, uint32_t number, bool entry,
			     struct agent_module *m)
{
	uint64_t modules = s->d->agent + offsetof(struct agent, modules);

	for (unsigned i = 0; i < TRACE_MAX_MODULES; i++) {
		struct trace_plan_module plan;

		if (READ(s, modules + i * sizeof *m, *m) && m->size &&
		    READ(s, (uint64_t)m->plan, plan) &&
		    is_in_range(number, entry ? m->first_entry : m->first_insn,
				entry ? plan.n_entries : plan.n_insns))
			return true;
	}
	return false;
}

/* How the agent gets control says where from (enum agent_inside). */
static bool stand_at_way_in(const struct search *s, uint64_t thread, const struct trace_head *h)
{
	uint64_t at = s->d->agent + offsetof(struct agent, tp_inside), entry;
	struct agent_module m;
	struct trace_insn insn;
	uint32_t inside;
	int32_t offset;

	if (!READ(s, at, offset) || !READ(s, h->fs_base + (uint64_t)(int64_t)offset, inside))
		return false;
	if (inside == INSIDE_RESUME)
		return READ(s, thread + offsetof(struct agent_thread, resume_rip), entry) &&
		       stand_at_insn(s, entry);
	if (inside & INSIDE_ENTRY) {
		inside &= ~INSIDE_ENTRY;
		return module_of_number(s, inside, true, &m) &&
		       READ(s, (uint64_t)(m.entries + (inside - m.first_entry)), entry) &&
		       stand_at_insn(s, entry + m.bias);
	}
	if (inside < INSIDE_FIRST || !module_of_number(s, inside - INSIDE_FIRST, false, &m) ||
	    !READ(s, (uint64_t)(m.insns + (inside - INSIDE_FIRST - m.first_insn)), insn))
		return false;
	s->guest->rip = insn.addr + m.bias;
	return true;
}

/* Control comes: registers are in the processor, then in agent_thread.now, and
 * once agent_enter has taken them from there in struct trace_head. */
static bool in_enter(const struct search *s, uint64_t thread)
{
	struct guest *g = s->guest;
	struct trace_head h;
	uint64_t now[17];
	bool leaving;

	take_processor(s);
	if (!READ(s, thread - TRACE_STREAM_OFFSET, h) ||
	    !READ(s, thread + offsetof(struct agent_thread, leaving), leaving) ||
	    !READ(s, thread + offsetof(struct agent_thread, now), now))
		return false;
	if (is_in_range(g->regs[TRACE_RSP], thread, sizeof(struct agent_thread) + 1)) {
		if (!h.native || leaving)
			return take_thread_head(s, thread - TRACE_STREAM_OFFSET);
		for (unsigned i = 0; i < 16; i++)
			set_guest_register(g, i, now[i]);
	}
	return stand_at_way_in(s, thread, &h);
}

static bool in_thread(const struct search *s)
{
	uint64_t head = s->rip & -BLOCK_STEP, thread = head + TRACE_STREAM_OFFSET;
	uint64_t code = thread + offsetof(struct agent_thread, code);

	if (!is_in_range(s->rip, code, CODE_SIZE))
		return false;
	s->guest->code = code;
	if (s->rip < code + AT_RESTART ||
	    is_in_range(s->rip, code + AT_RESUME, AT_LEAVE - AT_RESUME))
		return in_enter(s, thread);
	return take_thread_head(s, head);
}

/* ---- the code cache ---- */

static bool read_mark_at(const struct search *s, const struct jit_region *r, struct jit_insn *mark)
{
	uint32_t low = 0, high = r->n_insns;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (!READ(s, (uint64_t)(r->insns + middle), *mark))
			return false;
		if ((uint64_t)r->base + mark->at <= s->rip)
			low = middle;
		else
			high = middle;
	}
	return r->n_insns && READ(s, (uint64_t)(r->insns + low), *mark);
}

static bool take_block_data(const struct search *s, const struct jit_region *r, unsigned borrowed)
{
	struct guest *g = s->guest;
	struct jit_data d;
	uint64_t stack = (uint64_t)r->data + offsetof(struct jit_data, flags_stack);

	if (!fetch_guest_memory(s, (uint64_t)r->data, &d, offsetof(struct jit_data, counts)))
		return false;
	/* The flags are being fetched. */
	if (is_in_range(g->regs[TRACE_RSP], stack, sizeof d.flags_stack + sizeof d.flags_top))
		set_guest_register(g, TRACE_RSP, g->regs[s->d->scratch]);
	set_guest_register(g, s->d->log, d.home_log);
	set_guest_register(g, s->d->scratch, d.home_scratch);
	if (borrowed & JIT_RAX_BORROWED)
		set_guest_register(g, TRACE_RAX, d.rax);
	if (borrowed & JIT_RCX_BORROWED)
		set_guest_register(g, TRACE_RCX, d.rcx);
	__builtin_memcpy(g->xmm15, d.xmm15, sizeof g->xmm15);
	g->has_xmm15 = true;
	return true;
}

/* Nothing of a block has run yet, or the last one is over: the registers are on
 * their way. */
static bool in_gate(const struct search *s, const struct jit_region *r, uint64_t head)
{
	struct agent_module m;
	struct jit_exit out;
	uint64_t exit, at = s->rip;

	if (at < (uint64_t)r->leave)
		return take_thread_head(s, head);
	if (!READ(s, (uint64_t)&r->data->exit, exit) ||
	    !READ(s, (uint64_t)(r->exits + exit), out) || !READ(s, (uint64_t)r->module, m) ||
	    !take_block_data(s, r, 0))
		return false;
	/* Its first instruction puts rax away, to use it; at its end registers are the
	 * agent's again. */
	if (is_in_range(s->guest->regs[TRACE_RSP], s->d->threads.from,
			s->d->threads.to - s->d->threads.from)) {
		if (!take_thread_head(s, head) || !take_block_data(s, r, 0))
			return false;
	} else if (at > (uint64_t)r->leave &&
		   !READ(s, head + offsetof(struct trace_head, regs) + 8 * TRACE_RAX,
			 s->guest->regs[TRACE_RAX]))
		return false;
	return stand_at(s, &m, out.insn);
}

static bool in_region(const struct search *s, const struct jit_region *r, uint64_t head)
{
	struct agent_module m;
	struct jit_insn mark;

	take_processor(s);
	s->guest->code = (uint64_t)r->base;
	if (s->rip < (uint64_t)r->first)
		return in_gate(s, r, head);
	if (!read_mark_at(s, r, &mark) || !READ(s, (uint64_t)r->module, m) ||
	    !take_block_data(s, r, mark.borrowed))
		return false;
	s->guest->regs[TRACE_RSP] += (uint64_t)(int64_t)mark.stack;
	return stand_at(s, &m, mark.insn);
}

/* ---- by thread ---- */

static bool in_code_of(const struct search *s, uint64_t thread, bool *found)
{
	uint64_t slots[TRACE_MAX_MODULES], sizes[TRACE_MAX_MODULES], regions[TRACE_MAX_MODULES];
	uint64_t head = thread - TRACE_STREAM_OFFSET;
	struct jit_region r;

	*found = false;
	if (!READ(s, thread + offsetof(struct agent_thread, slots), slots) ||
	    !READ(s, thread + offsetof(struct agent_thread, slots_size), sizes) ||
	    !READ(s, thread + offsetof(struct agent_thread, regions), regions))
		return false;
	for (unsigned i = 0; i < TRACE_MAX_MODULES && !*found; i++) {
		*found = slots[i] && is_in_range(s->rip, slots[i], sizes[i]);
		if (*found) {
			s->guest->code = slots[i];
			return take_thread_head(s, head);
		}
		*found = regions[i] && READ(s, regions[i], r) &&
			 is_in_range(s->rip, (uint64_t)r.base, (uint64_t)(r.end - r.base));
		if (*found)
			return in_region(s, &r, head);
	}
	return false;
}

static bool in_any_thread(const struct search *s)
{
	uint64_t threads = s->d->agent + offsetof(struct agent, threads), thread;

	for (unsigned i = 0; i < MAX_THREADS; i++) {
		bool found, known;

		if (!READ(s, threads + 8 * i, thread) || !thread)
			return false;
		known = in_code_of(s, thread, &found);
		if (found)
			return known;
	}
	return false;
}

/* ---- stubs and thunks: every register is the program's ---- */

static bool in_stub(const struct search *s, bool *found)
{
	uint64_t modules = s->d->agent + offsetof(struct agent, modules);

	*found = false;
	for (unsigned i = 0; i < TRACE_MAX_MODULES; i++) {
		struct trace_plan_module plan;
		struct trace_insn insn;
		struct agent_module m;
		uint64_t entry, number;
		uint32_t unused;

		if (!READ(s, modules + i * sizeof m, m) || !m.size ||
		    !READ(s, (uint64_t)m.plan, plan))
			continue;
		*found = is_in_range(s->rip, m.entry_stubs,
				     ((uint64_t)plan.n_entries + plan.n_insns) * STUB_SIZE);
		if (!*found)
			continue;
		take_processor(s);
		s->guest->code = m.entry_stubs;
		number = (s->rip - m.entry_stubs) / STUB_SIZE;
		if (number < plan.n_entries)
			return READ(s, (uint64_t)(m.entries + number), entry) &&
			       find_insn(s, entry + m.bias, &m, &unused) && stand_at(s, &m, unused);
		/* A return address as it is. */
		if (!READ(s, (uint64_t)(m.insns + (number - plan.n_entries)), insn))
			return false;
		s->guest->rip = insn.addr + m.bias;
		return true;
	}
	return false;
}

bool guest_find(const struct describe *d, const struct guest_view *view, uint64_t rip,
		struct guest *guest)
{
	const struct search s = { .d = d, .view = view, .rip = rip, .guest = guest };
	bool found, known;

	*guest = (struct guest){ 0 };
	if (!may_be_ours(d, rip))
		return false;
	if (is_in_range(rip, d->threads.from, d->threads.to - d->threads.from))
		return in_thread(&s);
	known = in_stub(&s, &found);
	return found ? known : in_any_thread(&s);
}
