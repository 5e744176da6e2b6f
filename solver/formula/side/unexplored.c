/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/side/unexplored.h"
#include "solver/library/library.h"

struct search {
	const struct side_question *q;
	GArray *writes;
	GHashTable *seen; /* block id + 1 */
	bool joins, lost;
};

static void add_register_write(struct search *s, unsigned reg)
{
	struct side_write w = { .reg = reg };

	for (guint i = 0; i < s->writes->len; i++) {
		const struct side_write *old = &g_array_index(s->writes, struct side_write, i);

		if (!old->is_memory && old->reg == reg)
			return;
	}
	g_array_append_val(s->writes, w);
}

static void add_memory_write(struct search *s, const struct trace_mem *m)
{
	const struct side_question *q = s->q;
	struct side_write w = { .is_memory = true, .size = m->size };

	if (m->index != TRACE_REG_NONE || m->seg) {
		s->lost = true;
	} else if (m->base == TRACE_RBP) {
		w.address = q->rbp + (uint64_t)m->disp;
	} else if (m->base == TRACE_RSP) {
		w.address = q->rsp + (uint64_t)m->disp;
	} else if (m->base == TRACE_REG_NONE) {
		w.address = (uint64_t)m->disp + (m->flags & TRACE_MEM_RIP ? q->bias : 0);
	} else {
		s->lost = true;
	}
	if (!s->lost)
		g_array_append_val(s->writes, w);
}

static void visit_call(struct search *s, const struct trace_insn *insn)
{
	static const enum trace_reg clobbered[] = { TRACE_RAX, TRACE_RCX, TRACE_RDX,
						    TRACE_RSI, TRACE_RDI, TRACE_R8,
						    TRACE_R9,  TRACE_R10, TRACE_R11 };

	if (insn->flow != TRACE_FLOW_CALL ||
	    !library_keeps_memory(image_native_name(s->q->image, insn->target))) {
		s->lost = true;
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(clobbered); i++)
		add_register_write(s, clobbered[i]);
}

static void visit_insn(struct search *s, const struct trace_insn *insn)
{
	if (insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND) {
		visit_call(s, insn);
		return;
	}
	if (insn->flow == TRACE_FLOW_JUMP_IND || insn->out_vec || insn->out_gpr & 1u << TRACE_RSP ||
	    insn->out_gpr & 1u << TRACE_RBP)
		s->lost = true;
	for (unsigned r = 0; r < 16; r++)
		if (insn->out_gpr & 1u << r)
			add_register_write(s, r);
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			add_memory_write(s, &insn->mem[i]);
}

static bool ends_in_failure(const struct side_question *q, const struct image_block *b)
{
	const struct trace_insn *insn = image_insn_at(q->image, b->last);

	return b->stops && insn && insn->flow == TRACE_FLOW_CALL &&
	       library_fails(image_native_name(q->image, insn->target));
}

static bool is_wanted_in(const struct side_question *q, const struct image_block *b)
{
	for (size_t i = 0; i < q->n_wanted; i++)
		if (q->wanted[i] - q->bias >= b->lo && q->wanted[i] - q->bias < b->hi)
			return true;
	return false;
}

static void visit_block(struct search *s, const struct image_cfg *cfg, const struct image_block *b,
			GArray *open)
{
	for (uint64_t a = b->lo; a < b->hi && !s->lost;) {
		const struct trace_insn *insn = image_insn_at(s->q->image, a);

		if (!insn) {
			s->lost = true;
			return;
		}
		visit_insn(s, insn);
		a += insn->length;
	}
	if (b->returns || b->stops || is_wanted_in(s->q, b))
		s->lost = true;
	for (uint32_t i = 0; i < b->n_succ; i++) {
		if (s->q->join && cfg->blocks[b->succ[i]].lo == s->q->join)
			s->joins = true;
		else
			g_array_append_val(open, b->succ[i]);
	}
}

enum unexplored_kind unexplored_effect(const struct side_question *q, GArray *writes)
{
	const struct image_cfg *cfg = image_cfg(q->image, q->function);
	const struct image_block *start = image_block_at(q->image, q->function, q->start);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct search s = { .q = q, .writes = writes, .seen = seen };
	bool fails = true;

	if (q->join && q->start == q->join)
		return UNEXPLORED_EMPTY;
	if (!cfg || !start || start->lo != q->start)
		return UNEXPLORED_LOST;
	g_array_append_val(open, start->id);
	while (open->len) {
		uint32_t id = g_array_index(open, uint32_t, open->len - 1);
		const struct image_block *b = &cfg->blocks[id];

		g_array_set_size(open, open->len - 1);
		if (!g_hash_table_add(seen, GUINT_TO_POINTER(id + 1)))
			continue;
		if (ends_in_failure(q, b))
			continue;
		fails &= b->n_succ > 0 && !b->returns;
		visit_block(&s, cfg, b, open);
	}
	if (fails && !s.joins)
		return UNEXPLORED_FAILS;
	return s.lost || !s.joins ? UNEXPLORED_LOST : UNEXPLORED_EXACT;
}
