/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/mutant-insn.h"

#include <string.h>

bool mutant_decode(const struct image *im, uint64_t addr, struct insn *in)
{
	ZydisDecoder decoder;
	size_t avail = 0;

	in->addr = addr;
	in->bytes = image_bytes(im, addr, &avail);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	return in->bytes && ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, in->bytes,
								MIN(avail, 15u), &in->i, in->o));
}

/* `mov %rsp,%rbp', `lea 16(%rsp),%rbp' */
static bool takes_stack_pointer(const struct insn *in)
{
	const ZydisDecodedOperand *from = &in->o[1];

	return (in->i.mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		from->reg.value == ZYDIS_REGISTER_RSP) ||
	       (in->i.mnemonic == ZYDIS_MNEMONIC_LEA && from->mem.base == ZYDIS_REGISTER_RSP);
}

/* Moves of the stack pointer and the code that keeps a frame belong to no statement.  Code without
 * a frame has variables in rbp. */
bool insn_is_housekeeping(const struct insn *in)
{
	const ZydisDecodedOperand *to = &in->o[0];
	const bool to_register =
		in->i.operand_count_visible && to->type == ZYDIS_OPERAND_TYPE_REGISTER;

	return in->i.meta.category == ZYDIS_CATEGORY_PUSH ||
	       in->i.meta.category == ZYDIS_CATEGORY_POP ||
	       in->i.mnemonic == ZYDIS_MNEMONIC_LEAVE ||
	       (to_register && to->reg.value == ZYDIS_REGISTER_RSP) ||
	       (to_register && to->reg.value == ZYDIS_REGISTER_RBP && takes_stack_pointer(in));
}

/* Granlund and Montgomery, "Division by invariant integers using multiplication", 1994. */
bool insn_is_reciprocal(int64_t value)
{
	const unsigned __int128 least = 1 << 24, most_divisor = 10000, one = 1;
	bool narrow = value == (int32_t)value || value == (uint32_t)value;
	unsigned __int128 c = narrow ? (uint32_t)value : (uint64_t)value;

	for (unsigned n = narrow ? 32 : 64; c >= least && n < (narrow ? 64 : 96); n++) {
		unsigned __int128 power = one << n, divisor = (power + c / 2) / c;
		unsigned __int128 product = divisor * c,
				  off = product > power ? product - power : power - product;

		/* a power of 2 is divided by with a shift */
		if (divisor <= most_divisor && (divisor & (divisor - 1)) != 0 && off &&
		    off <= divisor)
			return true;
	}
	return false;
}

bool insn_has_one_register(const struct insn *in, ZydisMnemonic mnemonic)
{
	return in->i.mnemonic == mnemonic && in->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       in->o[0].reg.value == in->o[1].reg.value;
}

bool insn_is_rip_relative(const struct insn *in)
{
	return in->i.attributes & ZYDIS_ATTRIB_IS_RELATIVE;
}

struct mutant mutant_of(const struct insn *in, enum mutant_kind kind)
{
	return (struct mutant){ .kind = kind, .addr = in->addr, .length = in->i.length };
}

bool mutant_request(const struct insn *in, ZydisEncoderRequest *r)
{
	return ZYAN_SUCCESS(ZydisEncoderDecodedInstructionToEncoderRequest(
		&in->i, in->o, in->i.operand_count_visible, r));
}

bool mutant_encode(const struct insn *in, const ZydisEncoderRequest *r, struct mutant *m)
{
	ZyanUSize size = sizeof m->bytes - m->size;

	if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(r, m->bytes + m->size, &size)))
		return false;
	m->size += (uint8_t)size;
	return !insn_is_rip_relative(in) || m->size == m->length;
}

void mutants_take(GArray *all, const struct insn *in, const struct mutant *m)
{
	if (m->size != m->length || memcmp(m->bytes, in->bytes, m->size) != 0)
		g_array_append_val(all, *m);
}

bool insn_tests_zero(const struct insn *in)
{
	return insn_has_one_register(in, ZYDIS_MNEMONIC_TEST);
}

bool insn_adds_to_itself(const struct insn *in)
{
	return insn_has_one_register(in, ZYDIS_MNEMONIC_ADD) && in->o[0].size >= 32;
}

bool insn_stores_zero(const struct insn *in)
{
	return insn_has_one_register(in, ZYDIS_MNEMONIC_XOR) && in->o[0].size == 32;
}

enum mutant_use mutant_use_of_constant(const struct image *im, uint64_t addr)
{
	struct insn in;

	if (!mutant_decode(im, addr, &in))
		return MUTANT_USES_ELSE;
	if (insn_adds_to_itself(&in))
		return MUTANT_DOUBLES;
	switch (in.i.mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_LEA:
		return MUTANT_ADDS;
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
		return MUTANT_SHIFTS;
	default:
		return MUTANT_USES_ELSE;
	}
}
