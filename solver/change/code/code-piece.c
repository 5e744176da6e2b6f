/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/code-piece.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/format/trace.h"

#include <Zydis/Zydis.h>
#include <string.h>

enum { RAX, RCX, RSP = 4, RED_ZONE = 128, SAVED = 24 /* flags, rax, rcx */ };

bool code_piece_bytes(struct code_piece *c, const void *bytes, unsigned size)
{
	if (size > sizeof c->bytes - c->size)
		return false;
	memcpy(c->bytes + c->size, bytes, size);
	c->size += size;
	return true;
}

bool code_piece_link(struct code_piece *c, unsigned at, unsigned from, uint64_t to)
{
	if (c->n_links == CODE_PIECE_LINKS)
		return false;
	c->links[c->n_links++] = (struct code_link){ at, from, to };
	return true;
}

/* An operation code that ends in four bytes of distance. */
static bool put_far(struct code_piece *c, const uint8_t *opcode, unsigned size, uint64_t to)
{
	static const uint8_t distance[4];

	return code_piece_bytes(c, opcode, size) &&
	       code_piece_bytes(c, distance, sizeof distance) &&
	       code_piece_link(c, c->size - 4, c->size, to);
}

static bool put_piece_jump(struct code_piece *c, uint64_t to)
{
	return put_far(c, (const uint8_t[]){ 0xe9 }, 1, to);
}

static bool put_branch(struct code_piece *c, const ZydisDecodedInstruction *i, const uint8_t *bytes,
		       uint64_t to)
{
	unsigned at = i->raw.prefix_count;

	switch (i->meta.category) {
	case ZYDIS_CATEGORY_UNCOND_BR:
		return put_piece_jump(c, to);
	case ZYDIS_CATEGORY_CALL:
		return put_far(c, (const uint8_t[]){ 0xe8 }, 1, to);
	case ZYDIS_CATEGORY_COND_BR:
		if ((bytes[at] & 0xf0) == 0x70)
			return put_far(c, (const uint8_t[]){ 0x0f, 0x80 | (bytes[at] & 15) }, 2,
				       to);
		return bytes[at] == 0x0f && put_far(c, bytes + at, 2, to);
	default:
		return false;
	}
}

static bool put_moved_insn(struct code_piece *c, const ZydisDecodedInstruction *i,
			   const ZydisDecodedOperand *o, const uint8_t *bytes, uint64_t addr)
{
	uint64_t end = addr + i->length;

	for (int k = 0; k < i->operand_count_visible; k++) {
		if (o[k].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o[k].imm.is_relative)
			return put_branch(c, i, bytes, end + (uint64_t)o[k].imm.value.s);
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY && o[k].mem.base == ZYDIS_REGISTER_RIP)
			return code_piece_bytes(c, bytes, i->length) &&
			       code_piece_link(c, c->size - i->length + i->raw.disp.offset, c->size,
					       end + (uint64_t)o[k].mem.disp.value);
	}
	return code_piece_bytes(c, bytes, i->length);
}

bool code_piece_insns(struct code_piece *c, const uint8_t *bytes, unsigned size, uint64_t addr)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (unsigned at = 0; at < size; at += i.length)
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes + at, size - at, &i, o)) ||
		    !put_moved_insn(c, &i, o, bytes + at, addr + at))
			return false;
	return true;
}

static bool code_piece_append(struct code_piece *c, const struct code_piece *more)
{
	unsigned at = c->size;
	bool ok = code_piece_bytes(c, more->bytes, more->size);

	for (unsigned i = 0; ok && i < more->n_links; i++)
		ok = code_piece_link(c, at + more->links[i].at, at + more->links[i].from,
				     more->links[i].to);
	return ok;
}

bool code_piece_mutant(struct code_piece *c, const struct mutant *m)
{
	unsigned at = c->size;

	/* it does not lead on to the end of what it replaces */
	if (m->piece && m->piece->in_place)
		return false;
	if (m->piece)
		return code_piece_append(c, m->piece);
	if (!m->link_to)
		return code_piece_insns(c, m->bytes, m->size, m->addr);
	return code_piece_bytes(c, m->bytes, m->size) &&
	       code_piece_link(c, at + m->link_at, at + m->link_at + 4, m->link_to);
}

/* ---- guards ---- */

/* Loads the bytes at a register (TRACE_NOTE_NONE: of an image) and a displacement, or those of a
 * register, extended to 64 bits. */
