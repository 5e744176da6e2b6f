/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes one block: copies of instructions, with code in between that records. */
#include "gdbext/agent/jit/jit-block.h"

enum {
	FARTHEST = 0x7d000000, /* from a region's start */
	LOOK_AHEAD = 24,       /* instructions, for where flags are dead */
};

/* ---- what can be in a block ---- */

static bool operand_is_simple(const struct block *b, const struct trace_mem *m)
{
	bool both = block_is_pinned(m->base) && block_is_pinned(m->index) && m->base != m->index;
	bool addresses = b->e.t->addresses && b->e.t->recording;
	int64_t distance = m->disp + (int64_t)b->m->bias - (int64_t)b->e.r->base;

	if (m->flags & TRACE_MEM_RIP && (distance > FARTHEST || distance < -FARTHEST))
		return false;
	return !(m->flags & TRACE_MEM_ADDR32) && !both && !(m->seg && addresses) &&
	       (m->flags & TRACE_MEM_RIP || m->disp == (int32_t)m->disp);
}

static bool vectors_are_simple(const struct trace_insn *insn)
{
	return !insn->out_vec ||
	       (insn->out_vec < 1u << 15 && (insn->vec_size == 16 || insn->vec_size == 32));
}

static bool goes_on_in_block(const struct block *b, const struct trace_insn *insn)
{
	uint32_t unused;

	switch (insn->flow) {
	case TRACE_FLOW_COND:
		return insn->cond < 16 && block_find(b, insn->target, &unused) &&
		       block_find(b, insn->addr + insn->length, &unused);
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_CALL:
		return block_find(b, insn->target, &unused);
	case TRACE_FLOW_NONE:
		return block_find(b, insn->addr + insn->length, &unused);
	case TRACE_FLOW_JUMP_IND:
	case TRACE_FLOW_CALL_IND:
		return insn->flow_reg != TRACE_REG_NONE ||
		       (insn->n_mem && insn->mem[0].flags & TRACE_MEM_READ &&
			insn->mem[0].size == 8);
	default:
		return true;
	}
}

static bool block_has_room(const struct block *b, uint32_t number)
{
	const struct trace_insn *insn = block_insn(b, number);

	if (!(insn->flags & TRACE_INSN_COPY) || (insn->rep != TRACE_REP_NONE && !agent.counting) ||
	    !vectors_are_simple(insn) || !goes_on_in_block(b, insn) ||
	    mark_of(b->e.t, (unsigned)(b->m - agent.modules), insn->addr))
		return false;
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (!operand_is_simple(b, &insn->mem[i]))
			return false;
	return true;
}

bool block_flags_dead(const struct block *b, uint32_t number)
{
	if (block_insn(b, number)->flags & TRACE_INSN_FLAGS_DEAD)
		return true;
	for (unsigned i = 0; i < LOOK_AHEAD; i++) { /* where code was changed */
		const struct trace_insn *insn = block_insn(b, number);
		uint64_t next = insn->addr + insn->length;

		if (insn->use_flags & TRACE_FLAGS_READ || insn->rep != TRACE_REP_NONE ||
		    !(insn->flags & TRACE_INSN_COPY))
			return false;
		if (insn->use_flags & TRACE_FLAGS_WRITTEN)
			return true;
		if (insn->flow == TRACE_FLOW_JUMP || insn->flow == TRACE_FLOW_CALL)
			next = insn->target;
		else if (insn->flow != TRACE_FLOW_NONE)
			return false;
		if (!block_find(b, next, &number))
			return false;
	}
	return false;
}

/* ---- head ---- */

/* Has a debugger planted a breakpoint here? */
static void put_look(struct block *b, uint32_t number, bool flags_borrowed)
{
	const struct trace_insn *insn = block_insn(b, number);

	if (!is_breakable(b->m, insn))
		return;
	PUT(&b->e.at, "\x80\x3d"); /* cmpb $0xcc,…(%rip) */
	put4(&b->e.at, (uint32_t)(insn->addr + b->m->bias - ((uint64_t)b->e.at + 5)));
	put1(&b->e.at, 0xcc);
	PUT(&b->e.at, "\x0f\x84");
	block_cold(b, COLD_BREAK, number)->flags_borrowed = flags_borrowed;
}

static void put_jbe(struct block *b, uint32_t number, bool flags_borrowed)
{
	PUT(&b->e.at, "\x0f\x86");
	block_cold(b, COLD_LEAVE, number)->flags_borrowed = flags_borrowed;
}

