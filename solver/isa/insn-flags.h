/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instruction does with the condition flags; a part of insn.c, for nobody else. */
#ifndef SOLVER_ISA_INSN_FLAGS_H
#define SOLVER_ISA_INSN_FLAGS_H

#include "solver/format/trace.h"

#include <Zydis/Zydis.h>
#include <stdbool.h>

/* struct trace_insn .use_flags */
uint8_t insn_uses_of_flags(const ZydisDecodedInstruction *i);
/* .sure_flags.  insn: its .flags, .rep and .out_flags are there.  Of what is not plain all flags
 * are in the record, so they are sure. */
uint8_t insn_sure_flags(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			const struct trace_insn *insn);

#endif