static bool put_guard_load(struct code_piece *c, unsigned to, unsigned from, bool of_register,
			   int64_t disp, unsigned size, bool is_signed)
{
	bool none = from == TRACE_NOTE_NONE;
	uint8_t rex = 0x40 | (size == 8 || is_signed ? 8 : 0) | (!none && from >= 8 ? 1 : 0);
	uint8_t small = (size == 1 ? 0xb6 : 0xb7) | (is_signed ? 8 : 0);
	uint8_t one[] = { rex, size == 4 && is_signed ? 0x63 : 0x8b };
	uint8_t two[] = { rex, 0x0f, small };
	uint8_t low = none ? 5 : from & 7;
	uint8_t mod = (uint8_t)((of_register ? 0xc0 : none ? 0 : 0x80) | to << 3 | low);
	int32_t disp32 = (int32_t)disp;

	if ((!none && disp != disp32) || (size != 1 && size != 2 && size != 4 && size != 8) ||
	    !(size < 4 ? code_piece_bytes(c, two, sizeof two)
		       : code_piece_bytes(c, one, sizeof one)) ||
	    !code_piece_bytes(c, &mod, 1))
		return false;
	if (of_register)
		return true;
	if (none)
		return code_piece_bytes(c, (const uint8_t[4]){ 0 }, 4) &&
		       code_piece_link(c, c->size - 4, c->size, (uint64_t)disp);
	return (low != RSP || code_piece_bytes(c, (const uint8_t[]){ 0x24 }, 1)) &&
	       code_piece_bytes(c, &disp32, sizeof disp32);
}

/* The saved registers stand above the stack pointer. */
static bool put_watch(struct code_piece *c, unsigned to, const struct watch *w)
{
	int64_t moved = w->reg == RSP ? RED_ZONE + SAVED : 0;

	if (w->kind == WATCH_REGISTER && w->reg == RSP)
		return false;
	if (w->kind == WATCH_REGISTER && w->reg <= RCX)
		return put_guard_load(c, to, RSP, false, w->reg == RAX ? 8 : 0, w->size,
				      w->is_signed);
	if (w->kind != WATCH_REGISTER && w->reg <= RCX)
		return false;
	if (w->kind != WATCH_POINTED)
		return put_guard_load(c, to, w->reg, w->kind == WATCH_REGISTER, w->disp + moved,
				      w->size, w->is_signed);
	return put_guard_load(c, to, w->reg, false, w->disp + moved, 8, false) &&
	       put_guard_load(c, to, to, false, w->member, w->size, w->is_signed);
}

static bool put_guard_constant(struct code_piece *c, int64_t value)
{
	return code_piece_bytes(c, (const uint8_t[]){ 0x48, 0xb9 }, 2) &&
	       code_piece_bytes(c, &value, 8);
}

static bool put_guard_comparison(struct code_piece *c, const struct guard_part *g)
{
	static const uint8_t compare[] = { 0x48, 0x39, 0xc8 }, test[] = { 0x48, 0x85, 0xc8 };

	return put_watch(c, RAX, g->v) &&
	       (g->w ? put_watch(c, RCX, g->w) : put_guard_constant(c, g->constant)) &&
	       code_piece_bytes(c, g->op == GUARD_BIT || g->op == GUARD_NO_BIT ? test : compare, 3);
}

/* Compares and branches if it holds, or if it does not; *branch: where the branch ends, which leads
 * nowhere yet. */
static bool put_guard_branch(struct code_piece *c, const struct guard_part *g, bool if_holds,
			     unsigned *branch)
{
	static const uint8_t codes[] = {
		[GUARD_LT] = 12, [GUARD_LE] = 14, [GUARD_GT] = 15, [GUARD_GE] = 13,
		[GUARD_EQ] = 4,	 [GUARD_NE] = 5,  [GUARD_BIT] = 5, [GUARD_NO_BIT] = 4
	};
	const uint8_t code = codes[g->op] ^ (if_holds ? 0 : 1);
	bool ok = put_guard_comparison(c, g) &&
		  code_piece_bytes(c, (const uint8_t[]){ 0x0f, 0x80 | code, 0, 0, 0, 0 }, 6);

	*branch = c->size;
	return ok;
}

