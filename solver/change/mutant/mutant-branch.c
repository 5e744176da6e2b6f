/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of conditions: other comparisons, branches that go elsewhere, always or never. */
#include "solver/change/mutant/instruction-mutants.h"

#include <string.h>

/* The lengths of two encodings of a jump. */
enum { SHORT_JUMP = 2, LONG_JUMP = 6 };

/* Where the condition code stands in the bytes, or -1. */
static int code_offset(const struct insn *in)
{
	switch (in->i.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		if (in->i.length != SHORT_JUMP && in->i.length != LONG_JUMP)
			return -1;
		if ((in->bytes[0] & 0xf0) == 0x70)
			return 0;
		return in->bytes[0] == 0x0f ? 1 : -1;
	case ZYDIS_CATEGORY_SETCC:
	case ZYDIS_CATEGORY_CMOV:
		return in->i.raw.modrm.offset - 1;
	default:
		return -1;
	}
}

static void add_conditions(const struct insn *in, GArray *all)
{
	/* below, above, equal and their opposites; less, greater; the same */
	static const uint8_t is_unsigned[] = { 2, 3, 6, 7, 4, 5 };
	static const uint8_t is_signed[] = { 12, 13, 14, 15, 4, 5 };
	int at = code_offset(in);
	uint8_t code;

	if (at < 0)
		return;
	code = in->bytes[at] & 15;
	for (unsigned i = 0; i < G_N_ELEMENTS(is_signed) + 1; i++) {
		bool below = code == 2 || code == 3 || code == 6 || code == 7;
		uint8_t to = i == G_N_ELEMENTS(is_signed) ? code ^ 1
			     : below			  ? is_unsigned[i]
							  : is_signed[i];
		struct mutant made = mutant_of(in, MUTANT_CONDITION);

		if (to == code || (i < G_N_ELEMENTS(is_signed) && to == (code ^ 1)))
			continue;
		made.size = made.length;
		made.from = code;
		made.to = to;
		memcpy(made.bytes, in->bytes, made.length);
		made.bytes[at] = (uint8_t)((in->bytes[at] & 0xf0) | to);
		mutants_take(all, in, &made);
	}
}

/* A truth value that is computed without a branch is never, or always, 1. */
static void add_fixed(const struct insn *in, GArray *all)
{
	for (int64_t value = 0; value < 2; value++) {
		struct mutant made = mutant_of(in, MUTANT_DROPPED);
		ZydisEncoderRequest r;

		if (in->i.meta.category != ZYDIS_CATEGORY_SETCC || !mutant_request(in, &r))
			return;
		r.mnemonic = ZYDIS_MNEMONIC_MOV;
		r.operand_count = 2;
		r.operands[1] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_IMMEDIATE,
						       .imm.s = value };
		made.to = value;
		if (mutant_encode(in, &r, &made))
			mutants_take(all, in, &made);
	}
}

static void add_dropped(const struct insn *in, GArray *all)
{
	struct mutant never = mutant_of(in, MUTANT_DROPPED), always = never;

	add_fixed(in, all);
	if (in->i.meta.category != ZYDIS_CATEGORY_COND_BR || code_offset(in) < 0)
		return;
	never.size = always.size = never.length;
	always.to = 1;
	memset(never.bytes, 0x90, never.length);
	memcpy(always.bytes, in->bytes, always.length);
	if (in->i.length == SHORT_JUMP) {
		always.bytes[0] = 0xeb;
	} else {
		always.bytes[0] = 0x90; /* the offset counts from the end of the instruction, as
					 * before */
		always.bytes[1] = 0xe9;
	}
	mutants_take(all, in, &never);
	mutants_take(all, in, &always);
}

/* A jump whose target is too far for its bytes is executed elsewhere. */
static bool write_jump(const struct insn *in, uint8_t code, uint64_t target, struct mutant *m)
{
	int64_t offset = (int64_t)(target - (in->addr + in->i.length));

	m->size = m->length;
	if (in->i.length == SHORT_JUMP && offset >= INT8_MIN && offset <= INT8_MAX) {
		m->bytes[0] = 0x70 | code;
		m->bytes[1] = (uint8_t)offset;
		return true;
	}
	if (offset < INT32_MIN || offset > INT32_MAX)
		return false;
	m->bytes[0] = 0x0f;
	m->bytes[1] = 0x80 | code;
	memcpy(m->bytes + 2, &(int32_t){ (int32_t)offset }, 4);
	if (in->i.length != LONG_JUMP) {
		m->size = LONG_JUMP;
		m->link_at = 2;
		m->link_to = target;
	}
	return true;
}

/* MUTANT_BRANCH with .from 1 puts `&&' for `||' behind the condition of its branch, or the other
 * way round. */
static void add_retargeted_branches(const struct insn *in, const struct mutant_targets *targets,
				    GArray *all)
{
	const uint64_t next = in->addr + in->i.length;
	int at = code_offset(in);

	if (in->i.meta.category != ZYDIS_CATEGORY_COND_BR || at < 0)
		return;
	for (guint i = 0; i < targets->places->len; i++) {
		uint64_t target = g_array_index(targets->places, uint64_t, i);
		uint64_t now = next + (uint64_t)in->o[0].imm.value.s;

		for (uint8_t turn = 0; target != now && turn < 2; turn++) {
			struct mutant made = mutant_of(in, MUTANT_BRANCH);

			made.from = turn && target != next && in->addr < targets->last;
			if (write_jump(in, (in->bytes[at] & 15) ^ turn, target, &made))
				mutants_take(all, in, &made);
		}
	}
}

static void add_branch_target(GArray *targets, uint64_t target)
{
	for (guint i = 0; i < targets->len; i++)
		if (g_array_index(targets, uint64_t, i) == target)
			return;
	g_array_append_val(targets, target);
}

void mutants_targets_add(const struct image *im, const GArray *addrs, struct mutant_targets *to)
{
	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *t = image_insn_at(im, g_array_index(addrs, uint64_t, i));

		if (t->flow != TRACE_FLOW_COND)
			continue;
		add_branch_target(to->places, t->target);
		add_branch_target(to->places, t->addr + t->length);
		to->last = MAX(to->last, t->addr);
	}
}

void mutants_of_branch(const struct insn *in, const struct mutant_targets *targets, GArray *all)
{
	add_conditions(in, all);
	add_dropped(in, all);
	add_retargeted_branches(in, targets, all);
}
