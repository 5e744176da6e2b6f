/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and stores of what is mirrored (trace.h).  The mirror lies in the lowest 2 GiB, so it is
 * addressed by a register and 32 bits.  `mov 8(%rdi),%rax' becomes
 *
 *         lea    8(%rdi),%r10
 *         mov    8(%rdi),%rax
 *         movzwl %r10w,%r10d
 *         cmp    %rax,mirror(%r10)        flags are dead here
 *         jne    miss
 *
 * and `mov %rax,8(%rdi)' is followed by
 *
 *         lea    8(%rdi),%r10
 *         movzwl %r10w,%r10d
 *         mov    %rax,mirror(%r10)
 *
 * Other instructions that read, and those that touch the pinned registers, need "log" too: what
 * they read is loaded once more.
 */
#include "gdbext/agent/jit/jit-block.h"

static bool mirrors_operand(const struct block *b, const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_NONE && insn->n_mem && is_mirrored(b->e.t, &insn->mem[0]);
}

bool block_mirrors_load(const struct block *b, const struct trace_insn *insn)
{
	return mirrors_operand(b, insn) && insn->mem[0].flags & TRACE_MEM_READ &&
	       is_load(b->e.t, insn) && !block_touches(insn, jit_log()) &&
	       !block_touches(insn, jit_scratch());
}

bool block_mirror_takes_log(const struct block *b, const struct trace_insn *insn)
{
	if (!mirrors_operand(b, insn) || block_mirrors_load(b, insn))
		return false;
	return insn->mem[0].flags & TRACE_MEM_READ || block_is_pinned(insn->store_reg);
}

/* movzwl from,to */
static void put_low_word(struct jit_emit *e, unsigned to, unsigned from)
{
	put1(&e->at, 0x40 | (to >> 3) << 2 | from >> 3);
	PUT(&e->at, "\x0f\xb7");
	put1(&e->at, 0xc0 | (to & 7) << 3 | (from & 7));
}

/* opcode (with /reg) on size bytes of the mirror, at the place */
static void put_on_mirror(struct jit_emit *e, unsigned opcode, unsigned reg, unsigned place,
			  unsigned size)
{
	put1(&e->at, 0x40 | (size == 8) << 3 | (reg >> 3) << 2 | place >> 3);
	put1(&e->at, opcode);
	put_memory(&e->at, reg, place, (int32_t)(uint64_t)e->t->mirror);
}

/* The operand's place in the mirror. */
static void put_place_in_mirror(struct block *b, const struct trace_mem *m, unsigned to)
{
	jit_put_operand(&b->e, m, true, 8, 0);
	put_low_word(&b->e, to, jit_scratch());
}

/* What is in the register is compared with the mirror; number: where the guest stands. */
static void put_comparison(struct block *b, const struct trace_insn *insn, unsigned value,
			   unsigned place, uint32_t number)
{
	unsigned size = insn->mem[0].size;
	struct cold *c;

	put_on_mirror(&b->e, 0x39, value, place, size);
	PUT(&b->e.at, "\x0f\x85"); /* jne */
	c = block_cold(b, COLD_MISS, number);
	c->miss = (struct miss){ .value = (uint8_t)value,
				 .place = (uint8_t)place,
				 .size = (uint8_t)size,
				 .saved = place == jit_log(),
				 .back = b->e.at };
}

void block_put_mirror_look(struct block *b, const struct trace_insn *insn, uint32_t number)
{
	put_place_in_mirror(b, &insn->mem[0], jit_log());
	jit_put_operand(&b->e, &insn->mem[0], false, insn->mem[0].size, 0);
	put_comparison(b, insn, jit_scratch(), jit_log(), number);
	jit_put_get(&b->e, jit_log(), &b->e.r->data->saved_log);
}

void block_put_mirror_place(struct block *b, const struct trace_insn *insn)
{
	jit_put_operand(&b->e, &insn->mem[0], true, 8, 0);
}

void block_put_mirror_load(struct block *b, const struct trace_insn *insn, uint32_t next)
{
	put_low_word(&b->e, jit_scratch(), jit_scratch());
	put_comparison(b, insn, insn->load_reg, jit_scratch(), next);
}

