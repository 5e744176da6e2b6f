/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another arithmetic operator.  Most are another instruction; where that is not enough:
 *
 *     a + b, a + 9     lea:    a - b, 9 - a
 *     a / b, a % b     idiv:   the other one of its two results
 */
#include "solver/change/code/code-mutation-private.h"

#include <string.h>

static const struct {
	ZydisMnemonic from, to;
	const char *as, *is; /* what C has for them */
} operators[] = {
	{ ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_SUB, "+", "-" },
	{ ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_ADD, "-", "+" },
	{ ZYDIS_MNEMONIC_AND, ZYDIS_MNEMONIC_OR, "&", "|" },
	{ ZYDIS_MNEMONIC_OR, ZYDIS_MNEMONIC_AND, "|", "&" },
	{ ZYDIS_MNEMONIC_AND, ZYDIS_MNEMONIC_XOR, "&", "^" },
	{ ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_OR, "^", "|" },
	{ ZYDIS_MNEMONIC_IMUL, ZYDIS_MNEMONIC_ADD, "*", "+" },
	{ ZYDIS_MNEMONIC_SHL, ZYDIS_MNEMONIC_SHR, "<<", ">>" },
	{ ZYDIS_MNEMONIC_SAR, ZYDIS_MNEMONIC_SHL, ">>", "<<" },
	{ ZYDIS_MNEMONIC_SHR, ZYDIS_MNEMONIC_SHL, ">>", "<<" },
	{ ZYDIS_MNEMONIC_INC, ZYDIS_MNEMONIC_DEC, "+", "-" },
	{ ZYDIS_MNEMONIC_DEC, ZYDIS_MNEMONIC_INC, "-", "+" },
	{ ZYDIS_MNEMONIC_ADDSD, ZYDIS_MNEMONIC_SUBSD, "+", "-" },
	{ ZYDIS_MNEMONIC_SUBSD, ZYDIS_MNEMONIC_ADDSD, "-", "+" },
	{ ZYDIS_MNEMONIC_MULSD, ZYDIS_MNEMONIC_DIVSD, "*", "/" },
	{ ZYDIS_MNEMONIC_DIVSD, ZYDIS_MNEMONIC_MULSD, "/", "*" },
	{ ZYDIS_MNEMONIC_ADDSD, ZYDIS_MNEMONIC_MULSD, "+", "*" },
	{ ZYDIS_MNEMONIC_MULSD, ZYDIS_MNEMONIC_ADDSD, "*", "+" },
	{ ZYDIS_MNEMONIC_ADDSS, ZYDIS_MNEMONIC_SUBSS, "+", "-" },
	{ ZYDIS_MNEMONIC_SUBSS, ZYDIS_MNEMONIC_ADDSS, "-", "+" },
	{ ZYDIS_MNEMONIC_MULSS, ZYDIS_MNEMONIC_DIVSS, "*", "/" },
	{ ZYDIS_MNEMONIC_DIVSS, ZYDIS_MNEMONIC_MULSS, "/", "*" },
};

char *mutator_operator_words(const struct mutant *of)
{
	switch (of->to) {
	case MUTANT_OPERANDS_EXCHANGED:
		return g_strdup("the operands of `-' exchanged");
	case MUTANT_SIGN_TURNED:
		return g_strdup("the other sign");
	case MUTANT_REMAINDER:
		return g_strdup("`%' for `/'");
	case MUTANT_QUOTIENT:
		return g_strdup("`/' for `%'");
	default:
		return g_strdup_printf("`%s' for `%s'", operators[of->from].is,
				       operators[of->from].as);
	}
}

const char *mutator_operator_written(const struct mutant *of)
{
	switch (of->to) {
	case MUTANT_ANOTHER_OPERATOR:
		return operators[of->from].as;
	case MUTANT_REMAINDER:
		return "/";
	case MUTANT_QUOTIENT:
		return "%";
	default:
		return NULL;
	}
}

/* `sub' with its operands exchanged. */
static void add_exchanged(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderRequest r;

	if (in->i.mnemonic != ZYDIS_MNEMONIC_SUB || in->o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    in->i.attributes & ZYDIS_ATTRIB_IS_RELATIVE || !mutant_request(in, &r) ||
	    !mutant_encode(in, &r, &made))
		return;
	made.to = MUTANT_OPERANDS_EXCHANGED;
	r.mnemonic = ZYDIS_MNEMONIC_NEG;
	r.operand_count = 1;
	if (mutant_encode(in, &r, &made))
		mutants_take(all, in, &made);
}

static void add_operators(const struct insn *in, GArray *all)
{
	for (size_t k = 0; k < G_N_ELEMENTS(operators); k++) {
		struct mutant made = mutant_of(in, MUTANT_OPERATOR);
		ZydisEncoderRequest r;

		if (operators[k].from != in->i.mnemonic || !mutant_request(in, &r))
			continue;
		r.mnemonic = operators[k].to;
		made.from = (int64_t)k;
		if (mutant_encode(in, &r, &made))
			mutants_take(all, in, &made);
	}
	add_exchanged(in, all);
}

static bool put(const struct insn *in, struct mutant *m, ZydisMnemonic mnemonic, ZydisRegister to,
		const ZydisEncoderOperand *from)
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
		return put(in, m, ZYDIS_MNEMONIC_NEG, to, NULL) &&
		       put(in, m, ZYDIS_MNEMONIC_ADD, to, first);
	return put(in, m, ZYDIS_MNEMONIC_MOV, to, first) &&
	       put(in, m, ZYDIS_MNEMONIC_SUB, to, &taken);
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
		if (put_difference(in, &made, to, &first, base))
			mutants_take(all, in, &made);
		return;
	}
	if (sum->scale != 1 || (sum->disp.has_displacement && sum->disp.value))
		return;
	index = as_wide(sum->index, to);
	for (int i = 0; i < 2; i++) {
		made = mutant_of(in, MUTANT_OPERATOR);
		first = of_register(i ? index : base);
		if (put_difference(in, &made, to, &first, i ? base : index))
			mutants_take(all, in, &made);
	}
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
	add_operators(in, all);
	add_differences(in, all);
	add_other_results(in, all);
}
