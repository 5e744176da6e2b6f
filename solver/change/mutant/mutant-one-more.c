/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One more or one less than an instruction of optimized code computes or stores.  There variables
 * move between registers, so that no expression can be put in the place of another one
 * (expression-mutant.h), but a register can be counted up where it gets its value:
 *
 *     sub  %rdx,%rax               sub  %rdx,%rax
 *                                  lea  0x1(%rax),%rax
 *
 * What a line takes over from elsewhere, or cuts out of a number, it computes as well where a
 * variable is in that register from there on, or counts from it:
 *
 *     and  $7,%edi                 and  $7,%edi
 *                                  lea  0x1(%rdi),%edi      n is %rdi + 3
 */
#include "solver/change/mutant/instruction-mutants.h"

#include "solver/base/hash.h"
#include "solver/change/code/code-piece-private.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* A general register by its number; -1: it is another one, or a part that cannot be counted up. */
static int number_of_counted(const ZydisDecodedOperand *o)
{
	const ZydisRegister r =
		o->type == ZYDIS_OPERAND_TYPE_REGISTER ? o->reg.value : ZYDIS_REGISTER_NONE;
	const int number =
		r >= ZYDIS_REGISTER_EAX && r <= ZYDIS_REGISTER_R15D  ? (int)(r - ZYDIS_REGISTER_EAX)
		: r >= ZYDIS_REGISTER_RAX && r <= ZYDIS_REGISTER_R15 ? (int)(r - ZYDIS_REGISTER_RAX)
								     : -1;

	return number == ZYDIS_REGISTER_RSP - ZYDIS_REGISTER_RAX ? -1 : number;
}

static bool has_immediate(const struct insn *in)
{
	for (unsigned i = 0; i < in->i.operand_count_visible; i++)
		if (in->o[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return true;
	return false;
}

/* Of what has a constant that one is changed. */
static bool computes_number(const struct insn *in)
{
	switch (in->i.mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
		return !in->o[1].mem.disp.value && !insn_is_rip_relative(in);
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_IMUL:
		return !has_immediate(in);
	case ZYDIS_MNEMONIC_SAR:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_NEG:
		return true;
	default:
		return false;
	}
}

/* May the value of a variable of the source come to be in its register? */
static bool takes_number(const struct insn *in)
{
	switch (in->i.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		return in->o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
	case ZYDIS_MNEMONIC_XOR:
		return !insn_has_one_register(in, ZYDIS_MNEMONIC_XOR);
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
	case ZYDIS_MNEMONIC_CVTTSD2SI:
	case ZYDIS_MNEMONIC_CVTTSS2SI:
		return true;
	default:
		return in->i.meta.category == ZYDIS_CATEGORY_CMOV;
	}
}

/* Is the variable in the register, or counts from it?  Registers hold numbers that no other place
 * is near to. */
static bool counts_from_register(const struct image *im, const struct image_variable *v,
				 unsigned reg, uint64_t addr)
{
	const uint64_t mark = UINT64_C(1) << 40, near = UINT64_C(1) << 20;
	struct image_frame frame = { .pc = addr };
	struct image_place p;

	for (unsigned i = 0; i < G_N_ELEMENTS(frame.regs); i++)
		frame.regs[i] = mark * (i + 1);
	p = image_locate(im, v, &frame);
	return (p.kind == IMAGE_PLACE_REGISTER && p.reg == reg) ||
	       (p.kind == IMAGE_PLACE_VALUE && p.value - mark * (reg + 1) + near < 2 * near);
}

/* Where control goes from the instruction on; a variable need not be told of before the jump. */
static uint64_t place_behind(const struct image *im, const struct insn *in)
{
	const struct trace_insn *next = image_insn_at(im, in->addr + in->i.length);

	return next && next->flow == TRACE_FLOW_JUMP ? next->target : in->addr + in->i.length;
}

/* Does a variable that is a whole number have its value in the register behind the instruction, and
 * not before it? */
static bool gives_variable(const struct image *im, const struct insn *in)
{
	const unsigned reg = (unsigned)number_of_counted(&in->o[0]);
	const uint64_t behind = place_behind(im, in);
	const struct image_variable *const *variables;
	const size_t n = image_variables_in_sight(im, behind, false, &variables);

	for (size_t i = 0; i < n; i++) {
		const struct image_variable *v = variables[i];

		if (v->type && v->type->kind == IMAGE_TYPE_INT && v->function &&
		    counts_from_register(im, v, reg, behind) &&
		    !counts_from_register(im, v, reg, in->addr))
			return true;
	}
	return false;
}

static bool is_part_of_place(const ZydisDecodedOperand *place, int number)
{
	const ZydisRegister whole = ZYDIS_REGISTER_RAX + (ZydisRegister)number;

	return place->mem.base == whole || place->mem.index == whole;
}

/* What has 8 bytes is a pointer more often than not. */
static bool stores_number(const struct insn *in)
{
	return in->i.mnemonic == ZYDIS_MNEMONIC_MOV && in->o[0].size == 32 &&
	       in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY && number_of_counted(&in->o[1]) >= 0 &&
	       !is_part_of_place(&in->o[0], number_of_counted(&in->o[1]));
}

/* Unoptimized code begins with a frame, in which all variables have their places. */
static bool is_optimized(const struct image *im, const struct image_function *f)
{
	static const uint8_t frame[] = { 0x55, 0x48, 0x89, 0xe5 }, /* push %rbp; mov %rsp,%rbp */
		endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t avail = 0;
	const uint8_t *code = image_bytes(im, f->lo, &avail);

	if (f->moving || !code || avail < sizeof endbr64 + sizeof frame)
		return f->moving;
	if (memcmp(code, endbr64, sizeof endbr64) == 0)
		code += sizeof endbr64;
	return memcmp(code, frame, sizeof frame) != 0;
}

/* lea by(%reg),%reg: no flag changes. */
static bool put_lea(struct code_piece *c, unsigned reg, bool wide, int by)
{
	enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_B = 1, LEA = 0x8d, SIB = 4, NO_INDEX = 0x24 };
	const unsigned low = reg & 7, high = reg >> 3;
	const uint8_t bytes[] = { (uint8_t)(REX | (wide ? REX_W : 0) | (high ? REX_R | REX_B : 0)),
				  LEA, (uint8_t)(0x40 | low << 3 | low) };
	const uint8_t index = NO_INDEX, distance = (uint8_t)by;

	return code_piece_bytes(c, bytes, sizeof bytes) &&
	       (low != SIB || code_piece_bytes(c, &index, 1)) && code_piece_bytes(c, &distance, 1);
}

static bool write_counted(struct code_piece *c, const struct insn *in, int by)
{
	const bool stored = stores_number(in);
	const ZydisDecodedOperand *o = &in->o[stored ? 1 : 0];
	const unsigned reg = (unsigned)number_of_counted(o);

	return (!stored || put_lea(c, reg, true, by)) &&
	       code_piece_insns(c, in->bytes, in->i.length, in->addr) &&
	       put_lea(c, reg, stored || o->size == 64, stored ? -by : by);
}

/* What an instruction computes on the way, what the line is for, and what it takes over. */
enum counted { COUNTED_NOT, COUNTED_BESIDE, COUNTED_OUTCOME, COUNTED_TAKEN };

static void add_one_more(const struct insn *in, enum counted what, GPtrArray *kept, GArray *all)
{
	static const struct {
		int by;
		const char *words;
	} changes[] = { { 1, "1 more" }, { -1, "1 less" } };

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		struct mutant made = mutant_of(in, MUTANT_ONE_MORE);
		struct code_piece *piece = g_new0(struct code_piece, 1);

		made.piece = piece;
		made.from = what != COUNTED_BESIDE;
		made.to = changes[i].by;
		made.words = changes[i].words;
		made.nearness =
			what == COUNTED_TAKEN ? MUTANT_SAME_VARIABLE : MUTANT_OTHER_VARIABLE;
		g_ptr_array_add(kept, piece);
		if (write_counted(piece, in, changes[i].by))
			g_array_append_val(all, made);
	}
}

