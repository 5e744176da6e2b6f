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

/* Moves of the stack pointer and the code that keeps a frame belong to no statement. */
bool insn_is_housekeeping(const struct insn *in)
{
	const ZydisDecodedOperand *to = &in->o[0];

	return in->i.meta.category == ZYDIS_CATEGORY_PUSH ||
	       in->i.meta.category == ZYDIS_CATEGORY_POP ||
	       in->i.mnemonic == ZYDIS_MNEMONIC_LEAVE ||
	       (in->i.operand_count_visible && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		(to->reg.value == ZYDIS_REGISTER_RSP || to->reg.value == ZYDIS_REGISTER_RBP));
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
