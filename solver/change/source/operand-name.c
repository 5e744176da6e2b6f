/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/operand-name.h"

/* Addresses in a frame count from here. */
static const uint64_t FRAME = UINT64_C(0x5a00) << 32;

bool operand_lvalue(const struct image *im, uint64_t pc, ZydisRegister base, int64_t at,
		    unsigned bytes, struct image_lvalue *out)
{
	const bool of_stack = base == ZYDIS_REGISTER_RSP;
	const struct image_frame frame = { .pc = pc,
					   .regs[TRACE_RBP] = of_stack ? 0 : FRAME,
					   .regs[TRACE_RSP] = of_stack ? FRAME : 0 };

	if (base != ZYDIS_REGISTER_RIP && base != ZYDIS_REGISTER_RBP && !of_stack)
		return false;
	return image_name_memory(
		im, &frame, (uint64_t)at + (base == ZYDIS_REGISTER_RIP ? 0 : FRAME), bytes, out);
}

char *operand_name(const struct image *im, const struct insn *in, const ZydisDecodedOperand *o)
{
	const bool is_fixed = o->mem.base == ZYDIS_REGISTER_RIP;
	const uint64_t end = is_fixed ? in->addr + in->i.length : 0;
	struct image_lvalue l;
	char *name = NULL;

	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.index != ZYDIS_REGISTER_NONE ||
	    o->mem.base == ZYDIS_REGISTER_RSP ||
	    !operand_lvalue(im, in->addr, o->mem.base, (int64_t)((uint64_t)o->mem.disp.value + end),
			    o->size / 8, &l))
		return NULL;
	if (image_name_is_of_source(l.text))
		name = g_strdup(l.text);
	image_lvalue_clear(&l);
	return name;
}

char *operand_name_stored(const struct image *im, uint64_t addr)
{
	struct insn in;

	if (!mutant_decode(im, addr, &in) || !in.i.operand_count_visible ||
	    !(in.o[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return NULL;
	return operand_name(im, &in, &in.o[0]);
}

bool operand_stores_real(const struct image *im, uint64_t addr)
{
	struct image_lvalue l;
	struct insn in;
	bool real;

	if (!mutant_decode(im, addr, &in) || !in.i.operand_count_visible ||
	    in.o[0].type != ZYDIS_OPERAND_TYPE_MEMORY || in.o[0].mem.index != ZYDIS_REGISTER_NONE ||
	    !operand_lvalue(im, addr, in.o[0].mem.base, in.o[0].mem.disp.value, in.o[0].size / 8,
			    &l))
		return false;
	real = l.type && l.type->kind == IMAGE_TYPE_FLOAT;
	image_lvalue_clear(&l);
	return real;
}
