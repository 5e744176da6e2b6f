/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what a run printed, and what it should have printed, to predicates at instances.
 *
 *     printed   total 7       the call printf("total %d\n", sum), its 1st execution:
 *     expected  total 8       sum == 8
 *
 * Lines are compared first (lines.h), then the calls that printed a line are asked whether they
 * could have printed the expected one (match.h).  If they could, each value is one check, those
 * that are right already too, since they have to stay so.  If they could not, other calls should
 * have run: the plan ends there with a call that should not come, or not yet.
 */
#ifndef SOLVER_OUTPUT_PLAN_H
#define SOLVER_OUTPUT_PLAN_H

#include "solver/output/expected.h"

enum output_check_kind {
	OUTPUT_VALUE,	 /* the argument lies in [low, high] */
	OUTPUT_STRING,	 /* the bytes at the argument are those; or it is one of .others */
	OUTPUT_NOT_HERE, /* this call is not what comes next: see struct output_plan .wanted */
};

/* What has to hold when the call is about to be executed for the nth time. */
struct output_check {
	enum output_check_kind kind;
	uint64_t pc, nth; /* runtime */
	uint64_t step;	  /* the number of the instruction, in the failing run */
	const struct printed_call *call;
	struct printed_place place;
	unsigned size; /* VALUE: low bytes of the argument that count */
	bool is_float; /* VALUE: .low and .high are bits of doubles, and bound an interval */
	uint64_t low, high;
	uint64_t address; /* STRING: what the argument was, ... */
	uint64_t skip;	  /* ... plus so many bytes: where .text belongs */
	const char *text;
	size_t length;
	size_t differs; /* STRING: so many characters of .text were printed as they should be */
	bool whole;	/* STRING: a NUL follows */
	GArray *others; /* STRING: uint64_t: where else such a string lies; NULL = nowhere */
	bool keeps;	/* the failing run does it already */
	bool is_extra;	/* what the call prints should not be there at all */
};

struct output_plan {
	GArray *checks; /* struct output_check, in the order of the run; the last one ends it */
	guint first;	/* of .checks: the first that the failing run does not do */
	bool at_end;	/* the run ends without the text, so there is no check of it: .wanted */
	/* Text is missing: instructions (uint64_t, runtime) of which one, executed once more than
	 * the failing run does until there, prints it; empty = none is known. */
	GArray *wanted;
	GArray *wanted_before; /* uint64_t: how often the failing run executed each until there */
	GArray *wanted_values; /* struct output_check, VALUE, of them: what such a call prints */
	uint64_t step;	       /* of the first difference: the number of the instruction */
	unsigned stream;
	unsigned line;			 /* from 1, of the printed text */
	const struct printed_call *call; /* what printed there; NULL = nothing, the run ends */
	const struct printed_call *near; /* the last call before that, NULL = none */
	char *sentence;		 /* "line 3 of the output is "total 7", and not "total 8"" */
	char *wanted_sentence;	 /* "no call of the program can print "total""; or NULL */
	char *actual, *expected; /* the lines, quoted; NULL = there is none */
};

/* run: the one that p is of.  NULL with error: nothing can be required of it, and the sentence
 * says why.  steps: checks so many instructions behind the first difference are left out.
 * expected must differ from what was printed, and outlive the plan, as must p. */
struct output_plan *output_plan_new(const struct printed *p, const struct expected_output *expected,
				    struct trace_run *run, uint64_t steps, GError **error);
/* Leaves out the checks behind those of the first call that is wrong. */
void output_plan_keep_first(struct output_plan *plan);
void output_plan_free(struct output_plan *plan); /* NULL is fine */

#endif
