/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Putting machine code together: for emit.c and jit-*.c. */
#ifndef GDBEXT_AGENT_JIT_EMIT_H
#define GDBEXT_AGENT_JIT_EMIT_H

#include "gdbext/agent/agent.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, N_GPR = 16 };

#define STATE_OF(reg) (8 * (int)(reg)-128)
/* From the state, an address in struct trace_head, to struct agent_thread. */
#define FROM_STATE(member)                                                     \
	((int32_t)(TRACE_STREAM_OFFSET - offsetof(struct trace_head, rflags) + \
		   offsetof(struct agent_thread, member)))

#define CALLEE_SAVED (1u << RBX | 1u << RBP | 0xf000u)
#define BIT(reg) (1u << (reg))

static inline void put1(uint8_t **at, unsigned byte)
{
	*(*at)++ = (uint8_t)byte;
}

static inline void put4(uint8_t **at, uint32_t value)
{
	__builtin_memcpy(*at, &value, 4);
	*at += 4;
}

static inline void put8(uint8_t **at, uint64_t value)
{
	__builtin_memcpy(*at, &value, 8);
	*at += 8;
}

static inline void put_bytes(uint8_t **at, const char *bytes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put1(at, (uint8_t)bytes[i]);
}
#define PUT(at, bytes) put_bytes(at, bytes, sizeof(bytes) - 1)

/* [base + disp]; base is none of rsp, r12. */
static inline void put_memory(uint8_t **at, unsigned reg, unsigned base, int32_t disp)
{
	bool small = disp >= -128 && disp < 128;

	put1(at, (small ? 0x40 : 0x80) | (reg & 7) << 3 | (base & 7));
	if (small)
		put1(at, (uint8_t)disp);
	else
		put4(at, (uint32_t)disp);
}

static inline void put_move(uint8_t **at, unsigned opcode, unsigned reg, unsigned base,
			    int32_t disp)
{
	put1(at, 0x48 | (reg >> 3) << 2 | base >> 3);
	put1(at, opcode);
	put_memory(at, reg, base, disp);
}

static inline void put_load(uint8_t **at, unsigned reg, unsigned base, int32_t disp)
{
	put_move(at, 0x8b, reg, base, disp);
}

static inline void put_store(uint8_t **at, unsigned reg, unsigned base, int32_t disp)
{
	put_move(at, 0x89, reg, base, disp);
}

/* push and pop of a register, and of [base + disp] */
static inline void put_push(uint8_t **at, unsigned reg)
{
	if (reg >= 8)
		put1(at, 0x41);
	put1(at, 0x50 | (reg & 7));
}

static inline void put_pop(uint8_t **at, unsigned reg)
{
	if (reg >= 8)
		put1(at, 0x41);
	put1(at, 0x58 | (reg & 7));
}

static inline void put_push_memory(uint8_t **at, unsigned base, int32_t disp)
{
	if (base >= 8)
		put1(at, 0x41);
	put1(at, 0xff);
	put_memory(at, 6, base, disp);
}

static inline void put_pop_memory(uint8_t **at, unsigned base, int32_t disp)
{
	if (base >= 8)
		put1(at, 0x41);
	put1(at, 0x8f);
	put_memory(at, 0, base, disp);
}

/* Registers of the set, rsp apart, from or to their places around the state. */
static inline void put_registers(uint8_t **at, bool load, unsigned set, unsigned base)
{
	for (unsigned reg = 0; reg < N_GPR; reg++)
		if (set & BIT(reg) && reg != RSP)
			put_move(at, load ? 0x8b : 0x89, reg, base, STATE_OF(reg));
}

/* The guest instruction, moved: what it addresses relative to itself stays
 * where it is, and a repetition is left out.  False when it cannot be. */
HIDDEN bool emit_guest(uint8_t **at, const struct agent_module *m, const struct trace_insn *insn);

#endif
