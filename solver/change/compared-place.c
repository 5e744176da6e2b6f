/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/compared-place.h"

#include "solver/change/code/mutant-insn.h"

/* False: it is no general register, or only the second byte of one. */
static bool find_register_number(ZydisRegister r, unsigned *out)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15 ||
	    (r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH))
		return false;
	*out = (unsigned)(whole - ZYDIS_REGISTER_RAX);
	return true;
}

static bool asks_whether_equal(const struct insn *in)
{
	switch (in->i.mnemonic) {
	case ZYDIS_MNEMONIC_JZ:
	case ZYDIS_MNEMONIC_JNZ:
	case ZYDIS_MNEMONIC_SETZ:
	case ZYDIS_MNEMONIC_SETNZ:
	case ZYDIS_MNEMONIC_CMOVZ:
	case ZYDIS_MNEMONIC_CMOVNZ:
		return true;
	default:
		return false;
	}
}

static bool memory_place(const struct insn *in, const ZydisDecodedOperandMem *m, struct watch *out)
{
	out->kind = WATCH_MEMORY;
	out->reg = TRACE_NOTE_NONE;
	out->disp = m->disp.value;
	if (m->index != ZYDIS_REGISTER_NONE || m->segment == ZYDIS_REGISTER_FS)
		return false;
	if (m->base != ZYDIS_REGISTER_RIP)
		return find_register_number(m->base, &out->reg);
	out->disp += (int64_t)(in->addr + in->i.length);
	return true;
}

bool compared_place(const struct image *im, uint64_t addr, struct watch *out)
{
	struct insn in, next;
	const ZydisDecodedOperand *what = &in.o[0];

	if (!mutant_decode(im, addr, &in) || in.i.mnemonic != ZYDIS_MNEMONIC_CMP ||
	    in.o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !mutant_decode(im, addr + in.i.length, &next) || !asks_whether_equal(&next))
		return false;
	*out = (struct watch){ .size = what->size / 8u, .is_signed = true };
	if (what->type == ZYDIS_OPERAND_TYPE_MEMORY)
		return memory_place(&in, &what->mem, out);
	out->kind = WATCH_REGISTER;
	return what->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       find_register_number(what->reg.value, &out->reg);
}
