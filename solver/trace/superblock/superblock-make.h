/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A superblock, a piece of straight code, as one list of operations on 64-bit slots, which
 * superblock.c executes at once.  It changes state and memory as its instructions do
 * one by one.  It leaves out what is needed only to look at the state between two of
 * them, or to check what the record says itself (which way a branch went).
 *
 * Registers live in slots: the first use of one is a SUPERBLOCK_GET, and those that
 * changed are put back at the end.  Example, `mov -4(%rbp),%eax; add $1,%eax`:
 *
 *     1 GET  [rbp]              4 PUT [rax] 3     (mov's own value of rax, and the
 *     2 LOAD 4 bytes at 1 + 9   5 PUT [cc_op] 10   rip and flags of all but the last
 *     3 ADD  2 + 8, 32 bits     6 PUT …            instruction, are left out)
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_SUPERBLOCK_MAKE_H
#define SOLVER_TRACE_SUPERBLOCK_SUPERBLOCK_MAKE_H

#include "solver/trace/private.h"

enum superblock_kind {
	/* below this number: the operators of ir.h by their own numbers, up to 64 bits */
	SUPERBLOCK_GET = IR_UNKNOWN + 1, /* dst = state[value] */
	SUPERBLOCK_PUT,			 /* state[value] = a */
	SUPERBLOCK_INSERT,		 /* dst = a, but b << c where value has one bits */
	/* of instruction c; all operations from here on have effects */
	SUPERBLOCK_LOAD,	 /* dst = .size bytes at a; d: enum superblock_load */
	SUPERBLOCK_STORE,	 /* .size bytes at a = b; d: TRACE_MEM_MIRRORED */
	SUPERBLOCK_STORE_VECTOR, /* .size bytes at a = state[value]; they are known if the d
				  * bytes of state[c] are */
	SUPERBLOCK_TAKE,	 /* dst = 8 bytes of the record */
	SUPERBLOCK_TAKE_VECTOR, /* state[value] = .size bytes of the record, of which 32 are kept */
	SUPERBLOCK_SKIP,	/* .value bytes of the record; d: they are an address */
	SUPERBLOCK_BRANCH,	/* it is taken if a is not c, which is not recorded */
};

enum superblock_load {
	SUPERBLOCK_KNOWN = 1,	  /* TRACE_MEM_KNOWN */
	SUPERBLOCK_ADDRESSED = 2, /* TRACE_ADDRESSES: it is recorded, behind its address */
	SUPERBLOCK_MIRRORED = 4,  /* TRACE_MEM_MIRRORED */
};

struct superblock_op {
	uint8_t kind, size; /* IR_COND: the condition */
	uint16_t dst, a, b, c, d;
	uint64_t value; /* operators: what is kept of the result */
};

enum superblock_end {
	SUPERBLOCK_GOES_ON,  /* to .follows */
	SUPERBLOCK_BRANCHES, /* as the record says */
	SUPERBLOCK_INFERS, /* as its SUPERBLOCK_BRANCH says, or as the record does where that has it
			    */
	SUPERBLOCK_JUMPS,  /* to .target; also calls */
	SUPERBLOCK_COMPUTED, /* the record says where to go */
	SUPERBLOCK_RETURNS,
};

struct superblock_code {
	uint32_t n_ops, n_insns, n_stores, n_loads;
	enum superblock_end end;
	uint64_t follows, target; /* runtime */
	struct superblock_op *ops;
	uint64_t *slots; /* constants, in the slots where they are needed */
	struct trace_decoded *insns;
};

/* superblock-check.c */
bool superblock_can(struct trace_cursor *c, const struct trace_decoded *d);
bool superblock_is_computed(const struct trace_insn *insn);
/* The one memory operand that is read; NULL = there is none. */
const struct trace_mem *superblock_read_operand(const struct trace_insn *insn);
/* The bytes of a vector register that come from this IR_GET. */
struct superblock_part {
	unsigned offset, size, of_offset, of_size;
};
bool superblock_vector_part(const struct ir_block *ir, int32_t temp, struct superblock_part *out);

typedef bool superblock_ends_fn(uint64_t pc, void *arg);

/* Makes the superblock that starts at pc, of up to `most` instructions.  ends: an instruction for
 * which this holds only stands first in a superblock.  NULL when the first instruction cannot be
 * translated. */
struct superblock_code *superblock_code_new(struct trace_cursor *c, uint64_t pc, unsigned most,
					    superblock_ends_fn *ends, void *arg);
void superblock_code_free(struct superblock_code *b);

#endif
