/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Initial values of variables, changed as a slip of the pen would have changed them: another
 * number in a table.
 *
 *     static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 30, … };    31 for 30 in days[7]
 *     total += price * 0.05;                                                0.5 for 0.05
 *
 * Floating-point constants of the code are in memory, too, and changed in the same way.  Compilers
 * keep equal ones once, so where several instructions read one, it is changed for one of them.
 *
 * Only what the run read is worth a try.  The value is changed in the file's copy of memory before
 * the program starts, so each read of it sees the change.
 */
#ifndef SOLVER_CHANGE_DATA_MUTANT_H
#define SOLVER_CHANGE_DATA_MUTANT_H

#include "solver/image/variable/variable.h"
#include "solver/limits/limits.h"
#include "solver/trace/run.h"

/* A scalar in memory that the run read while it had its initial value. */
struct data_read {
	uint64_t address; /* link-time, in the image */
	unsigned size;
	uint64_t reader; /* the instruction that is meant; 0 = whatever reads it */
};

struct data_mutant {
	const struct image_variable *variable;	 /* .file is known; NULL = a constant of the code */
	const struct image_statement *statement; /* of the constant; NULL = it is a variable */
	unsigned line;				 /* where the value stands, or the variable's */
	struct trace_action action;		 /* TRACE_ACTION_CODE, of the memory */
	uint64_t reader; /* the instruction for which alone it is changed (mutator_literal); 0 = for
			    all */
	char *words;	 /* "31 for 30 in days[7]" */
	double effort;
};

/* struct data_read: what was read last comes first, but variables take turns; at most so many.
 * from: a cursor, which goes on to the end of its run; image: one of the run's.  NULL with error.
 * Free the array. */
GArray *data_reads(struct trace_run *run, struct trace_cursor *from, const struct image *im,
		   unsigned most, GError **error);
/* struct data_read: the floating-point constants that code of the line alone reads, executed or
 * not. Free the array. */
GArray *data_constants(const struct image *im, const char *file, unsigned line);
/* An explanation changes this number into that one. */
struct data_hint {
	double from, to;
};

/* struct data_mutant, those of the first read first; the values of other reads of the same variable
 * are among them, and what the hints (struct data_hint; NULL = none) say of its number.  only:
 * nothing but that.  Free the array. */
GArray *data_mutants(const struct image *im, unsigned module, const GArray *reads,
		     const GArray *hints, bool only, const struct limits *limits);

#endif