/* Has the thread come to .stop? */
static void put_stop(struct block *b, uint32_t number, bool flags_borrowed)
{
	put1(&b->e.at, 0x66); /* movq %xmm15,scratch */
	put1(&b->e.at, 0x4c | jit_scratch() >> 3);
	PUT(&b->e.at, "\x0f\x7e");
	put1(&b->e.at, 0xf8 | (jit_scratch() & 7));
	jit_put_on(&b->e, 0x39, jit_scratch(), &b->e.r->data->stop);
	put_jbe(b, number, flags_borrowed);
}

static bool put_flags_borrowed(struct block *b, uint32_t number)
{
	if (block_flags_dead(b, number))
		return false;
	jit_put_set(&b->e, RAX, &b->e.r->data->rax);
	jit_mark(&b->e, JIT_RAX_BORROWED, 0);
	PUT(&b->e.at, "\x9f\x0f\x90\xc0"); /* lahf; seto %al */
	return true;
}

void block_put_beat(struct block *b, uint32_t number)
{
	bool borrow;

	if (!b->e.t->infers || !b->e.t->recording)
		return;
	block_stands_at(b, number);
	borrow = put_flags_borrowed(b, number);
	put_stop(b, number, borrow);
	if (borrow) {
		block_put_flags_back(&b->e);
		jit_mark(&b->e, 0, 0);
	}
}

static void put_block_head(struct block *b, uint32_t number)
{
	bool borrow;

	block_stands_at(b, number);
	borrow = put_flags_borrowed(b, number);
	jit_put_on(&b->e, 0x39, jit_log(), &b->e.r->data->limit);
	put_jbe(b, number, borrow);
	if (b->e.t->stop != ~0ull)
		put_stop(b, number, borrow);
	put_look(b, number, borrow);
	if (borrow)
		block_put_flags_back(&b->e);
}

/* ---- one instruction ---- */

static void emit_read_log(struct block *b, const struct trace_mem *m)
{
	for (unsigned done = 0; done < m->size;) {
		unsigned left = m->size - done;
		unsigned size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;

		jit_put_operand(&b->e, m, false, size, done);
		jit_put_log(&b->e, jit_scratch(), size, b->log);
		b->log += size;
		done += size;
	}
}

static void log_address(struct block *b, const struct trace_mem *m)
{
	if (!b->e.t->addresses)
		return;
	jit_put_operand(&b->e, m, true, 8, 0);
	jit_put_log(&b->e, jit_scratch(), 8, b->log);
	b->log += 8;
}

void block_log_operands(struct block *b, const struct trace_insn *insn)
{
	if (!b->e.t->recording)
		return;
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (is_logged(b->e.t, &insn->mem[i])) {
			log_address(b, &insn->mem[i]);
			emit_read_log(b, &insn->mem[i]);
		}
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			log_address(b, &insn->mem[i]);
}

static void emit_output_log(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;

	if (!b->e.t->recording || insn->flags & TRACE_INSN_PLAIN)
		return;
	for (unsigned reg = 0; reg < N_GPR; reg++) {
		if (!(insn->out_gpr >> reg & 1))
			continue;
		if (block_is_pinned(reg))
			jit_put_get(&b->e, jit_scratch(),
				    reg == jit_log() ? &d->home_log : &d->home_scratch);
		jit_put_log(&b->e, block_is_pinned(reg) ? jit_scratch() : reg, 8, b->log);
		b->log += 8;
	}
	if (insn->out_flags) {
		jit_put_log_flags(&b->e, b->log);
		b->log += 8;
	}
	for (unsigned reg = 0; reg < 15; reg++)
		if (insn->out_vec >> reg & 1) {
			jit_put_log_vector(&b->e, reg, insn->vec_size, b->log);
			b->log += insn->vec_size;
		}
}

/* A repeated instruction is executed as a whole where no single iteration matters. */
static bool put_guest(struct block *b, const struct trace_insn *insn)
{
	const uint8_t *bytes = insn->rep == TRACE_REP_NONE ? NULL : module_bytes(b->m, insn);

	if (!bytes)
		return emit_guest(&b->e.at, b->m, insn);
	put_bytes(&b->e.at, (const char *)bytes, insn->length);
	return true;
}

/* The instruction has been executed, but not the code that we execute after it. */
static void is_done(struct block *b, const struct trace_insn *insn)
{
	uint32_t next;

	if (block_find(b, insn->addr + insn->length, &next))
		block_stands_at(b, next);
}

/* The pinned registers that the instruction touches hold the guest's values. */
static bool put_copy(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;
	bool log = block_touches(insn, jit_log()), scratch = block_touches(insn, jit_scratch());

	if (log)
		jit_put_get(&b->e, jit_log(), &d->home_log);
	if (scratch)
		jit_put_get(&b->e, jit_scratch(), &d->home_scratch);
	if (!put_guest(b, insn))
		return false;
	is_done(b, insn);
	if (scratch && insn->out_gpr >> jit_scratch() & 1)
		jit_put_set(&b->e, jit_scratch(), &d->home_scratch);
	if (log) {
		if (insn->out_gpr >> jit_log() & 1)
			jit_put_set(&b->e, jit_log(), &d->home_log);
		jit_put_get(&b->e, jit_log(), &d->saved_log);
	}
	return true;
}

