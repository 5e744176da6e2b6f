/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that a program makes by itself, and counts:
 *
 *     if (got != want)
 *             fails++;
 *
 * Each store to what is counted there, under a condition, is a check that failed; so is each
 * return of a constant, `return 1;', by which a test tells that it failed.
 */
#ifndef SOLVER_CHECK_CHECK_COUNT_H
#define SOLVER_CHECK_CHECK_COUNT_H

#include "solver/image/image.h"

struct check_count {
	const struct trace_insn *store;
	const struct trace_insn *branch; /* that decides about it */
	bool returns;			 /* from the test, so no check behind it is made */
	bool zero;			 /* .returns: what it returns is 0 */
};

/* The stores (struct check_count) to what the line stores to, that of the line first: they give it
 * the same constant, or count it, too.  Of a line that returns a constant, the returns of 0, or
 * of any other one, in its function, and by macros in other functions that are called without
 * arguments. decides: "FILE:LINE" of the conditions (failing-lines.h), one of which has to decide
 * about that of the line.  Empty: the line does not store, or not under one of them, or to several
 * things. Free it. */
GArray *check_count_stores(const struct image *im, const char *file, unsigned line,
			   GHashTable *decides);
/* Where the store counts checks that hold, `if (got == want) passed++; else printf (...);': makes
 * the first instruction of the other side the store.  False: there is none of its own. */
bool check_count_turn(const struct image *im, struct check_count *c);
/* Those (struct check_count) of the calls that throw an exception under a condition, in a function
 * of that name.  .returns is true.  Free it. */
GArray *check_count_throws(const struct image *im, const char *function);

#endif