void block_put_mirror_store(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;
	struct trace_mem m = insn->mem[0];
	unsigned reg = insn->store_reg, place = jit_scratch();

	if (insn->out_gpr >> RSP & 1) /* a push, which is over */
		m.disp = 0;
	if (block_is_pinned(reg)) {
		put_place_in_mirror(b, &m, jit_log());
		jit_put_get(&b->e, jit_scratch(),
			    reg == jit_log() ? &d->home_log : &d->home_scratch);
		put_on_mirror(&b->e, 0x89, jit_scratch(), jit_log(), m.size);
		jit_put_get(&b->e, jit_log(), &d->saved_log);
		return;
	}
	put_place_in_mirror(b, &m, place);
	if (reg == TRACE_REG_IMMEDIATE) {
		put_on_mirror(&b->e, 0xc7, 0, place, m.size);
		put_bytes(&b->e.at, (const char *)module_bytes(b->m, insn) + insn->length - 4, 4);
	} else {
		put_on_mirror(&b->e, 0x89, reg, place, m.size);
	}
}

/* ---- a miss ---- */

/* movq $value, a word of struct jit_data */
static void put_constant(struct jit_emit *e, uint64_t *at, uint32_t value)
{
	PUT(&e->at, "\x48\xc7\x05");
	put4(&e->at, (uint32_t)((uint64_t)at - ((uint64_t)e->at + 8)));
	put4(&e->at, value);
}

void block_put_miss(struct block *b, const struct cold *c)
{
	struct jit_emit *e = &b->e;
	struct jit_data *d = e->r->data;
	const struct miss *m = &c->miss;
	uint8_t *jump;

	put_on_mirror(e, 0x89, m->value, m->place, m->size);
	if (m->saved)
		jit_put_get(e, jit_log(), &d->saved_log);
	jit_put_log(e, m->value, m->size, c->log + TRACE_MISS_SIZE);
	put_move(&e->at, 0x8d, jit_log(), jit_log(), (int32_t)c->log);
	put_constant(e, &d->miss_done, c->done);
	jit_put_on(e, 0x8d, jit_scratch(), e->at + 7 + 5); /* lea behind the jump */
	put1(&e->at, 0xe9);
	jump = e->at;
	e->at += 4;
	jit_put_rel32(jump, e->r->misses[m->size == 8]);
	put_move(&e->at, 0x8d, jit_log(), jit_log(), -(int32_t)c->log);
	if (m->saved)
		jit_put_set(e, jit_log(), &d->saved_log);
	put1(&e->at, 0xe9);
	e->at += 4;
	jit_put_rel32(e->at - 4, m->back);
}

/* "log" is where the number goes, "scratch" where control goes on; the value stands behind it. */
static uint8_t *put_miss_code(struct jit_emit *e, unsigned size)
{
	struct jit_data *d = e->r->data;
	unsigned reg = jit_scratch(), log = jit_log();
	uint8_t *start = e->at;

	jit_put_set(e, reg, &d->miss_back);
	put1(&e->at, 0x66); /* movq %xmm15,scratch */
	put1(&e->at, 0x4c | reg >> 3);
	PUT(&e->at, "\x0f\x7e");
	put1(&e->at, 0xf8 | (reg & 7));
	jit_put_on(e, 0x03, reg, &d->miss_done);
	jit_put_on(e, 0x2b, reg, &d->missed);
	jit_put_on(e, 0x01, reg, &d->missed);
	jit_put_set(e, log, &d->miss_log);
	jit_put_get(e, log, &d->miss);
	jit_put_log(e, reg, 4, 0);
	put1(&e->at, 0x48 | reg >> 3); /* shr $32,scratch */
	put1(&e->at, 0xc1);
	put1(&e->at, 0xe8 | (reg & 7));
	put1(&e->at, 32);
	jit_put_log(e, reg, 2, 4);
	jit_put_get(e, log, &d->miss_log);
	jit_put_set(e, log, &d->miss);
	for (unsigned i = 0; i < TRACE_MISS_SIZE; i++)
		jit_put_log_byte(e, 0xff, i);
	put_move(&e->at, 0x8d, log, log, (int32_t)(TRACE_MISS_SIZE + size));
	PUT(&e->at, "\xff"); /* jmp * */
	jit_put_target(e, &d->miss_back);
	return start;
}

void jit_put_misses(struct jit_emit *e)
{
	e->r->misses[0] = put_miss_code(e, 4);
	e->r->misses[1] = put_miss_code(e, 8);
}
