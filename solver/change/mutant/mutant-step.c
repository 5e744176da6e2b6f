/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `--n' for `n--': what counts takes the value before or behind the step.
 *
 *     --n      subl $1,n; mov n,%eax                      n--: the two in the other order
 *     n--      mov n,%eax; lea -1(%rax),%edx; mov %edx,n  --n: %eax is stepped, too
 */
#include "solver/change/mutant/mutant-step.h"

#include "solver/change/mutant/instruction-mutants.h"

#include <string.h>

static bool decode_behind(const struct image *im, const struct insn *in, struct insn *next)
{
	return mutant_decode(im, in->addr + in->i.length, next);
}

static bool is_register_at(const struct insn *in, int k)
{
	return in->o[k].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static bool is_memory_at(const struct insn *in, int k)
{
	return in->o[k].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static unsigned line_of(const struct image *im, const struct insn *in)
{
	const struct image_row *row = image_row_at(im, in->addr);

	return row ? image_statement(im, row->statement)->line : 0;
}

static bool is_same_place(const ZydisDecodedOperand *a, const ZydisDecodedOperand *b)
{
	return a->size == b->size && a->mem.base == b->mem.base && a->mem.index == b->mem.index &&
	       a->mem.scale == b->mem.scale && a->mem.disp.value == b->mem.disp.value;
}

/* `--n': the value is taken before the step. */
static void take_value_before(const struct image *im, const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_OPERATOR);
	struct insn next;
	const bool steps =
		(in->i.mnemonic == ZYDIS_MNEMONIC_ADD || in->i.mnemonic == ZYDIS_MNEMONIC_SUB) &&
		is_memory_at(in, 0) && in->o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	if (!steps || insn_is_rip_relative(in) || !decode_behind(im, in, &next) ||
	    next.i.mnemonic != ZYDIS_MNEMONIC_MOV || !is_register_at(&next, 0) ||
	    !is_memory_at(&next, 1) || !is_same_place(&in->o[0], &next.o[1]) ||
	    next.o[0].reg.value == in->o[0].mem.base || line_of(im, in) != line_of(im, &next))
		return;
	made.to = MUTANT_STEP_BEHIND;
	made.from = (in->i.mnemonic == ZYDIS_MNEMONIC_ADD) == (in->o[1].imm.value.s > 0);
	made.length = made.size = (uint8_t)(in->i.length + next.i.length);
	if (made.size > sizeof made.bytes)
		return;
	memcpy(made.bytes, next.bytes, next.i.length);
	memcpy(made.bytes + next.i.length, in->bytes, in->i.length);
	g_array_append_val(all, made);
}

/* Does one of the next two instructions store the register where the value came from? */
static bool is_stored_back(const struct image *im, const struct insn *step,
			   const ZydisDecodedOperand *from)
{
	struct insn at = *step;

	for (int i = 0; i < 2; i++) {
		if (!decode_behind(im, &at, &at))
			return false;
		if (at.i.mnemonic == ZYDIS_MNEMONIC_MOV && is_memory_at(&at, 0) &&
		    is_register_at(&at, 1))
			return at.o[1].reg.value == step->o[0].reg.value &&
			       at.o[0].mem.disp.value == from->mem.disp.value &&
			       at.o[0].size == from->size;
	}
	return false;
}

/* `n--': the value is taken behind the step. */
static void take_value_behind(const struct image *im, const struct insn *in, GArray *all)
{
	struct insn step;
	struct mutant made;
	ZydisEncoderRequest lea, move = { .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
					  .mnemonic = ZYDIS_MNEMONIC_MOV,
					  .operand_count = 2 };

	if (in->i.mnemonic != ZYDIS_MNEMONIC_MOV || !is_register_at(in, 0) ||
	    !is_memory_at(in, 1) || !decode_behind(im, in, &step) ||
	    step.i.mnemonic != ZYDIS_MNEMONIC_LEA || step.o[1].mem.index != ZYDIS_REGISTER_NONE ||
	    ZydisRegisterGetId(step.o[1].mem.base) != ZydisRegisterGetId(in->o[0].reg.value) ||
	    step.o[0].size != in->o[0].size || step.o[0].reg.value == in->o[0].reg.value ||
	    !is_stored_back(im, &step, &in->o[1]) || !mutant_request(&step, &lea))
		return;
	made = mutant_of(&step, MUTANT_OPERATOR);
	made.to = MUTANT_STEP_BEFORE;
	made.from = step.o[1].mem.disp.value > 0;
	lea.operands[0].reg.value = in->o[0].reg.value;
	move.operands[0] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER,
						  .reg.value = step.o[0].reg.value };
	move.operands[1] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER,
						  .reg.value = in->o[0].reg.value };
	if (mutant_encode(&step, &lea, &made) && mutant_encode(&step, &move, &made))
		g_array_append_val(all, made);
}

void mutants_of_step(const struct image *im, const struct insn *in, GArray *all)
{
	take_value_before(im, in, all);
	take_value_behind(im, in, all);
}

bool mutant_is_step(const struct mutant *of)
{
	return of->kind == MUTANT_OPERATOR &&
	       (of->to == MUTANT_STEP_BEFORE || of->to == MUTANT_STEP_BEHIND);
}

/* Is the value taken of what stands there, which is neither a statement nor the step of a loop? */
static bool is_value_at(const char *text, int at)
{
	static const char alone[] = "(^|[;{})]|\\belse|\\bdo)\\s*$";
	g_autofree char *before = g_strndup(text, (gsize)at);

	return !g_regex_match_simple(alone, before, 0, 0);
}

char *mutant_step_words(const struct mutant *of, const char *text)
{
	const char *sign = of->from ? "++" : "--";
	g_autofree char *escaped = g_regex_escape_string(sign, -1),
			*name = g_strdup("([A-Za-z_]\\w*(?:(?:->|\\.)\\w+|\\[\\w+\\])*)"),
			*pattern = of->to == MUTANT_STEP_BEHIND
					   ? g_strdup_printf("%s\\s*%s", escaped, name)
					   : g_strdup_printf("%s\\s*%s", name, escaped);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *what = NULL;
	int at;

	if (!g_regex_match(regex, text, 0, &found) ||
	    !g_match_info_fetch_pos(found, 0, &at, NULL) || !is_value_at(text, at))
		return NULL;
	what = g_match_info_fetch(found, 1);
	if (g_match_info_next(found, NULL))
		return NULL; /* which of them? */
	return of->to == MUTANT_STEP_BEHIND
		       ? g_strdup_printf("`%s%s' for `%s%s'", what, sign, sign, what)
		       : g_strdup_printf("`%s%s' for `%s%s'", sign, what, what, sign);
}

bool mutant_step_is_written(const struct mutant *of, const char *text)
{
	g_autofree char *words = mutant_step_words(of, text);

	return words != NULL;
}
