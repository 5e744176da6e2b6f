/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cursor that goes on by superblocks, pieces of straight code, several times as fast as
 * instruction by instruction.  Afterwards it knows the same.  What is lost is the look
 * at each step: we only learn what a superblock wrote to memory.
 *
 * The record is believed, except for addresses in it: memory is read where the code
 * says.  A superblock is not possible when untraced code or a signal comes next, when
 * an instruction is not plain, or when the cursor checks, has actions or does not know
 * a register.  The function then returns 0, and trace_cursor_step has to be called:
 *
 *     r = superblocks_run(s, cursor, &superblock, error);
 *     if (r == 0)
 *             r = trace_cursor_step(cursor, &step, error);
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_SUPERBLOCK_H
#define SOLVER_TRACE_SUPERBLOCK_SUPERBLOCK_H

#include "solver/trace/run.h"

/* For the cursors of one run. */
struct superblocks;

/* Control stops before each instruction for which `ends` holds, because it only stands first in
 * a superblock.  NULL: there are no such instructions. */
typedef bool superblocks_end_fn(uint64_t pc, void *arg);
struct superblocks *superblocks_new(superblocks_end_fn *ends, void *arg);
void superblocks_free(struct superblocks *s);
/* From now on, loads of up to 8 bytes that begin in these `size` bytes of memory are noted. */
void superblocks_note_loads(struct superblocks *s, uint64_t from, uint64_t size);

struct trace_place {
	uint64_t pc; /* runtime */
	const struct trace_module *module;
	const struct trace_insn *insn;
	const struct ir_block *ir;
};

/* Memory that a superblock wrote, or that somebody else had changed before it read that. */
struct trace_effect {
	uint64_t address;
	unsigned size;
};

/* Memory that a superblock read where loads are noted. */
struct trace_load {
	uint64_t address;
	unsigned size; /* 8 at most */
	uint64_t value;
};

struct superblock_run {
	uint32_t number; /* of the superblock, from 0; the same code has the same */
	uint32_t n;	 /* instructions, all executed */
	const struct trace_insn *last;
	const struct trace_effect *effects;
	unsigned n_effects;
	const struct trace_load *loads;
	unsigned n_loads;
	const struct trace_async *signal; /* as in struct trace_step, after the last instruction */
};

/* 1: it went on, and *out is valid until the next call.  0: call trace_cursor_step.  -1 with
 * error. */
int superblocks_run(struct superblocks *s, struct trace_cursor *c, struct superblock_run *out,
		    GError **error);
/* The i-th instruction of a superblock. */
struct trace_place superblocks_place(const struct superblocks *s, uint32_t number, uint32_t i);

#endif
