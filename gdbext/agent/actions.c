/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's actions: what is changed while the program runs. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <sys/mman.h>

static const struct trace_action *actions_of_thread(void)
{
	return agent.asked.actions;
}

/* Orders actions by module, address and nth; equal ones stay in the order of the plan. */
static bool is_before(uint32_t x, uint32_t y)
{
	const struct trace_action *a = &actions_of_thread()[x], *b = &actions_of_thread()[y];

	if (a->module != b->module)
		return a->module < b->module;
	if (a->addr != b->addr)
		return a->addr < b->addr;
	return a->nth != b->nth ? a->nth < b->nth : x < y;
}

static void sift_down(uint32_t *heap, uint32_t at, uint32_t n)
{
	for (;;) {
		uint32_t child = 2 * at + 1, other = child + 1, kept = heap[at];

		if (child >= n)
			return;
		if (other < n && is_before(heap[child], heap[other]))
			child = other;
		if (!is_before(kept, heap[child]))
			return;
		heap[at] = heap[child];
		heap[child] = kept;
		at = child;
	}
}

static void sort_numbers(uint32_t *numbers, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(numbers, i, n);
	for (uint32_t end = n; end-- > 1;) {
		uint32_t largest = numbers[0];

		numbers[0] = numbers[end];
		numbers[end] = largest;
		sift_down(numbers, 0, end);
	}
}

/* Those of code were done before the start. */
static bool is_at_execution(const struct agent_thread *t, const struct trace_action *a)
{
	return a->thread == t->number && a->kind < TRACE_ACTION_CODE;
}

bool marks_make(struct agent_thread *t)
{
	uint32_t n = 0;

	t->n_marks = 0;
	t->marks = NULL;
	for (uint32_t i = 0; i < agent.asked.n_actions; i++)
		n += is_at_execution(t, &actions_of_thread()[i]);
	if (!n || agent.child)
		return true;
	t->actions = far_map(n * sizeof *t->actions, PROT_READ | PROT_WRITE, -1);
	t->marks = far_map(n * sizeof *t->marks, PROT_READ | PROT_WRITE, -1);
	if (!t->actions || !t->marks)
		return false;
	n = 0;
	for (uint32_t i = 0; i < agent.asked.n_actions; i++)
		if (is_at_execution(t, &actions_of_thread()[i]))
			t->actions[n++] = i;
	sort_numbers(t->actions, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_action *a = &actions_of_thread()[t->actions[i]];
		struct mark *last = t->n_marks ? &t->marks[t->n_marks - 1] : NULL;

		if (last && last->module == a->module && last->addr == a->addr)
			last->end = i + 1;
		else
			t->marks[t->n_marks++] = (struct mark){
				.addr = a->addr, .module = a->module, .next = i, .end = i + 1
			};
	}
	return true;
}

uint32_t mark_of(struct agent_thread *t, unsigned module, uint64_t link)
{
	uint32_t low = 0, high = t->n_marks;

	/* stream_begin forgets what was made ready until then */
	if (high && head_of(t)->insns < t->from)
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct mark *m = &t->marks[middle];

		if (m->module == module && m->addr == link)
			return m->ended ? 0 : middle + 1;
		if (m->module < module || (m->module == module && m->addr < link))
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

const struct trace_action *mark_action(struct agent_thread *t, uint32_t mark, uint32_t kind)
{
	const struct mark *m;

	if (!mark || head_of(t)->insns < t->from)
		return NULL;
	m = &t->marks[mark - 1];
	for (uint32_t i = m->next; i < m->end; i++) {
		const struct trace_action *a = &actions_of_thread()[t->actions[i]];

		if (a->nth > m->count + 1)
			break;
		if (a->nth == m->count + 1 && a->kind == kind)
			return a;
	}
	return NULL;
}

static void write_register(struct agent_thread *t, const struct trace_action *a)
{
	uint64_t *reg = &head_of(t)->regs[a->reg & 15];

	if (a->reg >= TRACE_XMM0 && a->reg < TRACE_XMM0 + 16) {
		if (a->size <= sizeof a->value)
			vector_patch(a->reg - TRACE_XMM0, a->size, a->value);
		return;
	}
	if (a->reg > TRACE_RFLAGS || a->size > 8)
		return;
	if (a->reg == TRACE_RFLAGS)
		reg = &head_of(t)->rflags;
	if (a->size == 4)
		*reg = 0;
	__builtin_memcpy(reg, a->value, a->size);
}

static void apply_action_to_thread(struct agent_thread *t, const struct trace_action *a)
{
	volatile uint8_t *to = (volatile uint8_t *)a->where;

	if (a->kind == TRACE_ACTION_REG)
		write_register(t, a);
	for (unsigned i = 0; a->kind == TRACE_ACTION_MEM && i < a->size && i < sizeof a->value; i++)
		to[i] = trace_action_byte(a, i, to[i]);
	head_of(t)->actions_done++;
}

/* A call at the same place on the stack was counted before. Since this one is executed now,
 * the earlier one was left by longjmp. */
static void forget_counted_call(struct agent_thread *t, uint64_t rip, uint64_t rsp)
{
	for (uint32_t i = 0; i < t->n_later;)
		if (t->later[i].rip == rip && t->later[i].rsp == rsp)
			t->later[i] = t->later[--t->n_later];
		else
			i++;
}

void mark_done(struct agent_thread *t, const struct cell *c, uint64_t sp_before)
{
	struct mark *m = &t->marks[c->mark - 1];
	bool calls = c->insn->flow == TRACE_FLOW_CALL || c->insn->flow == TRACE_FLOW_CALL_IND;
	bool untraced = calls && !cell_at(t, head_of(t)->rip);
	uint64_t count = m->count++, back = c->addr + c->insn->length;

	if (calls)
		forget_counted_call(t, back, sp_before);
	for (; m->next < m->end; m->next++) {
		const struct trace_action *a = &actions_of_thread()[t->actions[m->next]];
		bool at_end = a->kind == TRACE_ACTION_REG || a->kind == TRACE_ACTION_MEM;

		if (a->nth > count + 1)
			return;
		if (a->nth <= count)
			continue;
		if (untraced && at_end && t->n_later < MAX_LATER)
			t->later[t->n_later++] = (struct later){ back, sp_before, a };
		else
			apply_action_to_thread(t, a);
	}
	/* calls are counted on: forget_counted_call */
	if (!calls && !m->ended)
		m->ended = t->mark_ended = true;
}

void apply_later_actions(struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);

	for (uint32_t i = 0; i < t->n_later;) {
		struct later *l = &t->later[i];

		if (l->rip != head->rip || l->rsp != head->regs[TRACE_RSP]) {
			i++;
			continue;
		}
		apply_action_to_thread(t, l->action);
		*l = t->later[--t->n_later];
	}
}
