/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes cells: instructions in a form that run.c can execute with a few host instructions. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <sys/mman.h>

enum {
	INDEX_ZERO = 20
}; /* the number of a word after struct trace_head, counted from .regs; it is always 0 */
_Static_assert(offsetof(struct trace_head, regs) + 8 * INDEX_ZERO == sizeof(struct trace_head),
	       "the word behind the head");

struct cell *cell_at(struct agent_thread *t, uint64_t addr)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		uint32_t number = module_insn(&agent.modules[i], addr);

		if (number)
			return &t->cells[i][number - 1];
	}
	return NULL;
}

void cells_forget(struct agent_thread *t)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		uint64_t size = (uint64_t)agent.modules[i].plan->n_insns * sizeof(struct cell);

		if (t->cells[i])
			sys3(SYS_madvise, (long)t->cells[i], (long)((size + 4095) & ~4095ull),
			     MADV_DONTNEED);
		t->slots_at[i] = t->slots[i];
	}
}

static bool is_odd(const struct agent_thread *t, const struct trace_insn *insn)
{
	return (insn->n_mem && is_mirrored(t, &insn->mem[0])) ||
	       !(insn->flags & TRACE_INSN_PLAIN) || insn->flags & TRACE_INSN_UNSUPPORTED ||
	       insn->rep != TRACE_REP_NONE || (t->addresses && t->recording && insn->n_mem);
}

static const struct trace_mem *only_read(const struct agent_thread *t,
					 const struct trace_insn *insn)
{
	const struct trace_mem *found = NULL;

	for (unsigned i = 0; i < insn->n_mem && i < 2; i++) {
		if (!is_logged(t, &insn->mem[i]))
			continue;
		if (found)
			return NULL;
		found = &insn->mem[i];
	}
	return found;
}

static unsigned count_reads(const struct agent_thread *t, const struct trace_insn *insn)
{
	unsigned n = 0;

	for (unsigned i = 0; i < insn->n_mem && i < 2; i++)
		n += is_logged(t, &insn->mem[i]);
	return n;
}

/* False when run.c cannot read the operand by itself. */
static bool take_read(struct agent_thread *t, struct cell *c, const struct trace_mem *m)
{
	static const uint8_t kinds[9] = {
		[1] = CELL_READ1, [2] = CELL_READ2, [4] = CELL_READ4, [8] = CELL_READ8
	};
	const struct trace_head *head = head_of(t);

	if (!m || m->size > 8 || !kinds[m->size] || m->flags & TRACE_MEM_ADDR32)
		return false;
	c->disp = m->disp;
	if (m->flags & TRACE_MEM_RIP)
		c->disp += (int64_t)agent.modules[c->module].bias;
	if (m->seg)
		c->disp += (int64_t)(m->seg == 1 ? head->fs_base : head->gs_base);
	c->base = m->base == TRACE_REG_NONE ? INDEX_ZERO : m->base;
	c->index = m->index == TRACE_REG_NONE ? INDEX_ZERO : m->index;
	c->shift = (uint8_t)__builtin_ctz(m->scale | 8);
	c->kind = kinds[m->size];
	if (is_load(t, c->insn)) {
		c->kind += CELL_LOAD1 - CELL_READ1;
		c->base = c->insn->load_reg;
	}
	return true;
}

static void choose_kind(struct agent_thread *t, struct cell *c)
{
	const struct trace_insn *insn = c->insn;

	c->kind = CELL_SLOW;
	if (is_breakable(&agent.modules[c->module], insn))
		c->kind = CELL_BREAKABLE;
	if (c->kind != CELL_SLOW || is_odd(t, insn) || c->mark || c->turns_back || agent.counting)
		return;
	switch (insn->flow) {
	case TRACE_FLOW_NONE:
		if (!c->next)
			return;
		if (!t->recording || !count_reads(t, insn))
			c->kind = CELL_RUN;
		else
			take_read(t, c, only_read(t, insn));
		return;
	case TRACE_FLOW_COND:
		if (insn->cond < 16 && c->target && c->next)
			c->kind = CELL_COND;
		return;
	case TRACE_FLOW_JUMP:
		if (c->target)
			c->kind = CELL_JUMP;
		return;
	case TRACE_FLOW_CALL:
		if (c->target)
			c->kind = CELL_CALL;
		return;
	case TRACE_FLOW_RET:
		c->kind = CELL_RET;
		return;
	default:
		return;
	}
}

/* After std and popf the direction flag may be set. */
static bool may_turn_back(const struct trace_insn *insn, const uint8_t *bytes)
{
	uint8_t last = bytes ? bytes[insn->length - 1] : 0;

	return insn->flow == TRACE_FLOW_NONE && insn->use_flags & TRACE_FLAGS_WRITTEN &&
	       insn->length <= 2 && (last == 0xfd || last == 0x9d);
}

static bool calls_kernel(const struct trace_insn *insn, const uint8_t *bytes)
{
	return bytes && insn->length == 2 && bytes[0] == 0x0f && bytes[1] == 0x05;
}

bool cell_prepare(struct agent_thread *t, struct cell *c)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		struct agent_module *m = &agent.modules[i];
		uint64_t number = (uint64_t)(c - t->cells[i]);

		if (!t->cells[i] || c < t->cells[i] || number >= m->plan->n_insns)
			continue;
		c->insn = &m->insns[number];
		c->module = i;
		c->addr = c->insn->addr + m->bias;
		head_of(t)->rip = c->addr; /* it stays when the cells are forgotten */
		c->cond = c->insn->cond;
		c->told = is_outcome_logged(t, c->insn);
		c->next = cell_at(t, c->addr + c->insn->length);
		c->target = c->insn->target ? cell_at(t, c->insn->target + m->bias) : NULL;
		c->mark = mark_of(t, i, c->insn->addr);
		c->turns_back = may_turn_back(c->insn, module_bytes(m, c->insn));
		c->calls_kernel = calls_kernel(c->insn, module_bytes(m, c->insn));
		if (c->insn->flow == TRACE_FLOW_NONE && !emit_slot(t, c))
			return false;
		choose_kind(t, c);
		return true;
	}
	return false;
}
