/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Techniques beside each other: how high they rank faulty lines, over all versions measured. */
#ifndef SOLVER_EVALUATE_COMPARISON_H
#define SOLVER_EVALUATE_COMPARISON_H

#include "solver/evaluate/measurement.h"
#include "solver/rank/accuracy.h"

struct comparison {
	const char *technique; /* belongs to the measurements */
	struct accuracy_summary summary;
	unsigned named;	 /* versions of which it names the faulty line */
	unsigned proven; /* versions of which it proved that */
	double ms;	 /* median of a version's time; negative = not measured */
};

/* What counts of the measurements. */
struct comparison_choice {
	const char *subject; /* NULL = all */
	enum rank_scheme scheme;
	unsigned suite; /* percent of the tests */
};

/* struct comparison, the least effort first, then by name.  Empty when nothing counts. */
GArray *comparison_new(const struct measurements *m, const struct comparison_choice *choice);

/* The subjects, const char *, in the order of the measurements. */
GPtrArray *comparison_subjects(const struct measurements *m);

#endif
