/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/truth-line.h"

#include "solver/change/mutant/instruction-mutants.h"
#include "solver/source/operand-text.h"

/* The register that the instruction loads a truth value into; NONE: it does not. */
static ZydisRegister register_of_truth(const struct insn *in, bool *value)
{
	/* xor r,r loads 0 */
	if (insn_has_one_register(in, ZYDIS_MNEMONIC_XOR)) {
		*value = false;
		return in->o[0].reg.value;
	}
	if (in->i.mnemonic != ZYDIS_MNEMONIC_MOV || in->o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    in->o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE || in->o[1].imm.value.u > 1)
		return ZYDIS_REGISTER_NONE;
	*value = in->o[1].imm.value.u;
	return in->o[0].reg.value;
}

/* Does another instruction of the line load the other truth value into that register? */
static bool has_other_truth(const struct mutant_maker *x, const GArray *addrs, ZydisRegister reg,
			    bool value)
{
	for (guint i = 0; i < addrs->len; i++) {
		struct insn in;
		bool other;

		if (mutant_decode(x->im, g_array_index(addrs, uint64_t, i), &in) &&
		    register_of_truth(&in, &other) == reg && other != value)
			return true;
	}
	return false;
}

static bool is_for_truth(const struct mutant_maker *x, const GArray *addrs, const struct mutant *m)
{
	struct insn in;
	ZydisRegister reg;
	bool value;

	if (m->kind != MUTANT_CONSTANT || !mutant_decode(x->im, m->addr, &in))
		return false;
	reg = register_of_truth(&in, &value);
	return reg != ZYDIS_REGISTER_NONE && (m->to < 0 || m->to > 1) &&
	       has_other_truth(x, addrs, reg, value);
}

void truth_line_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	g_autofree char *text =
		addrs->len ? mutant_maker_line(x, g_array_index(addrs, uint64_t, 0)) : NULL;

	/* `c ? 1 : 0' has them itself */
	if (!text || !operand_text_matches(text, "&&|\\|\\||[=!<>]=|[<>]|!") ||
	    operand_text_matches(text, "\\?"))
		return;
	for (guint i = all->len; i > 0; i--)
		if (is_for_truth(x, addrs, &g_array_index(all, struct mutant, i - 1)))
			g_array_remove_index(all, i - 1);
}