/* What is loaded is taken from where it is afterwards. */
static bool log_load(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;
	unsigned reg = insn->load_reg;

	log_address(b, &insn->mem[0]);
	if (!put_copy(b, insn))
		return false;
	if (block_is_pinned(reg)) {
		jit_put_get(&b->e, jit_scratch(),
			    reg == jit_log() ? &d->home_log : &d->home_scratch);
		reg = jit_scratch();
	}
	jit_put_log(&b->e, reg, insn->mem[0].size, b->log);
	b->log += insn->mem[0].size;
	return true;
}

/* The instruction's only operand is mirrored. */
static bool put_mirrored(struct block *b, const struct trace_insn *insn, uint32_t number)
{
	bool reads = insn->mem[0].flags & TRACE_MEM_READ, loads = block_mirrors_load(b, insn);
	uint32_t next = number;

	block_find(b, insn->addr + insn->length, &next);
	if (loads)
		block_put_mirror_place(b, insn);
	else if (reads)
		block_put_mirror_look(b, insn, number);
	if (!put_copy(b, insn))
		return false;
	if (loads)
		block_put_mirror_load(b, insn, next);
	else if (!reads)
		block_put_mirror_store(b, insn);
	return true;
}

static bool put_plain(struct block *b, const struct trace_insn *insn, uint32_t number)
{
	if (insn->n_mem && is_mirrored(b->e.t, &insn->mem[0]))
		return put_mirrored(b, insn, number);
	if (b->e.t->recording && is_load(b->e.t, insn))
		return log_load(b, insn);
	block_log_operands(b, insn);
	if (!put_copy(b, insn))
		return false;
	emit_output_log(b, insn);
	return true;
}

static void remember_insn(struct block *b, uint32_t number)
{
	struct jit_region *r = b->e.r;
	const struct trace_insn *insn = block_insn(b, number);
	bool saves = insn->flow == TRACE_FLOW_NONE &&
		     (block_touches(insn, jit_log()) || block_mirror_takes_log(b, insn));

	block_stands_at(b, number);
	r->insns[r->n_insns - 1].saved_log = saves;
	if (saves)
		jit_put_set(&b->e, jit_log(), &r->data->saved_log);
}

/* Instruction number, and with which one the block goes on; false: with none. */
static bool put_block_insn(struct block *b, uint32_t number, uint32_t *next, bool *bad)
{
	const struct trace_insn *insn = block_insn(b, number);

	block_put_count(b, block_counter(b, block_counts(b, number)->enter), number);
	remember_insn(b, number);
	switch (insn->flow) {
	case TRACE_FLOW_COND:
		return block_put_cond(b, number, next);
	case TRACE_FLOW_JUMP:
		b->done++;
		block_find(b, insn->target, next);
		if (insn->target > insn->addr)
			return true;
		block_put_back(b, *next);
		return false;
	case TRACE_FLOW_CALL:
		block_put_call(b, insn);
		return false;
	case TRACE_FLOW_NONE:
		*bad = !put_plain(b, insn, number);
		b->done++;
		block_find(b, insn->addr + insn->length, next);
		return true;
	default:
		block_put_indirect(b, number);
		return false;
	}
}

uint32_t jit_translate(struct agent_thread *t, struct jit_region *r, uint32_t number)
{
	struct block b = { .m = r->module };
	uint32_t first = number, insns_before = r->n_insns;
	bool on = true, bad = false;

	b.e = (struct jit_emit){ .at = r->at, .t = t, .r = r };
	if (!block_has_room(&b, first))
		return r->blocks[first] = JIT_STEP;
	r->blocks[first] = (uint32_t)(r->at - r->base); /* it may jump to itself */
	put_block_head(&b, first);
	if (agent.counting)
		r->heads[first] = (uint8_t)(b.e.at - r->at);
	while (on && !bad && b.done < JIT_BLOCK_INSNS && b.log < JIT_BLOCK_LOG - 256 &&
	       block_has_room(&b, number) &&
	       (!b.done || !is_breakable(b.m, block_insn(&b, number))))
		on = put_block_insn(&b, number, &number, &bad);
	if (bad) {
		r->n_insns = insns_before;
		return r->blocks[first] = JIT_STEP;
	}
	if (on) {
		block_stands_at(&b, number);
		block_put_end(&b, number, true);
	}
	for (unsigned i = 0; i < b.n_cold; i++)
		block_put_cold(&b, &b.cold[i]);
	r->at = b.e.at;
	return r->blocks[first];
}