/* That branch leads here. */
static void lead_here(struct code_piece *c, unsigned branch)
{
	const int32_t distance = (int32_t)(c->size - branch);

	memcpy(c->bytes + branch - sizeof distance, &distance, sizeof distance);
}

bool code_piece_jump(struct code_piece *c, const uint8_t *opcode, unsigned size, uint64_t to)
{
	return code_piece_bytes(c, opcode, size) &&
	       code_piece_bytes(c, (const uint8_t[4]){ 0 }, 4) &&
	       code_piece_link(c, c->size - 4, c->size, to);
}

bool code_piece_store(struct code_piece *c, uint64_t size)
{
	static const uint8_t one[] = { 0x88, 0x08 }, two[] = { 0x66, 0x89, 0x08 },
			     four[] = { 0x89, 0x08 }, eight[] = { 0x48, 0x89, 0x08 };

	return size == 1   ? code_piece_bytes(c, one, sizeof one)
	       : size == 2 ? code_piece_bytes(c, two, sizeof two)
	       : size == 4 ? code_piece_bytes(c, four, sizeof four)
			   : code_piece_bytes(c, eight, sizeof eight);
}

bool code_piece_save(struct code_piece *c)
{
	static const uint8_t save[] = { 0x48, 0x8d, 0x64, 0x24, 0x80, 0x9c, 0x50, 0x51 };

	return code_piece_bytes(c, save, sizeof save);
}

bool code_piece_restore(struct code_piece *c)
{
	static const uint8_t restore[] = {
		0x59, 0x58, 0x9d, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0
	};

	return code_piece_bytes(c, restore, sizeof restore);
}

bool code_piece_guard(struct code_piece *c, const struct guard *g, const struct mutant *m,
		      const struct image *im)
{
	size_t avail = 0;
	const uint8_t *now = image_bytes(im, m->addr, &avail);
	unsigned holds, fails;

	if (!now || avail < m->length || !code_piece_save(c))
		return false;
	if (g->also.v && !put_guard_branch(c, &g->is, false, &fails))
		return false;
	if (!put_guard_branch(c, g->also.v ? &g->also : &g->is, true, &holds))
		return false;
	if (g->also.v)
		lead_here(c, fails);
	if (!code_piece_restore(c) || !code_piece_insns(c, now, m->length, m->addr) ||
	    !put_piece_jump(c, m->addr + m->length))
		return false;
	lead_here(c, holds);
	return code_piece_restore(c) && code_piece_mutant(c, m);
}

/* Each byte where it is executed, with its distances. */
static void put_piece_in_place(const struct code_piece *c, uint64_t addr, GArray *actions)
{
	uint8_t bytes[CODE_PIECE_BYTES];

	memcpy(bytes, c->bytes, c->size);
	for (unsigned i = 0; i < c->n_links; i++) {
		const struct code_link *l = &c->links[i];
		const int32_t distance = (int32_t)(l->to - (addr + l->from));

		memcpy(bytes + l->at, &distance, sizeof distance);
	}
	for (unsigned at = 0; at < c->size;) {
		struct trace_action a = { .kind = TRACE_ACTION_CODE, .addr = addr + at };

		a.size = (uint16_t)MIN(sizeof a.value, c->size - at);
		a.where = a.size;
		memcpy(a.value, bytes + at, a.size);
		at += a.size;
		g_array_append_val(actions, a);
	}
}

void code_piece_actions(const struct code_piece *c, uint64_t addr, unsigned length, GArray *actions)
{
	unsigned at = 0, size = MAX(c->size, length + 1);

	if (c->in_place) {
		put_piece_in_place(c, addr, actions);
		return;
	}
	while (at < size) {
		struct trace_action a = { .kind = at ? TRACE_ACTION_CODE_MORE : TRACE_ACTION_CODE,
					  .addr = addr,
					  .where = at ? 0 : length };

		a.size = (uint16_t)MIN(sizeof a.value, size - at);
		for (unsigned i = 0; i < a.size; i++)
			a.value[i] = at + i < c->size ? c->bytes[at + i] : 0x90;
		at += a.size;
		g_array_append_val(actions, a);
	}
	for (unsigned i = 0; i < c->n_links; i++) {
		struct trace_action a = { .kind = TRACE_ACTION_CODE_LINK,
					  .addr = c->links[i].to,
					  .where = c->links[i].at,
					  .nth = c->links[i].from };

		g_array_append_val(actions, a);
	}
}
