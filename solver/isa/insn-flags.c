/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/insn-flags.h"

/* Shifts by zero leave all flags as they were; which flags an instruction
 * leaves undefined may depend on what they were, but for the auxiliary carry
 * after a logical operation, which is cleared. */
static bool keeps_some_flags(const ZydisDecodedInstruction *i)
{
	const ZydisAccessedFlags *f = i->cpu_flags;
	ZydisAccessedFlagsMask arithmetic = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF |
					    ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
	ZydisAccessedFlagsMask written = f->modified | f->set_0 | f->set_1;

	if (i->meta.category == ZYDIS_CATEGORY_LOGICAL)
		written |= f->undefined;
	return i->meta.category == ZYDIS_CATEGORY_SHIFT ||
	       i->meta.category == ZYDIS_CATEGORY_ROTATE || (arithmetic & ~written);
}

uint8_t insn_uses_of_flags(const ZydisDecodedInstruction *i)
{
	const ZydisAccessedFlags *f = i->cpu_flags;
	bool written = f && (f->modified | f->set_0 | f->set_1 | f->undefined);

	if (!f)
		return 0;
	return (uint8_t)((f->tested ? TRACE_FLAGS_TESTED : 0) |
			 (f->tested || (written && keeps_some_flags(i)) ? TRACE_FLAGS_READ : 0) |
			 (written ? TRACE_FLAGS_WRITTEN : 0));
}

/* A shift by another number than zero sets flags. */
static bool shifts_by_constant(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	return (i->mnemonic == ZYDIS_MNEMONIC_SHL || i->mnemonic == ZYDIS_MNEMONIC_SHR ||
		i->mnemonic == ZYDIS_MNEMONIC_SAR) &&
	       o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       o[1].imm.value.u & (i->operand_width == 64 ? 63 : 31);
}

static uint8_t sure_flags_of(ZydisAccessedFlagsMask flags)
{
	return (uint8_t)((flags & ZYDIS_CPUFLAG_CF ? TRACE_SURE_C : 0) |
			 (flags & ZYDIS_CPUFLAG_PF ? TRACE_SURE_P : 0) |
			 (flags & ZYDIS_CPUFLAG_ZF ? TRACE_SURE_Z : 0) |
			 (flags & ZYDIS_CPUFLAG_SF ? TRACE_SURE_S : 0) |
			 (flags & ZYDIS_CPUFLAG_OF ? TRACE_SURE_O : 0));
}

uint8_t insn_sure_flags(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			const struct trace_insn *insn)
{
	const ZydisAccessedFlags *f = i->cpu_flags;
	ZydisAccessedFlagsMask set = f ? (f->modified | f->set_0 | f->set_1) & ~f->undefined : 0;

	if (insn->rep != TRACE_REP_NONE || insn->flags & TRACE_INSN_UNSUPPORTED)
		return 0;
	if (!(insn->flags & TRACE_INSN_PLAIN))
		return insn->out_flags ? sure_flags_of(~(ZydisAccessedFlagsMask)0) : 0;
	if (i->meta.category == ZYDIS_CATEGORY_ROTATE)
		return 0;
	if (i->meta.category == ZYDIS_CATEGORY_SHIFT)
		set = shifts_by_constant(i, o) ? ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF : 0;
	return sure_flags_of(set);
}
