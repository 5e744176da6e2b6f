/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call of a function that is not traced read: of that it made its result, and what it
 * wrote.  The record has the call's arguments, library.def says what they point to, and functions
 * that it called are traced.
 *
 *     qsort (v, n, sizeof *v, by);     v[0] is made of v[0] to v[n - 1], and of what by() returned
 *     sprintf (text, "%d", n);         text is made of n
 */
#ifndef SOLVER_SLICE_LIBRARY_READ_H
#define SOLVER_SLICE_LIBRARY_READ_H

#include "solver/library/library.h"
#include "solver/trace/index/reverse-index.h"

struct library_read {
	struct reverse_index_place place;
	uint64_t step;	  /* it is what was there before this step */
	bool is_text;	  /* others may have written it behind the last traced code that did */
	bool is_argument; /* of .step; its address was in: */
	unsigned reg;
};

/* The function that the step calls; NULL when nothing is known of it, or it is no such call. */
const struct library_function *library_called(struct reverse_index *index, uint64_t step);

/* The step left traced code, and that code has the value which this made.  It is the call, or the
 * return of a function that the call called; the call's step. */
uint64_t library_call_of(struct reverse_index *index, uint64_t step);

/* What one of the first six arguments was; false when traced code did not set it. */
bool library_argument(struct reverse_index *index, uint64_t call, unsigned argument,
		      uint64_t *value);

/* The same, and *writer: the step that set it. */
bool library_argument_set(struct reverse_index *index, uint64_t call, unsigned argument,
			  uint64_t *value, uint64_t *writer);

/* Adds what the call of printf's kin printed, with the texts that it was given. */
void library_printed_reads(struct reverse_index *index, uint64_t call, GArray *reads);

/* Adds what the call read (struct library_read); what was called by it counts before the step
 * until.  Only so many of those calls are looked at (limit slice_calls). */
void library_reads(struct reverse_index *index, uint64_t call, uint64_t until, GArray *reads);
/* The same, and of what it compared or searched only the bytes that its result depends on, as far
 * as that is known (library-narrow.c).  It takes as long as reverse_index_cursor. */
void library_result_reads(struct reverse_index *index, uint64_t call, uint64_t until,
			  GArray *reads);

#endif
