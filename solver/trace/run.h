/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded run, re-computed.  struct trace_run is the record on disk
 * (solver/format/trace.h has the format).  struct trace_cursor walks one thread of it
 * an instruction at a time and keeps the registers and the memory that are known, so
 * that at each step one can ask what the program did and why (operands, results, flow).
 *
 * Memory: a byte is known once traced code has stored or loaded it.  When the recorded
 * bytes of a load differ from what was known, or were not known, somebody else has
 * changed them.  The step then marks these bytes `outside`: they are inputs.
 */
#ifndef SOLVER_TRACE_RUN_H
#define SOLVER_TRACE_RUN_H

#include "solver/base/deadline.h"
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "solver/isa/eval.h"
#include "solver/isa/lift.h"

#include <glib.h>

#define TRACE_ERROR trace_error_quark()
GQuark trace_error_quark(void);
enum trace_error {
	TRACE_ERROR_OPEN,   /* no such record, or not readable */
	TRACE_ERROR_FORMAT, /* truncated, altered, of another version */
	TRACE_ERROR_CHECK,  /* re-computation and record differ */
	TRACE_ERROR_LONG,   /* the run is too long for what was asked */
};

/* A module that was traced: its image and where it was loaded. */
struct trace_module {
	struct image *image; /* not owned */
	uint64_t bias;
};

struct trace_run;

/* Maps the record in directory (trace.0 …).  images: in the plan's module
 * order, n_images of them, not owned, must outlive the run. */
struct trace_run *trace_run_open(const char *directory, struct image *const *images,
				 size_t n_images, GError **error);
void trace_run_free(struct trace_run *r);
/* Its cursors end with a DEADLINE_ERROR then.  Not owned; NULL = never. */
void trace_run_end_at(struct trace_run *r, const struct deadline *until);
unsigned trace_run_threads(const struct trace_run *r);
/* Chooses the thread that is asked about; without a call it is the main thread.  False with
 * error when the run has no such thread. */
bool trace_run_choose(struct trace_run *r, unsigned thread, GError **error);
unsigned trace_run_chosen(const struct trace_run *r);
const struct trace_head *trace_run_head(const struct trace_run *r, unsigned thread);
/* From now on, new cursors walk the steps of the chosen thread from number first on and before
 * number end, and know no memory of before.  end: 0 = to the end. */
void trace_run_narrow(struct trace_run *r, uint64_t first, uint64_t end);
/* How many instructions the thread executed before those that a cursor walks.  It is 0 without
 * --window, which keeps only the last ones, and trace_run_narrow. */
uint64_t trace_run_left_out(const struct trace_run *r, unsigned thread);
/* A byte of what the program was started with, at a runtime address: argv, or an argument's text.
 * False: it is of neither, or is not known. */
bool trace_run_started_with(const struct trace_run *r, uint64_t address, uint8_t *byte);
/* How much had been written when, in order; the number of them, 0 when that was not noted. */
size_t trace_run_output(const struct trace_run *r, unsigned thread,
			const struct trace_output **out);
/* Module that holds runtime address addr, NULL = untraced. *link gets the
 * link-time address (link may be NULL). */
const struct trace_module *trace_run_module_at(const struct trace_run *r, uint64_t addr,
					       uint64_t *link);

unsigned trace_run_modules(const struct trace_run *r); /* how many */
const struct trace_module *trace_run_module(const struct trace_run *r, unsigned number);
/* Its place in the plan's order. */
unsigned trace_run_module_number(const struct trace_run *r, const struct trace_module *m);

/* One memory operand as it was recorded. */
struct trace_read {
	uint64_t address;
	unsigned size;
	uint8_t bytes[64];
	uint64_t outside; /* bit i: byte i was not known, or was something else, before */
	bool changed;	  /* one that was known was something else */
};

enum trace_exit_kind {
	TRACE_EXIT_ON,	   /* to .next, traced */
	TRACE_EXIT_NATIVE, /* to .native, untraced, and control came back: see .enter */
	TRACE_EXIT_AWAY,   /* to .native, untraced, and control never came back: the run ends
			    * here */
	TRACE_EXIT_CUT,	   /* the record ends before or in this instruction, which was not
			    * completed */
};

