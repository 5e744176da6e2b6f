/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another arithmetic operator where another instruction in the same place is not enough:
 *
 *     a + b, a + 9     lea:    a - b, 9 - a, a * b
 *     a + b            add:    the other one of a - b and b - a than `sub'
 *     a += b           add to memory: a *= b
 *     a * b            mulsd:  the other one of a / b and b / a than `divsd'
 *     a / b, a % b     idiv:   the other one of its two results
 *     a * 8            shl, lea:   a * 10
 */
#include "solver/change/mutant/instruction-mutants.h"

#include <string.h>

static bool put_instruction(const struct insn *in, struct mutant *m, ZydisMnemonic mnemonic,
			    ZydisRegister to, const ZydisEncoderOperand *from)
{
	ZydisEncoderRequest r = { .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
				  .mnemonic = mnemonic,
				  .operand_count = from ? 2 : 1 };

	r.operands[0] =
		(ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = to };
	if (from)
		r.operands[1] = *from;
	return mutant_encode(in, &r, m);
}

static ZydisEncoderOperand of_register(ZydisRegister r)
{
	return (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = r };
}

/* The register as wide as like. */
static ZydisRegister as_wide(ZydisRegister r, ZydisRegister like)
{
	return ZydisRegisterEncode(ZydisRegisterGetClass(like), (ZyanU8)ZydisRegisterGetId(r));
}

/* to := first - second, where second may be to. */
static bool put_difference(const struct insn *in, struct mutant *m, ZydisRegister to,
			   const ZydisEncoderOperand *first, ZydisRegister second)
{
	ZydisEncoderOperand taken = of_register(second);

	if (to == second)
		return put_instruction(in, m, ZYDIS_MNEMONIC_NEG, to, NULL) &&
		       put_instruction(in, m, ZYDIS_MNEMONIC_ADD, to, first);
	return put_instruction(in, m, ZYDIS_MNEMONIC_MOV, to, first) &&
	       put_instruction(in, m, ZYDIS_MNEMONIC_SUB, to, &taken);
}

/* Unlike lea, the difference sets the flags, which nothing reads behind a sum. */
static void add_differences(const struct insn *in, GArray *all)
{
	const ZydisDecodedOperandMem *sum = &in->o[1].mem;
	ZydisRegister to = in->o[0].reg.value, base, index;
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderOperand first;

	if (in->i.mnemonic != ZYDIS_MNEMONIC_LEA || sum->base == ZYDIS_REGISTER_NONE ||
	    sum->base == ZYDIS_REGISTER_RIP || sum->base == ZYDIS_REGISTER_RBP ||
	    sum->base == ZYDIS_REGISTER_RSP)
		return;
	base = as_wide(sum->base, to);
	if (sum->index == ZYDIS_REGISTER_NONE) {
		if (!sum->disp.has_displacement || sum->disp.value <= 0)
			return;
		first = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_IMMEDIATE,
					       .imm.s = sum->disp.value };
		made.to = MUTANT_FROM_NUMBER;
		if (put_difference(in, &made, to, &first, base))
			mutants_take(all, in, &made);
		return;
	}
	if (sum->scale != 1 || (sum->disp.has_displacement && sum->disp.value))
		return;
	index = as_wide(sum->index, to);
	for (int i = 0; i < 2; i++) {
		made = mutant_of(in, MUTANT_OPERATOR);
		made.to = i ? MUTANT_TURNED : MUTANT_ANOTHER_OPERATOR;
		first = of_register(i ? index : base);
		if (put_difference(in, &made, to, &first, i ? base : index))
			mutants_take(all, in, &made);
	}
}

/* add %edx,%eax: the other difference than `sub' makes. */
static void add_turned_difference(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderOperand first;

	if (in->i.mnemonic != ZYDIS_MNEMONIC_ADD || in->i.operand_width < 32 ||
	    in->o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    in->o[1].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    in->o[0].reg.value == in->o[1].reg.value)
		return;
	made.to = MUTANT_TURNED;
	first = of_register(in->o[1].reg.value);
	if (put_difference(in, &made, in->o[0].reg.value, &first, in->o[0].reg.value))
		mutants_take(all, in, &made);
}

/* to := first * second, where second may be to. */
static bool put_product(const struct insn *in, struct mutant *m, ZydisRegister to,
			ZydisRegister first, ZydisRegister second)
{
	ZydisEncoderOperand one = of_register(to == second ? second : first),
			    other = of_register(to == second ? first : second);

	return (one.reg.value == to || put_instruction(in, m, ZYDIS_MNEMONIC_MOV, to, &one)) &&
	       put_instruction(in, m, ZYDIS_MNEMONIC_IMUL, to, &other);
}

static void add_product(const struct insn *in, GArray *all)
{
	const ZydisDecodedOperandMem *sum = &in->o[1].mem;
	const ZydisRegister to = in->o[0].reg.value;
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);

	if (in->i.mnemonic != ZYDIS_MNEMONIC_LEA || sum->base == ZYDIS_REGISTER_NONE ||
	    sum->index == ZYDIS_REGISTER_NONE || sum->base == sum->index || sum->scale != 1 ||
	    (sum->disp.has_displacement && sum->disp.value))
		return;
	made.to = MUTANT_PRODUCT;
	if (put_product(in, &made, to, as_wide(sum->base, to), as_wide(sum->index, to)))
		mutants_take(all, in, &made);
}

