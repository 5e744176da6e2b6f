/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first invalid access to memory of a recorded run, from the record alone: what memcheck
 * would say of traced code and of the library calls that it makes.
 *
 *     struct memory_finding f;
 *
 *     if (memory_check(run, options, &f, &error) && f.kind != MEMORY_FINE) …
 *
 * An access is invalid when it lies outside of the object that its pointer was made of, or next to
 * a block of the heap; when the block was freed; or when free() is given what is no block.  A value
 * is used that nobody set when a branch, an address or a library function depends on it.
 * Whatever cannot be known, because untraced code may have written or allocated there, counts as
 * valid.
 */
#ifndef SOLVER_MEMORY_MEMORY_H
#define SOLVER_MEMORY_MEMORY_H

#include "solver/trace/run.h"

enum { MEMORY_MOST_FRAMES = 4 };

/* A call that was open at a step. */
struct memory_frame {
	uint64_t pc;	   /* runtime: where control stood in it */
	uint64_t function; /* link-time entry of the function that it is in */
	uint64_t call;	   /* which call of that function it was, from 1; 0 = not known */
};

/* A step of the run, and the calls that were open, the innermost first. */
struct memory_point {
	uint64_t step;
	uint64_t nth; /* which execution of frames[0].pc it is, from 1; 0 = not counted */
	/* The instruction that was executed before, and which execution of it that was. */
	uint64_t before, before_nth;
	unsigned n_frames;
	struct memory_frame frames[MEMORY_MOST_FRAMES];
	const char *by; /* the library function that was called; NULL = none */
};

struct memory_object {
	bool is_block; /* of the heap, else a variable */
	bool is_freed;
	bool is_escaped; /* untraced code may know its address */
	bool is_open; /* a block whose size is not known, of a string that is not; .hi = .lo + 1 */
	uint64_t lo, hi;
	struct memory_point made, gone; /* blocks; .gone when .is_freed */
	const char *name;		/* variables */
};

enum memory_kind {
	MEMORY_FINE,
	MEMORY_OUTSIDE,	   /* an access outside of its object */
	MEMORY_AFTER_FREE, /* an access to a block that was freed */
	MEMORY_FREED_TWICE,
	MEMORY_NOT_A_BLOCK,  /* free() of what is no block's beginning */
	MEMORY_UNSET_BRANCH, /* a branch depends on a value that nobody set */
	MEMORY_UNSET_ADDRESS,
	MEMORY_UNSET_ARGUMENT, /* a library function gets such a value */
	MEMORY_UNSET_TEXT,     /* or a text that goes on with what nobody set, at .address */
};

struct memory_finding {
	enum memory_kind kind;
	bool writes;		/* an access: it writes, else it reads */
	uint64_t address;	/* the first byte that is wrong in an access */
	uint64_t start, size;	/* of the access */
	unsigned argument;	/* UNSET_ARGUMENT and _TEXT, and accesses by .at.by: from 1 */
	struct memory_point at; /* its .nth and those of .object are counted */
	const struct trace_module *module;
	const struct trace_insn *insn;
	int operand; /* the number of .insn's memory operand that goes there; -1 = none */
	bool has_object;
	struct memory_object object; /* its .name lives as long as the images */
};

/* What a sanitizer said of the library function in which the run ended. */
struct memory_reported {
	uint64_t address; /* the first byte that is wrong; 0 = nothing is reported */
	uint64_t size;	  /* of the access */
	bool writes;
};

/* What is known of the code, which checks of several runs of a program need not find out each. */
struct memory_code;
struct lift;

/* lift has to outlive it; NULL: it makes one of its own. */
struct memory_code *memory_code_new(struct lift *lift);
void memory_code_free(struct memory_code *code);

struct memory_options {
	struct memory_code *code; /* NULL = nothing is known */
	struct memory_reported reported;
	const struct trace_action *actions; /* that the run was made with */
	size_t n_actions;
	uint64_t until; /* a step: what comes from it on is not looked at; 0 = all are */
	/* Only accesses whose address was computed from a value that an action wrote: does the
	 * change lead out of an object?  (influence.c) */
	bool influence;
	/* With .influence: an action that writes memory which its instruction does not write in
	 * this run leads out of an object, too.  It was made for another test, where the block or
	 * the frame was elsewhere. */
	bool own_places;
	bool accesses_only; /* what is done with values that nobody set is not looked at */
	/* Tables that cannot be written have bounds, too: constants that look like their addresses
	 * are more, so that two runs should be compared. */
	bool tables;
};

/* Looks at the run's chosen thread.  False with error when the record makes no sense or time is
 * up.  In a run of several threads values count as set. */
bool memory_check(struct trace_run *run, const struct memory_options *options,
		  struct memory_finding *out, GError **error);

struct memory_record {
	const char *folder;
	struct image *const *images;
	size_t n_images;
	unsigned thread;
	const struct deadline *until;
	uint64_t most;	    /* instructions; a longer record is not looked at */
	uint64_t looked_at; /* grows by its instructions, and counts towards .most */
};

/* Does one of the actions put a value in the place of another, and not only turn a branch? */
bool memory_sets_a_value(const struct trace_action *actions, size_t n);

/* The same of a record that a changed run left: is there such an access?  False, too, when it is
 * not known. */
bool memory_is_led_outside(struct memory_record *r, const struct memory_options *options);

#endif
