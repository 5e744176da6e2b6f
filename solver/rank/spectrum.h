/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each test of a suite did, and how it ended: for every kind of unit
 * (units.h) how often each was met.  A reader fills it a test at a time, in any
 * order of units:
 *
 *     spectrum_begin(s, "t1", SPECTRUM_PASSED);
 *     spectrum_add(s, SPECTRUM_EDGE, edge, 3);
 *     spectrum_add(s, SPECTRUM_STATEMENT, statement, 1);
 *     spectrum_end(s);
 *
 * Only what a test met is kept, as differences of ascending unit numbers and
 * counts, seven bits a byte: mostly two bytes for each unit met.  New units may
 * appear with any test; those before it have not met them.
 */
#ifndef SOLVER_RANK_SPECTRUM_H
#define SOLVER_RANK_SPECTRUM_H

#include <glib.h>
#include <stdbool.h>

enum spectrum_kind {
	SPECTRUM_STATEMENT,
	SPECTRUM_BLOCK, /* entered */
	SPECTRUM_EDGE,	/* gone along */
	/* Blocks entered and not left: the run crashed in them, or in what they
	 * called. */
	SPECTRUM_CRASH,
	SPECTRUM_OUTCOME,
	SPECTRUM_SEQUENCE,
	SPECTRUM_KINDS,
};

enum spectrum_verdict {
	SPECTRUM_PASSED,
	SPECTRUM_FAILED,
	SPECTRUM_IGNORED, /* counts for nothing */
};

/* Counts are cut off here, so that sums over any suite are exact. */
#define SPECTRUM_MOST ((guint64)1 << 40)

struct spectrum;

struct spectrum *spectrum_new(void);
void spectrum_free(struct spectrum *s);

void spectrum_begin(struct spectrum *s, const char *test, enum spectrum_verdict verdict);
/* times more of this unit (a number of units.h).  0 is nothing. */
void spectrum_add(struct spectrum *s, enum spectrum_kind kind, unsigned unit, guint64 times);
void spectrum_end(struct spectrum *s);
/* Instead of spectrum_end: the test was interrupted and leaves nothing. */
void spectrum_drop(struct spectrum *s);

unsigned spectrum_n_tests(const struct spectrum *s);
unsigned spectrum_n_verdict(const struct spectrum *s, enum spectrum_verdict verdict);
const char *spectrum_name(const struct spectrum *s, unsigned test);
enum spectrum_verdict spectrum_verdict(const struct spectrum *s, unsigned test);
/* For instance to look at one failing test at a time. */
void spectrum_set_verdict(struct spectrum *s, unsigned test, enum spectrum_verdict verdict);

/* Goes through what a test met, ascending. */
struct spectrum_row {
	const guint8 *at, *end;
	unsigned unit; /* valid after spectrum_next said true */
	guint64 times;
};
struct spectrum_row spectrum_row(const struct spectrum *s, unsigned test, enum spectrum_kind kind);
bool spectrum_next(struct spectrum_row *row);

/* How many tests met something, by verdict: executed or not, failed or passed. */
struct spectrum_counts {
	unsigned ef, ep, nf, np;
};

/* For each of n groups of units: the tests that met one of its units at least
 * once.  group[unit] is the group, UNIT_NONE = in none; group NULL = every unit
 * is its own.  n_units: length of group; a unit above is in no group. */
void spectrum_count(const struct spectrum *s, enum spectrum_kind kind, const unsigned *group,
		    unsigned n_units, struct spectrum_counts *counts, unsigned n);

/* Sums of times over the passed and the failed tests, of units 0 … n - 1. */
void spectrum_sum(const struct spectrum *s, enum spectrum_kind kind, guint64 *passed,
		  guint64 *failed, unsigned n);

gsize spectrum_bytes(const struct spectrum *s); /* what the rows take */

#endif