/* xchg %eax,(m); imul (m),%eax; xchg %eax,(m): no register is needed for it. */
static void add_product_in_memory(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderRequest exchange, product;

	if (in->i.mnemonic != ZYDIS_MNEMONIC_ADD || in->o[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
	    in->o[1].type != ZYDIS_OPERAND_TYPE_REGISTER || in->i.operand_width < 32 ||
	    insn_is_rip_relative(in) || !mutant_request(in, &exchange))
		return;
	product = exchange;
	exchange.mnemonic = ZYDIS_MNEMONIC_XCHG;
	product.mnemonic = ZYDIS_MNEMONIC_IMUL;
	product.operands[0] = exchange.operands[1];
	product.operands[1] = exchange.operands[0];
	made.to = MUTANT_PRODUCT;
	if (mutant_encode(in, &exchange, &made) && mutant_encode(in, &product, &made) &&
	    mutant_encode(in, &exchange, &made))
		mutants_take(all, in, &made);
}

/* Below what a function may use without moving the stack pointer. */
enum { BELOW_STACK = -0x90 };

/* mulsd b,a: b / a in the place of the a / b that divsd makes.  No other register is needed. */
static void add_turned_quotient(const struct insn *in, GArray *all)
{
	const bool is_double = in->i.mnemonic == ZYDIS_MNEMONIC_MULSD;
	const ZydisMnemonic move = is_double ? ZYDIS_MNEMONIC_MOVSD : ZYDIS_MNEMONIC_MOVSS;
	const bool is_register = in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderRequest keep, take, divide;

	if ((!is_double && in->i.mnemonic != ZYDIS_MNEMONIC_MULSS) || insn_is_rip_relative(in) ||
	    (is_register && in->o[0].reg.value == in->o[1].reg.value) || !mutant_request(in, &take))
		return;
	keep = divide = take;
	keep.mnemonic = move;
	keep.operands[1] = take.operands[0];
	keep.operands[0] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_MEMORY,
						  .mem = { .base = ZYDIS_REGISTER_RSP,
							   .displacement = BELOW_STACK,
							   .size = is_double ? 8 : 4 } };
	take.mnemonic = is_register ? ZYDIS_MNEMONIC_MOVAPD : move;
	divide.mnemonic = is_double ? ZYDIS_MNEMONIC_DIVSD : ZYDIS_MNEMONIC_DIVSS;
	divide.operands[1] = keep.operands[0];
	made.to = MUTANT_TURNED_QUOTIENT;
	if (mutant_encode(in, &keep, &made) && mutant_encode(in, &take, &made) &&
	    mutant_encode(in, &divide, &made))
		mutants_take(all, in, &made);
}

static void add_other_results(const struct insn *in, GArray *all)
{
	bool is_division =
		in->i.mnemonic == ZYDIS_MNEMONIC_IDIV || in->i.mnemonic == ZYDIS_MNEMONIC_DIV;

	if (!is_division || in->i.operand_width < 32 || in->i.attributes & ZYDIS_ATTRIB_IS_RELATIVE)
		return;
	for (int remainder = 0; remainder < 2; remainder++) {
		struct mutant made = mutant_of(in, MUTANT_OPERATOR);
		/* mov %rdx,%rax; mov %rax,%rdx */
		uint8_t move[] = { 0x48, 0x89, remainder ? 0xd0 : 0xc2 };

		if ((size_t)in->i.length + sizeof move > sizeof made.bytes)
			return;
		memcpy(made.bytes, in->bytes, in->i.length);
		memcpy(made.bytes + in->i.length, move, sizeof move);
		made.size = (uint8_t)(in->i.length + sizeof move);
		made.to = remainder ? MUTANT_REMAINDER : MUTANT_QUOTIENT;
		mutants_take(all, in, &made);
	}
}

void mutants_of_arithmetic(const struct insn *in, GArray *all)
{
	add_differences(in, all);
	add_turned_difference(in, all);
	add_product(in, all);
	add_product_in_memory(in, all);
	add_turned_quotient(in, all);
	add_other_results(in, all);
}

/* ---- a factor that is a power of two ---- */

/* The factor, and *value: the register that is multiplied by it; 0 = it is no such
 * multiplication. */
static int64_t factor_of(const struct insn *in, ZydisRegister *value)
{
	const ZydisDecodedOperandMem *m = &in->o[1].mem;
	const bool wide = in->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER && in->o[0].size >= 32;

	if (wide && in->i.mnemonic == ZYDIS_MNEMONIC_SHL &&
	    in->o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && in->o[1].imm.value.u < 31) {
		*value = in->o[0].reg.value;
		return (int64_t)1 << in->o[1].imm.value.u;
	}
	if (wide && in->i.mnemonic == ZYDIS_MNEMONIC_LEA && m->base == ZYDIS_REGISTER_NONE &&
	    m->index != ZYDIS_REGISTER_NONE && !m->disp.value && m->scale > 1) {
		*value = as_wide(m->index, in->o[0].reg.value);
		return m->scale;
	}
	return 0;
}

int64_t mutant_factor(const struct insn *in)
{
	ZydisRegister value;

	return factor_of(in, &value);
}

void mutant_of_factor(const struct insn *in, int64_t to, GArray *all)
{
	ZydisRegister value = ZYDIS_REGISTER_NONE;
	struct mutant made = mutant_of(in, MUTANT_CONSTANT);
	ZydisEncoderRequest r = { .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
				  .mnemonic = ZYDIS_MNEMONIC_IMUL,
				  .operand_count = 3 };

	made.from = factor_of(in, &value);
	made.to = to;
	if (!made.from || to == made.from)
		return;
	r.operands[0] = of_register(in->o[0].reg.value);
	r.operands[1] = of_register(value);
	r.operands[2] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.s = to };
	if (mutant_encode(in, &r, &made))
		mutants_take(all, in, &made);
}
