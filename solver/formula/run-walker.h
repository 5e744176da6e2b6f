/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run on its way through the walk: its cursor, its frames, and how often
 * each instruction was executed so far.
 */
#ifndef SOLVER_FORMULA_RUN_WALKER_H
#define SOLVER_FORMULA_RUN_WALKER_H

#include "solver/formula/walk.h"
#include "solver/image/variable/variable.h"

/* An open call. */
struct walker_frame {
	uint64_t slot;			   /* where its return address lies */
	const struct trace_module *module; /* the caller's function, NULL = it is not traced */
	struct image_frame caller;	   /* when it called */
};

/* How often each instruction was executed, by each of the walkers of a walk: they mostly ask for
 * the same instruction one after the other. */
struct walker_counts;
struct walker_counts *walker_counts_new(unsigned walkers);
void walker_counts_free(struct walker_counts *c);

struct walker_execution {
	const struct image_statement *statement; /* NULL = none */
	uint64_t pc, nth;
};

struct run_walker {
	unsigned number; /* of the run */
	const struct walk_run *run;
	struct trace_cursor *cursor;
	struct trace_step step;
	uint64_t before[16]; /* general registers before the step */
	GArray *frames;	     /* struct walker_frame: open calls, innermost last */
	unsigned around;     /* calls that were open when the record began, and of which it does
			      * not tell */
	unsigned depth;	     /* open calls before the step */
	struct walker_counts *counts; /* of all walkers; not owned */
	GArray *at_work; /* struct walker_execution: for each depth, the statement that is
			  * being executed */
	bool ended;
};

/* number: from 0, less than the walkers of counts. */
struct run_walker *walker_new(const struct walk_run *run, unsigned number,
			      struct walker_counts *counts, const struct limits *limits,
			      struct lift *lift);
void walker_free(struct run_walker *l);

/* Goes on by one instruction.  1, 0 at the end, -1 with error. */
int walker_step(struct run_walker *l, GError **error);
/* How often the instruction at pc has been executed, this step included. */
uint64_t walker_count(const struct run_walker *l, uint64_t pc);
unsigned walker_depth(const struct run_walker *l);
/* The execution of its statement to which the step belongs, from 1.  A statement that a call
 * interrupts goes on afterwards in the same execution.  Call it for every step, or for none. */
uint64_t walker_execution(struct run_walker *l, const struct image_statement *statement);
/* The caller of the open call in whose frame this address of the stack lies, or NULL. */
const struct walker_frame *walker_frame_around(const struct run_walker *l, uint64_t address);

#endif
