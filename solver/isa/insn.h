/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding of x86-64 instructions: the one door to Zydis.  The result is the
 * description that the recorder and the re-computation share
 * (solver/format/trace.h), so both read the same operands in the same order.
 */
#ifndef SOLVER_ISA_INSN_H
#define SOLVER_ISA_INSN_H

#include "solver/format/trace.h"

#include <stdbool.h>
#include <stddef.h>

/* Decodes the instruction at link-time address addr from bytes[0, avail).
 * False when the bytes are no instruction. */
bool insn_decode(const uint8_t *bytes, size_t avail, uint64_t addr, struct trace_insn *out);

/* Effective runtime address of a memory operand.  regs: 16 general registers. */
uint64_t insn_address(const struct trace_mem *mem, const uint64_t regs[16], uint64_t bias,
		      uint64_t fs_base, uint64_t gs_base);

/* Intel-syntax text for debug output; returns buf. */
const char *insn_text(const uint8_t *bytes, size_t avail, uint64_t addr, char *buf, size_t size);

#endif
