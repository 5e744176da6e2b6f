/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured of techniques that rank lines: for a version of a subject, a suite, a
 * technique and a way to rank ties, where the faulty line stands.  One measurement is one row of
 * a table that R and pandas read:
 *
 *     subject,version,faults,omission,suite,seed,tests,failed,crashed,technique,scheme,rank,
 *     lines,exam,found,proven
 *
 * A rank that there is not (no faulty line has code) is NA, and so is the effort (exam).
 */
#ifndef SOLVER_EVALUATE_MEASUREMENT_H
#define SOLVER_EVALUATE_MEASUREMENT_H

#include "solver/rank/order.h"

#include <glib.h>
#include <stdbool.h>

#define MEASUREMENT_ERROR measurement_error_quark()
GQuark measurement_error_quark(void);
enum measurement_error {
	MEASUREMENT_ERROR_READ, /* a file of measurements that is none, or has a wrong row */
};

/* Texts belong to the table. */
struct measurement {
	const char *subject, *version;
	unsigned faults; /* faulty lines of the version */
	bool omission;	 /* the fault is code that is missing */
	unsigned suite;	 /* percent of all tests; 100 = all */
	unsigned seed;	 /* of the choice of tests; 0 where all are taken */
	unsigned tests, failed, crashed;
	const char *technique;
	enum rank_scheme scheme;
	double rank;	/* from 1; 0 = there is none */
	unsigned lines; /* ranked */
	double exam;	/* rank / lines, 1 where there is no rank */
	bool found;  /* the technique names the line, not just as one of those it says nothing of */
	bool proven; /* an explanation that names it was proven */
};

/* How long a technique took on a version with a suite: a table of its own, because times are
 * different each time.  Columns: subject,version,suite,seed,technique,ms. */
struct measurement_time {
	const char *subject, *version;
	unsigned suite, seed;
	const char *technique;
	double ms;
};

struct measurements {
	GArray *rows;  /* struct measurement */
	GArray *times; /* struct measurement_time */
	GStringChunk *strings;
};

struct measurements *measurements_new(void);
void measurements_free(struct measurements *m);
const char *measurements_text(struct measurements *m, const char *text);

/* The words of the column "scheme". */
extern const char *const measurement_schemes[RANK_SCHEMES];

extern const char measurement_header[], measurement_time_header[]; /* lines */
void measurement_write(const struct measurement *row, GString *out);
void measurement_write_time(const struct measurement_time *row, GString *out);

/* Adds the rows of a table; path: as sentences name it.  The columns may stand in any order, and
 * others may stand between them. */
bool measurements_read(struct measurements *m, const char *path, const char *text, GError **error);
bool measurements_read_times(struct measurements *m, const char *path, const char *text,
			     GError **error);

#endif
