/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/value-site.h"

#include "solver/format/trace.h"
#include "solver/image/variable/variable.h"

#include <Zydis/Zydis.h>
#include <string.h>

struct decoded {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	const uint8_t *bytes;
};

static bool decode_site(const struct image *im, uint64_t addr, struct decoded *d)
{
	ZydisDecoder decoder;
	size_t avail = 0;

	d->bytes = image_bytes(im, addr, &avail);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	return d->bytes && ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, d->bytes, MIN(avail, 15u),
							       &d->i, d->o));
}

/* -1: it is no general register, or only the second byte of one. */
static int number_of_register(ZydisRegister r)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15 ||
	    (r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH))
		return -1;
	return whole - ZYDIS_REGISTER_RAX;
}

static ZydisRegister part_of_r11(unsigned width)
{
	return width == 8    ? ZYDIS_REGISTER_R11B
	       : width == 16 ? ZYDIS_REGISTER_R11W
	       : width == 32 ? ZYDIS_REGISTER_R11D
			     : ZYDIS_REGISTER_R11;
}

/* A store to the same place with r11 as its source, in which unoptimized code keeps nothing.  A
 * distance from the program counter counts from the end of the instruction, so it changes with the
 * instruction's length. */
static bool store_r11(const struct decoded *d, struct value_site *out)
{
	ZydisEncoderRequest r;
	int64_t more = 0;

	for (int round = 0; round < 2; round++) {
		ZyanUSize size = sizeof out->bytes;

		if (!ZYAN_SUCCESS(
			    ZydisEncoderDecodedInstructionToEncoderRequest(&d->i, d->o, 2, &r)))
			return false;
		r.mnemonic = ZYDIS_MNEMONIC_MOV;
		r.operands[1] = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER,
						       .reg.value = part_of_r11(out->width) };
		r.operands[0].mem.displacement += more;
		if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&r, out->bytes, &size)))
			return false;
		out->size = (uint8_t)size;
		if (d->o[0].mem.base != ZYDIS_REGISTER_RIP)
			break;
		more = d->i.length - (int64_t)size;
	}
	out->reg = TRACE_R11;
	return true;
}

bool value_site_of_store(const struct image *im, uint64_t addr, struct value_site *out)
{
	struct decoded d;
	int reg;

	if (!decode_site(im, addr, &d) || d.i.mnemonic != ZYDIS_MNEMONIC_MOV ||
	    d.o[0].type != ZYDIS_OPERAND_TYPE_MEMORY || d.o[0].mem.base == ZYDIS_REGISTER_RSP ||
	    d.o[0].mem.segment == ZYDIS_REGISTER_FS)
		return false;
	*out = (struct value_site){
		.addr = addr, .length = d.i.length, .stores = true, .width = (uint8_t)d.o[0].size
	};
	if (d.o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		out->is_constant = true;
		out->constant = d.o[1].imm.value.s;
		return store_r11(&d, out);
	}
	reg = d.o[1].type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of_register(d.o[1].reg.value)
							 : -1;
	if (reg < 0)
		return false;
	out->reg = (uint8_t)reg;
	out->size = d.i.length;
	memcpy(out->bytes, d.bytes, d.i.length);
	return true;
}

bool value_site_of_step(const struct image *im, uint64_t addr, struct value_site *out)
{
	struct decoded d;

	if (!decode_site(im, addr, &d) ||
	    (d.i.mnemonic != ZYDIS_MNEMONIC_ADD && d.i.mnemonic != ZYDIS_MNEMONIC_SUB) ||
	    d.o[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
	    d.o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE || d.o[0].mem.base == ZYDIS_REGISTER_RSP)
		return false;
	*out = (struct value_site){
		.addr = addr, .length = d.i.length, .stores = true, .width = (uint8_t)d.o[0].size
	};
	return store_r11(&d, out);
}

/* Does it put a value into the general register? */
static bool writes_register(const struct decoded *d, int reg)
{
	return d->i.operand_count_visible && d->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->o[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
	       number_of_register(d->o[0].reg.value) == reg;
}

static struct value_site computed_by(const struct decoded *d, uint64_t addr, int reg)
{
	struct value_site site = { .addr = addr,
				   .length = d->i.length,
				   .size = d->i.length,
				   .reg = (uint8_t)reg,
				   .width = (uint8_t)d->o[0].size };

	memcpy(site.bytes, d->bytes, d->i.length);
	return site;
}

bool value_site_of_return(const struct image *im, const GArray *addrs, struct value_site *out)
{
	const struct image_function *function =
		addrs->len ? image_function_at(im, g_array_index(addrs, uint64_t, 0)) : NULL;
	const struct image_type *type;
	struct decoded d;
	guint i = addrs->len;
	uint64_t addr;

	do {
		if (!i)
			return false;
		addr = g_array_index(addrs, uint64_t, --i);
		if (!decode_site(im, addr, &d))
			return false;
	} while (d.i.meta.category == ZYDIS_CATEGORY_UNCOND_BR);
	*out = computed_by(&d, addr, TRACE_RAX);
	if (d.i.meta.category != ZYDIS_CATEGORY_CALL)
		return writes_register(&d, TRACE_RAX);
	/* what the call returned is returned */
	type = function ? image_return_type(im, function) : NULL;
	out->width = type ? (uint8_t)(8 * type->size) : 0;
	return type && type->size <= 8;
}

static const char *called_there(const struct image *im, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(im, addr);
	const struct image_function *f;

	if (!insn || insn->flow != TRACE_FLOW_CALL)
		return NULL;
	f = image_function_at(im, insn->target);
	return f ? f->name : image_native_name(im, insn->target);
}

static void note_call(const struct image *im, const GArray *addrs, guint call,
		      struct value_site *out)
{
	out->callee = called_there(im, g_array_index(addrs, uint64_t, call));
	for (guint i = 0; i < addrs->len; i++) {
		const uint64_t addr = g_array_index(addrs, uint64_t, i);
		const struct trace_insn *insn = image_insn_at(im, addr);

		const bool alike = g_strcmp0(called_there(im, addr), out->callee) == 0;

		out->calls += insn && insn->flow == TRACE_FLOW_CALL;
		out->alike += alike;
		out->call += i <= call && alike;
	}
}

bool value_site_of_argument(const struct image *im, const GArray *addrs, guint call,
			    unsigned argument, struct value_site *out)
{
	static const int registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };
	struct decoded d;

	for (guint i = call; argument && argument <= G_N_ELEMENTS(registers) && i > 0; i--) {
		uint64_t addr = g_array_index(addrs, uint64_t, i - 1);

		if (!decode_site(im, addr, &d) || d.i.meta.category == ZYDIS_CATEGORY_CALL)
			return false;
		if (!writes_register(&d, registers[argument - 1]))
			continue;
		if (d.o[0].size < 32)
			return false;
		*out = computed_by(&d, addr, registers[argument - 1]);
		out->argument = (uint8_t)argument;
		if (call < addrs->len)
			note_call(im, addrs, call, out);
		out->is_constant = d.i.mnemonic == ZYDIS_MNEMONIC_MOV &&
				   d.o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
		out->constant = out->is_constant ? d.o[1].imm.value.s : 0;
		return true;
	}
	return false;
}
