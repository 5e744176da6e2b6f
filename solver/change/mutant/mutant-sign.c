/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A minus sign that is missing, or one too many, where floating-point numbers are computed:
 *
 *     d = a - b;      b - a: the difference is turned behind subsd
 *     d = a * b;      -(a * b)
 *     d = a + b;      a - b, where addsd changes b
 *     d = x;          -x: turned before it is stored
 *
 * Compilers turn a sign by xorpd with a constant; here xmm15 is made that constant, where the
 * function does not use it.
 */
#include "solver/change/mutant/instruction-mutants.h"

#include <string.h>

static bool is_scalar(const struct insn *in, ZydisMnemonic of_doubles, ZydisMnemonic of_floats)
{
	return in->i.mnemonic == of_doubles || in->i.mnemonic == of_floats;
}

static bool is_difference(const struct insn *in)
{
	return is_scalar(in, ZYDIS_MNEMONIC_SUBSD, ZYDIS_MNEMONIC_SUBSS);
}

static bool is_product(const struct insn *in)
{
	return is_scalar(in, ZYDIS_MNEMONIC_MULSD, ZYDIS_MNEMONIC_MULSS) ||
	       is_scalar(in, ZYDIS_MNEMONIC_DIVSD, ZYDIS_MNEMONIC_DIVSS);
}

static bool is_of_doubles(const struct insn *in)
{
	return in->i.mnemonic == ZYDIS_MNEMONIC_SUBSD || in->i.mnemonic == ZYDIS_MNEMONIC_MULSD ||
	       in->i.mnemonic == ZYDIS_MNEMONIC_DIVSD || in->i.mnemonic == ZYDIS_MNEMONIC_MOVSD;
}

static bool is_storing_insn(const struct insn *in)
{
	return is_scalar(in, ZYDIS_MNEMONIC_MOVSD, ZYDIS_MNEMONIC_MOVSS) &&
	       in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* -1: it is no vector register that an instruction without a prefix of its own names. */
static int number_of_vector(const ZydisDecodedOperand *o)
{
	bool is_one = o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		      o->reg.value >= ZYDIS_REGISTER_XMM0 && o->reg.value <= ZYDIS_REGISTER_XMM15;

	return is_one ? (int)(o->reg.value - ZYDIS_REGISTER_XMM0) : -1;
}

static bool names_xmm15(const struct image *im, uint64_t addr)
{
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecoder decoder;
	size_t avail = 0;
	const uint8_t *bytes = image_bytes(im, addr, &avail);

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!bytes ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, MIN(avail, 15u), &i, o)))
		return true;
	for (int k = 0; k < i.operand_count_visible; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, o[k].reg.value) ==
			    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
							     ZYDIS_REGISTER_XMM15))
			return true;
	return false;
}

/* May xmm15 be changed in the function that the instruction is in? */
static bool is_xmm15_free(const struct image *im, uint64_t addr)
{
	const struct image_function *f = image_function_at(im, addr);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	if (!f)
		return false;
	for (size_t i = 0; i < n; i++)
		if (insns[i].addr >= f->lo && insns[i].addr < f->hi &&
		    names_xmm15(im, insns[i].addr))
			return false;
	return true;
}

static void append_mutant_bytes(struct mutant *m, const uint8_t *bytes, size_t size)
{
	memcpy(m->bytes + m->size, bytes, size);
	m->size = (uint8_t)(m->size + size);
}

/* pcmpeqd %xmm15,%xmm15; psllq $63 or pslld $31,%xmm15; xorpd %xmm15,the register */
enum { TURN_BYTES = 16 };

static void put_turn(struct mutant *m, unsigned reg, bool is_double)
{
	static const uint8_t ones[] = { 0x66, 0x45, 0x0f, 0x76, 0xff };
	const uint8_t shift[] = { 0x66, 0x41,
				  0x0f, is_double ? 0x73 : 0x72,
				  0xf7, is_double ? 63 : 31 };
	const uint8_t turn[] = { 0x66, reg >= 8 ? 0x45 : 0x41, 0x0f, 0x57,
				 (uint8_t)(0xc7 | (reg & 7) << 3) };

	append_mutant_bytes(m, ones, sizeof ones);
	append_mutant_bytes(m, shift, sizeof shift);
	append_mutant_bytes(m, turn, sizeof turn);
}

static bool is_vector_sum(const struct insn *in)
{
	return is_scalar(in, ZYDIS_MNEMONIC_ADDSD, ZYDIS_MNEMONIC_ADDSS);
}

/* subsd in the place of addsd, and the sign of what it makes turned. */
static void add_turned_sum(const struct image *im, const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	const int reg = number_of_vector(&in->o[0]);
	const bool is_double = in->i.mnemonic == ZYDIS_MNEMONIC_ADDSD;
	ZydisEncoderRequest r;

	if (reg < 0 || insn_is_rip_relative(in) || !mutant_request(in, &r))
		return;
	r.mnemonic = is_double ? ZYDIS_MNEMONIC_SUBSD : ZYDIS_MNEMONIC_SUBSS;
	made.to = MUTANT_TURNED;
	if (!mutant_encode(in, &r, &made) || made.size + TURN_BYTES > (int)sizeof made.bytes ||
	    !is_xmm15_free(im, in->addr))
		return;
	put_turn(&made, (unsigned)reg, is_double);
	mutants_take(all, in, &made);
}

/* behind: is what the instruction computes turned, or what it stores? */
static void add_turned(const struct image *im, const struct insn *in, bool behind, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	int reg = number_of_vector(&in->o[behind ? 0 : 1]);

	if (reg < 0 || (size_t)in->i.length + TURN_BYTES > sizeof made.bytes ||
	    in->i.attributes & ZYDIS_ATTRIB_IS_RELATIVE || !is_xmm15_free(im, in->addr))
		return;
	made.to = is_difference(in) ? MUTANT_OPERANDS_EXCHANGED : MUTANT_SIGN_TURNED;
	if (behind)
		append_mutant_bytes(&made, in->bytes, in->i.length);
	put_turn(&made, (unsigned)reg, is_of_doubles(in));
	if (!behind)
		append_mutant_bytes(&made, in->bytes, in->i.length);
	mutants_take(all, in, &made);
}

void mutants_of_sign(const struct image *im, const struct insn *in, const struct insn *before,
		     GArray *all)
{
	bool computed = before && (is_difference(before) || is_product(before));

	if (is_vector_sum(in))
		add_turned_sum(im, in, all);
	else if (is_difference(in) || is_product(in))
		add_turned(im, in, true, all);
	else if (is_storing_insn(in) && !computed)
		add_turned(im, in, false, all);
}
