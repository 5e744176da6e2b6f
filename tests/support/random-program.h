/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small random C programs for tests: integers of all widths, an array, loops
 * with few rounds, conditions, and a result.  Each statement has a line of its
 * own and its value goes through V(): the program is compiled as it is, or, with
 * -DFORCE, as one that gives a line's value from outside.
 *
 *     v2 = V((v0 + 3));        if (V(v1 < v4))
 *
 * One operator, the fault, is replaced by another: PICK(right, wrong).
 */
#ifndef TESTS_SUPPORT_RANDOM_PROGRAM_H
#define TESTS_SUPPORT_RANDOM_PROGRAM_H

#include <glib.h>
#include <stdbool.h>

struct program {
	char *text;
	unsigned fault;	 /* line of the replaced operator */
	bool *has_value; /* by line, up to n_lines: its value can be forced */
	bool *runs_once; /* by line: it is in no loop */
	unsigned n_lines;
};

/* Equal seeds make equal programs. */
void program_make(struct program *p, guint32 seed);
void program_clear(struct program *p);

#endif