static bool decode_optimized(const struct image *im, uint64_t addr, struct insn *in)
{
	const struct image_function *f = image_function_at(im, addr);

	return f && is_optimized(im, f) && mutant_decode(im, addr, in) && !insn_is_housekeeping(in);
}

/* The copies of the line that decide something: there no number is what it is for.  uint64_t, as
 * mutants_copy_at. */
static GHashTable *copies_with_branch(const struct image *im, const GArray *addrs)
{
	GHashTable *copies = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < addrs->len; i++) {
		const uint64_t addr = g_array_index(addrs, uint64_t, i),
			       copy = mutants_copy_at(im, addr);
		const struct trace_insn *insn = image_insn_at(im, addr);

		if (insn && insn->flow == TRACE_FLOW_COND)
			g_hash_table_add(copies, g_memdup2(&copy, sizeof copy));
	}
	return copies;
}

/* is_last: the line computes no number behind it. */
static enum counted what_is_counted(const struct image *im, const struct insn *in, bool is_last)
{
	if (stores_number(in))
		return COUNTED_OUTCOME;
	if (!in->i.operand_count_visible || number_of_counted(&in->o[0]) < 0)
		return COUNTED_NOT;
	if (computes_number(in))
		return is_last ? COUNTED_OUTCOME : COUNTED_BESIDE;
	return takes_number(in) && gives_variable(im, in) ? COUNTED_TAKEN : COUNTED_NOT;
}

void mutants_one_more(const struct image *im, const GArray *addrs, GPtrArray *kept, GArray *all)
{
	/* of these something decides, or computes a number further behind */
	g_autoptr(GHashTable) settled = copies_with_branch(im, addrs);
	struct insn in;

	for (guint i = addrs->len; i > 0; i--) {
		const uint64_t addr = g_array_index(addrs, uint64_t, i - 1),
			       copy = mutants_copy_at(im, addr);
		const bool is_last = !g_hash_table_contains(settled, &copy);
		const enum counted what = decode_optimized(im, addr, &in)
						  ? what_is_counted(im, &in, is_last)
						  : COUNTED_NOT;

		if (what)
			add_one_more(&in, what, kept, all);
		if (what == COUNTED_BESIDE || what == COUNTED_OUTCOME)
			g_hash_table_add(settled, g_memdup2(&copy, sizeof copy));
	}
}
