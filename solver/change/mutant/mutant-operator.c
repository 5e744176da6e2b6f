/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another operator of C. */
#include "solver/change/mutant/mutant-operator.h"

#include "solver/change/mutant/instruction-mutants.h"

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
	{ ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_IMUL, "+", "*" },
	{ ZYDIS_MNEMONIC_IDIV, ZYDIS_MNEMONIC_IMUL, "/", "*" },
	{ ZYDIS_MNEMONIC_DIV, ZYDIS_MNEMONIC_MUL, "/", "*" },
	{ ZYDIS_MNEMONIC_SHL, ZYDIS_MNEMONIC_SHR, "<<", ">>" },
	{ ZYDIS_MNEMONIC_SAR, ZYDIS_MNEMONIC_SHL, ">>", "<<" },
	{ ZYDIS_MNEMONIC_SHR, ZYDIS_MNEMONIC_SHL, ">>", "<<" },
	{ ZYDIS_MNEMONIC_INC, ZYDIS_MNEMONIC_DEC, "+", "-" },
	{ ZYDIS_MNEMONIC_DEC, ZYDIS_MNEMONIC_INC, "-", "+" },
	{ ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_ADD, "=", "+=" },
	{ ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_MOV, "+=", "=" },
	{ ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_MOV, "-=", "=" },
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
	{ ZYDIS_MNEMONIC_ADDSS, ZYDIS_MNEMONIC_MULSS, "+", "*" },
	{ ZYDIS_MNEMONIC_MULSS, ZYDIS_MNEMONIC_ADDSS, "*", "+" },
};

char *mutant_operator_words(const struct mutant *of)
{
	switch (of->to) {
	case MUTANT_OPERANDS_EXCHANGED:
		return g_strdup("the operands of `-' exchanged");
	case MUTANT_SIGN_TURNED:
		return g_strdup("the other sign");
	case MUTANT_LEFT_OUT:
		return g_strdup_printf("the operand of `%s' left out", operators[of->from].as);
	case MUTANT_REMAINDER:
		return g_strdup("`%' for `/'");
	case MUTANT_QUOTIENT:
		return g_strdup("`/' for `%'");
	case MUTANT_TURNED:
		return g_strdup("`-' for `+'");
	case MUTANT_PRODUCT:
		return g_strdup("`*' for `+'");
	case MUTANT_TURNED_QUOTIENT:
		return g_strdup("`/' for `*'");
	case MUTANT_STEP_BEFORE:
		return g_strdup("the value taken behind the step");
	case MUTANT_STEP_BEHIND:
		return g_strdup("the value taken before the step");
	default:
		return g_strdup_printf("`%s' for `%s'", operators[of->from].is,
				       operators[of->from].as);
	}
}

const char *mutant_operator_written(const struct mutant *of)
{
	switch (of->to) {
	case MUTANT_ANOTHER_OPERATOR:
	case MUTANT_LEFT_OUT:
		return operators[of->from].as;
	case MUTANT_OPERANDS_EXCHANGED:
		return "-";
	case MUTANT_REMAINDER:
		return "/";
	case MUTANT_QUOTIENT:
		return "%";
	case MUTANT_TURNED:
	case MUTANT_PRODUCT:
		return "+";
	case MUTANT_TURNED_QUOTIENT:
		return "*";
	default:
		return NULL;
	}
}

char mutant_symbol_ordered(const struct mutant *of)
{
	if (of->kind != MUTANT_OPERATOR)
		return 0;
	if (of->to == MUTANT_TURNED || of->to == MUTANT_TURNED_QUOTIENT)
		return of->to == MUTANT_TURNED ? '+' : '*';
	if (of->to != MUTANT_ANOTHER_OPERATOR)
		return 0;
	if (strcmp(operators[of->from].as, "+") == 0 && strcmp(operators[of->from].is, "-") == 0)
		return '+';
	return strcmp(operators[of->from].as, "*") == 0 && strcmp(operators[of->from].is, "/") == 0
		       ? '*'
		       : 0;
}

/* `sub' with its operands exchanged. */
static void add_exchanged_operands(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	ZydisEncoderRequest r;

	if (in->i.mnemonic != ZYDIS_MNEMONIC_SUB || in->o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    insn_is_rip_relative(in) || !mutant_request(in, &r) || !mutant_encode(in, &r, &made))
		return;
	made.to = MUTANT_OPERANDS_EXCHANGED;
	r.mnemonic = ZYDIS_MNEMONIC_NEG;
	r.operand_count = 1;
	if (mutant_encode(in, &r, &made))
		mutants_take(all, in, &made);
}

/* `x' for `x - y'.  Of a number, y = 0 says the same. */
static void add_left_out_operand(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	bool computes = in->i.operand_count_visible == 2 &&
			in->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			in->o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE &&
			in->i.mnemonic != ZYDIS_MNEMONIC_MOV;
	size_t k = 0;

	while (k < G_N_ELEMENTS(operators) && operators[k].from != in->i.mnemonic)
		k++;
	/* `xor' with itself is how a register becomes 0 */
	if (!computes || k == G_N_ELEMENTS(operators) ||
	    in->o[0].reg.value == (in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER
					   ? in->o[1].reg.value
					   : ZYDIS_REGISTER_NONE))
		return;
	made.from = (int64_t)k;
	made.to = MUTANT_LEFT_OUT;
	made.size = made.length;
	memset(made.bytes, 0x90, made.length);
	mutants_take(all, in, &made);
}

/* Does a mov assign to a variable, rather than fetch an operand? */
static bool may_assign(const struct insn *in)
{
	return in->i.mnemonic != ZYDIS_MNEMONIC_MOV ||
	       (in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY && in->i.operand_width >= 32);
}

/* The compiler doubles by adding to itself. */
static bool is_doubling(const struct insn *in)
{
	return in->i.mnemonic == ZYDIS_MNEMONIC_ADD &&
	       in->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       in->o[0].reg.value == in->o[1].reg.value;
}

void mutants_of_operator(const struct insn *in, GArray *all)
{
	for (size_t k = 0; k < G_N_ELEMENTS(operators); k++) {
		struct mutant made = mutant_of(in, MUTANT_OPERATOR);
		ZydisEncoderRequest r;

		if (operators[k].from != in->i.mnemonic || !may_assign(in) ||
		    (operators[k].to == ZYDIS_MNEMONIC_IMUL && is_doubling(in)) ||
		    !mutant_request(in, &r))
			continue;
		r.mnemonic = operators[k].to;
		made.from = (int64_t)k;
		if (mutant_encode(in, &r, &made))
			mutants_take(all, in, &made);
	}
	add_exchanged_operands(in, all);
	add_left_out_operand(in, all);
}

char mutant_sum_symbol(const struct image *im, uint64_t addr)
{
	struct insn in;

	if (!mutant_decode(im, addr, &in))
		return 0;
	return in.i.mnemonic == ZYDIS_MNEMONIC_ADD || in.i.mnemonic == ZYDIS_MNEMONIC_LEA ? '+'
	       : in.i.mnemonic == ZYDIS_MNEMONIC_SUB					  ? '-'
											  : 0;
}

bool mutant_bits_are_written(const struct image *im, uint64_t addr, const char *text)
{
	struct insn in;

	if (!mutant_decode(im, addr, &in))
		return true;
	switch (in.i.mnemonic) {
	case ZYDIS_MNEMONIC_AND:
		return strpbrk(text, "&%");
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
		return strpbrk(text, "*/%") || strstr(text, "<<") || strstr(text, ">>");
	default:
		return true;
	}
}
