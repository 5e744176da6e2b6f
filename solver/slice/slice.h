/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dynamic slice backwards from a run's end: the executed instructions on which it
 * depends, by data and by control, nearest causes first.  It is made on demand: each
 * slice_next() looks back as far as it must (Postolski, Braberman, Garbervetsky, Uchitel,
 * "Dynamic Slicing by On-demand Re-execution"), so the first hundred instances cost the same
 * behind a thousand instructions and behind a hundred million.
 *
 *     b = a + 1;          distance 2: gave b
 *     if (b > a)          distance 1: let the call run
 *             abort ();   the end
 *
 * Distance counts statements: an instruction that only passes a value on inside of its
 * statement, or for the compiler's reasons, is not an instance of its own.
 */
#ifndef SOLVER_SLICE_SLICE_H
#define SOLVER_SLICE_SLICE_H

#include "solver/trace/index/reverse-index.h"

/* One instance: an executed instruction and what it computed. */
struct slice_instance {
	uint64_t step; /* its number in the index */
	unsigned distance;
	bool decides; /* which way its branch went; else what it wrote to .place */
	/* A branch that only let control come to the end, through others like it: going the
	 * other way, the run would not have been there. */
	bool leads_to_end;
	struct reverse_index_place place;
	uint64_t pc; /* of the instruction, runtime */
	const struct trace_module *module;
	const struct trace_insn *insn;
	uint64_t rbp, rsp; /* before it */
	uint64_t value;	   /* taken or not; the first 8 bytes of what it wrote */
	/* The result of a function that a function of the library called, as qsort does. */
	bool called_back;
	/* What depends on it, nearer to the end, and the step that used what it gave; NULL: the end
	 * itself. */
	const struct slice_instance *effect;
	uint64_t user;
};

/* Where the run ended. */
struct slice_end {
	const struct image *image;
	uint64_t bias, link; /* the instruction */
	/* A signal ended the instruction, which is no step of the index; else it is the last. */
	bool signalled;
	/* The instruction is the jump back of a loop that goes on: when it is a branch, its last
	 * execution let the run come there. */
	bool goes_on;
	/* Only where values came from is looked for: no decisions, and nothing that addresses
	 * depend on (Sridharan, Fink, Bodik, "Thin slicing", 2007). */
	bool thin;
	/* A place that is looked for as well, besides what the instruction read; NULL = none. */
	const struct reverse_index_place *place;
	bool place_is_text; /* code that is not traced reads it */
	/* The step of a call that never came back but left for somewhere else, as longjmp does
	 * (slice_thrown): only why control came to it is looked for.  UINT64_MAX = none. */
	uint64_t thrown;
	/* The step of a call of exit, when handlers ran after it: .place is looked for before it,
	 * and why control came to it.  UINT64_MAX = none. */
	uint64_t exited;
	/* Code (n_missing runtime addresses) that should have been executed before the end: why it
	 * was not is looked for as well. */
	const uint64_t *missing;
	size_t n_missing;
};

struct slice;

/* The index has the whole run and outlives the slice; all of end is copied but the image. */
struct slice *slice_new(struct reverse_index *index, const struct slice_end *end);
/* The same of these steps, which are branches, at least one of them, in one image: first they
 * themselves, at distance 0, then what they depend on. */
struct slice *slice_of_decisions(struct reverse_index *index, const uint64_t *branches, size_t n);
void slice_free(struct slice *s);

/* The next instance, valid until the slice is freed; NULL when there are no more. */
const struct slice_instance *slice_next(struct slice *s);

/* The nearest instance that read memory there which no traced code had written.  Only the instances
 * are looked at that were asked so far what they depend on.  NULL = none did, or *at_end: the end
 * itself did. */
const struct slice_instance *slice_reader(const struct slice *s, uint64_t address, unsigned size,
					  bool *at_end);

/* Did any of these instances, or the end, read memory that no traced code had written?  Then
 * there may be code that should have written it, anywhere in the run. */
bool slice_reads_unwritten(const struct slice *s);

/* The nearest call by which control left for somewhere else, as longjmp and `throw' do, on which
 * an instance that was asked what it depends on does, or which left the value that the last
 * instance given gave.  What comes after it only reports what it was called for.  False = none
 * is known. */
bool slice_thrown(struct slice *s, const struct slice_instance *last, uint64_t *step);

/* Does any of these instances depend on a result, or on memory, that a function of the library
 * made for which the formula has no terms? */
bool slice_goes_through_library(const struct slice *s);

#endif
