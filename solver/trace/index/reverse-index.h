/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers questions about a thread's run backwards: which step wrote this register or
 * this memory last before that step?
 *
 * While the run is re-computed, by superblocks where that is possible, it is cut into
 * windows.  For each window we keep a copy of the cursor at its start, and a rough
 * table of what was written in it.  The log of a window's steps is made when somebody
 * asks for it, by re-computing the window step by step.  That takes some hundredths of
 * a second for each window that a question may concern.
 *
 *     while (…) {
 *             reverse_index_before(h, cursor);
 *             if (superblocks_run(superblocks, cursor, &superblock, …) == 1) {
 *                     reverse_index_after_superblock(h, cursor, superblocks, &superblock);
 *             } else {
 *                     trace_cursor_step(cursor, &step, …);
 *                     reverse_index_after(h, cursor, &step);
 *             }
 *     }
 *     reverse_index_find(h, …);
 */
#ifndef SOLVER_TRACE_INDEX_REVERSE_INDEX_H
#define SOLVER_TRACE_INDEX_REVERSE_INDEX_H

#include "solver/limits/limits.h"
#include "solver/trace/superblock/memory-streams.h"
#include "solver/trace/superblock/prefix-counts.h"
#include "solver/trace/superblock/superblock.h"

/* Where values lie: general registers as in enum trace_reg, the flags as
 * TRACE_RFLAGS, vector registers from TRACE_XMM0 on; or memory. */
struct reverse_index_place {
	bool memory;
	unsigned reg;
	uint64_t address;
	unsigned size; /* bytes, of memory */
	/* The bits of it that matter, of memory of 8 bytes at most; 0 = all of them.  Who writes no
	 * others is found all the same.  Of a vector register, bit k stands for byte k. */
	uint64_t bits;
};

/* What is known of an instruction; one for each address. */
struct reverse_index_insn {
	uint64_t pc; /* runtime */
	const struct trace_module *module;
	const struct trace_insn *insn;
	const struct ir_block *ir;
	uint64_t writes;	      /* bit r: register r */
	int32_t stores[4], values[4]; /* operations of .ir: the addresses of its stores, and
				       * what they store */
	uint8_t n_stores;
};

enum reverse_index_event_kind {
	INDEX_LOAD,
	INDEX_CHANGED, /* a load of a value that untraced code or another thread wrote */
	INDEX_STORE,
};

struct reverse_index_event {
	uint64_t address, value; /* its first 8 bytes */
	uint64_t high;		 /* the 8 bytes after them */
	uint32_t step;		 /* in the window */
	uint8_t size, kind;
};

struct reverse_index_step {
	uint32_t info, event; /* number; of its first event */
	uint32_t depth;	      /* open calls */
	uint32_t entered;     /* bit r: register r came from untraced code */
	uint64_t rbp, rsp;    /* before it */
	uint64_t value;	      /* the value of the register that it wrote; for a conditional
			       * branch: was it taken? */
};

struct reverse_index;

/* limits: how long a window is at first, and how many of them there may be; they are not owned,
 * and outlive it. */
struct reverse_index *reverse_index_new(const struct limits *limits);
/* What it was made with. */
const struct limits *reverse_index_limits(const struct reverse_index *h);
void reverse_index_free(struct reverse_index *h);

void reverse_index_before(struct reverse_index *h, const struct trace_cursor *c);
void reverse_index_after(struct reverse_index *h, const struct trace_cursor *c,
			 const struct trace_step *step);
void reverse_index_after_superblock(struct reverse_index *h, const struct trace_cursor *c,
				    const struct superblocks *s,
				    const struct superblock_run *superblock);
uint64_t reverse_index_steps(const struct reverse_index *h);

/* A step's entry, its instruction and its events.  They stay valid until another step is asked
 * for.  number < reverse_index_steps. */
const struct reverse_index_step *reverse_index_at(struct reverse_index *h, uint64_t number);
const struct reverse_index_insn *reverse_index_insn_of(const struct reverse_index *h,
						       const struct reverse_index_step *s);
const struct reverse_index_event *reverse_index_events(struct reverse_index *h, uint64_t number,
						       unsigned *n);

/* A cursor that stands before the step; the caller frees it.  That takes as long as to go there
 * from the start of its window. */
struct trace_cursor *reverse_index_cursor(struct reverse_index *h, uint64_t number);
/* The streams of the run that print into memory. */
const struct memory_streams *reverse_index_streams(const struct reverse_index *h);

/* A cursor at the start of the window that has the step, and the number of its first step.  The
 * caller frees it; it obeys the deadline of the run that was walked. */
struct trace_cursor *reverse_index_window(const struct reverse_index *h, uint64_t step,
					  uint64_t *first);
/* How often each instruction was executed before the step, which is reverse_index_steps at most.
 * Free it. */
struct prefix_counts *reverse_index_counts(struct reverse_index *h, uint64_t step);

/* Both runs execute the same instructions before this step, and perhaps behind it.  That takes no
 * look at them. */
uint64_t reverse_index_same_until(const struct reverse_index *a, const struct reverse_index *b);

enum reverse_index_found {
	INDEX_NOTHING, /* nobody has written it since the thread began */
	INDEX_WRITTEN, /* by *number */
	INDEX_ENTERED, /* *number called untraced code, or returned to it, and that left the
			* value in the register */
	INDEX_OUTSIDE, /* memory: untraced code or another thread wrote it before *number loaded
			* it */
};
/* Finds who wrote any byte of the place last before a step. *event: the store, for memory. */
enum reverse_index_found reverse_index_find(struct reverse_index *h,
					    const struct reverse_index_place *place,
					    uint64_t before, uint64_t *number,
					    struct reverse_index_event *event);

/* Was the stack frame that holds this address left after the step `from', before the step `until'?
 * Then what lies there is a leftover: nobody gave it to what has the place now. */
bool reverse_index_left_frame(struct reverse_index *h, uint64_t address, uint64_t from,
			      uint64_t until);

/* Did the thread ever execute the instruction at this runtime address? */
bool reverse_index_met(const struct reverse_index *h, uint64_t pc);
/* The last step before the given one that executed one of these n instructions (by runtime
 * address), but none before the step `from'; UINT64_MAX when there is none. */
uint64_t reverse_index_find_insn(struct reverse_index *h, uint64_t from, uint64_t before,
				 const uint64_t *pcs, unsigned n);

/* The last step before the given one, at this depth of calls, that executed one of these n
 * instructions (by runtime address).  UINT64_MAX when there is none since the call that opened
 * that depth.  *call: that call's step; UINT64_MAX = it is not in the record. */
uint64_t reverse_index_find_branch(struct reverse_index *h, uint64_t before, uint32_t depth,
				   const uint64_t *pcs, unsigned n, uint64_t *call);

#endif
