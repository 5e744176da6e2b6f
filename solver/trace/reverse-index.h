/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread's run, to be asked backwards: which step wrote this register or this
 * memory last before that step?  While the run is re-computed, by strides where
 * that is possible, it is cut into windows; of each, a copy of the cursor at its
 * start and a rough table of what was written in it are kept.  A window's log of
 * its steps is made when it is asked for, by re-computing it step by step: some
 * hundredths of a second for each window that a question may concern.
 *
 *     while (…) {
 *             history_before(h, cursor);
 *             if (trace_stride(strides, cursor, &stride, …) == 1) {
 *                     history_after_stride(h, cursor, strides, &stride);
 *             } else {
 *                     trace_cursor_step(cursor, &step, …);
 *                     history_after(h, cursor, &step);
 *             }
 *     }
 *     history_find(h, …);
 */
#ifndef SOLVER_TRACE_REVERSE_INDEX_H
#define SOLVER_TRACE_REVERSE_INDEX_H

#include "solver/trace/superblock.h"

/* Where values lie: general registers as in enum trace_reg, the flags as
 * TRACE_RFLAGS, vector registers from TRACE_XMM0 on; or memory. */
struct history_place {
	bool memory;
	unsigned reg;
	uint64_t address;
	unsigned size; /* bytes, of memory */
};

/* An instruction, once for each address. */
struct history_site {
	uint64_t pc; /* runtime */
	const struct trace_module *module;
	const struct trace_insn *insn;
	const struct ir_block *ir;
	uint64_t writes;	      /* bit r: register r */
	int32_t stores[4], values[4]; /* ops of .ir: of addresses, of what is stored */
	uint8_t n_stores;
};

enum history_event_kind {
	HISTORY_LOAD,
	HISTORY_CHANGED, /* a load of what others wrote */
	HISTORY_STORE,
};

struct history_event {
	uint64_t address, value; /* its first 8 bytes */
	uint32_t step;		 /* in the window */
	uint8_t size, kind;
};

struct history_step {
	uint32_t site, event; /* number; of its first event */
	uint32_t depth;	      /* open calls */
	uint32_t entered;     /* bit r: register r came from untraced code */
	uint64_t rbp, rsp;    /* before it */
	uint64_t value;	      /* of the register that it wrote, afterwards; COND: was it taken? */
};

struct history;

/* window: steps, 0 = some 100,000, more when the run is long.  Nothing is owned. */
struct history *history_new(uint32_t window);
void history_free(struct history *h);

void history_before(struct history *h, const struct trace_cursor *c);
void history_after(struct history *h, const struct trace_cursor *c, const struct trace_step *step);
void history_after_stride(struct history *h, const struct trace_cursor *c,
			  const struct trace_strides *s, const struct trace_stride *stride);
uint64_t history_steps(const struct history *h);

/* A step's entry, its site and its events; valid until another step is asked
 * for.  number < history_steps. */
const struct history_step *history_at(struct history *h, uint64_t number);
const struct history_site *history_site_of(const struct history *h, const struct history_step *s);
const struct history_event *history_events(struct history *h, uint64_t number, unsigned *n);

enum history_found {
	HISTORY_NOTHING, /* not since the thread began */
	HISTORY_WRITTEN, /* by *number */
	HISTORY_ENTERED, /* untraced code that *number called or returned to left it in the
			  * register */
	HISTORY_OUTSIDE, /* memory: others wrote it before *number loaded it */
};
/* Who wrote any of the place last before a step.  *event: the store, for memory. */
enum history_found history_find(struct history *h, const struct history_place *place,
				uint64_t before, uint64_t *number, struct history_event *event);

/* Whether the thread ever executed the instruction at this runtime address. */
bool history_met(const struct history *h, uint64_t pc);
/* The last step before one that is one of the n sites'; UINT64_MAX when none is. */
uint64_t history_find_site(struct history *h, uint64_t before, const uint64_t *pcs, unsigned n);

/* The last step before one, at the given depth, that is one of the n sites' (by
 * runtime address); UINT64_MAX when there is none since the call that opened that
 * depth.  *call: that call's step, UINT64_MAX = it is not in the record. */
uint64_t history_find_branch(struct history *h, uint64_t before, uint32_t depth,
			     const uint64_t *pcs, unsigned n, uint64_t *call);

#endif