/* What one instruction did.  Valid until the next call on the cursor. */
struct trace_step {
	uint64_t pc;	 /* runtime */
	uint64_t number; /* 0-based count of steps of this thread */
	const struct trace_module *module;
	const struct trace_insn *insn; /* link-time addresses inside */
	const struct ir_block *ir;     /* lifted at pc */
	const struct ir_value *temps;  /* value of each IR op that ran, ir->n_ops of them */
	uint32_t n_ran;		       /* ops [0, n_ran) ran (an IR_EXIT may have left early) */
	bool patched;		       /* not PLAIN: register outputs were taken from the record */
	bool differs; /* … and are not what the IR computes (it rounds otherwise) */
	struct trace_read reads[2];
	unsigned n_reads;
	bool taken; /* TRACE_FLOW_COND */
	enum trace_exit_kind exit_kind;
	uint64_t next;		  /* where traced code goes on (after .enter if NATIVE) */
	uint64_t native;	  /* NATIVE, AWAY: the runtime address called or returned to */
	const char *native_name;  /* its symbol when known ("malloc"), else NULL */
	struct trace_enter enter; /* NATIVE: .why, .mask */
	const struct trace_async *signal; /* a handler was started after this instruction, before
					   * the next: .next is the handler, else NULL */
};

struct trace_cursor;

struct trace_cursor *trace_cursor_new(struct trace_run *r, unsigned thread, struct lift *lift);
void trace_cursor_free(struct trace_cursor *c);
/* Another cursor at the same place, which goes on independently, with the same actions. */
struct trace_cursor *trace_cursor_copy(const struct trace_cursor *c);
/* Both keep in one place what they know of instructions: for cursors that go the same way.  They
 * were made with the same lift. */
void trace_cursor_share(struct trace_cursor *c, const struct trace_cursor *with);
/* Steps do not fail any more because time is up: for a short way that was gone before. */
void trace_cursor_ignore_deadline(struct trace_cursor *c);
/* Bytes of memory that the cursor had to copy because a copy of it still holds the old ones. */
uint64_t trace_cursor_copied(const struct trace_cursor *c);

/* Where control is (a runtime address); 0 at the end.  At an instruction that was not completed
 * it becomes 0 with the call of trace_cursor_step that says so. */
uint64_t trace_cursor_pc(const struct trace_cursor *c);
uint64_t trace_cursor_number(const struct trace_cursor *c); /* the next step's */
/* Guest state before the next step, layout of ir.h (hardware-order registers). */
const uint8_t *trace_cursor_state(const struct trace_cursor *c);
uint64_t trace_cursor_reg(const struct trace_cursor *c,
			  enum trace_reg reg); /* incl. TRACE_RFLAGS */
/* Are these bytes of the state known?  (Vector registers are not always.) */
bool trace_cursor_state_known(const struct trace_cursor *c, unsigned offset, unsigned size);
/* Copies bytes of memory that are known; false when any is not known. */
bool trace_cursor_read(const struct trace_cursor *c, uint64_t addr, size_t size, uint8_t *out);
/* The same, but a byte that no traced code touched has its value in the module's file, so that
 * an array can be read of which only some elements were written, or that with which the program was
 * started.  module NULL = there is no such file. */
bool trace_cursor_read_initial(const struct trace_cursor *c, const struct trace_module *module,
			       uint64_t addr, size_t size, uint8_t *out);

/* Executes one instruction.  Returns 1 with *step filled, 0 at the end of the
 * record (step->exit_kind says how the last one ended), -1 with error when the
 * record makes no sense (TRACE_ERROR_FORMAT) or, with check on, disagrees
 * (TRACE_ERROR_CHECK; the message names function, file, line). */
int trace_cursor_step(struct trace_cursor *c, struct trace_step *step, GError **error);

/* Turns the self-check on: every recorded branch outcome and indirect target and, when the
 * record has TRACE_ADDRESSES, every address must be what the re-computation gives.  When it is
 * off, the record is believed. */
void trace_cursor_set_check(struct trace_cursor *c, bool on);

/* Tells the cursor which actions of the plan the run was made with (not owned; they must
 * outlive c).  This is needed for a record of a run with TRACE_ACTION_REG or TRACE_ACTION_MEM,
 * because the record does not tell what an action wrote.  Call it before the first step. */
void trace_cursor_set_actions(struct trace_cursor *c, const struct trace_action *actions,
			      size_t n_actions);

/* A frame for image_locate and friends at the cursor's place. */
struct image_frame trace_cursor_frame(const struct trace_cursor *c);

#endif
