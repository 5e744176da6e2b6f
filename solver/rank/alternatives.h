/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways a predicate can come out, as cbi.c and sober.c see them: its
 * outcomes, or the evaluation sequences of its conditions (where none of these
 * was ever recorded, a predicate has one condition, and they are its outcomes).
 * Of this folder only.
 */
#ifndef SOLVER_RANK_ALTERNATIVES_H
#define SOLVER_RANK_ALTERNATIVES_H

#include "solver/rank/predicates.h"

struct alternatives {
	unsigned n, n_predicates;
	unsigned *predicate;	/* of each alternative */
	unsigned *of_predicate; /* how many each predicate has */
	unsigned *outcome;	/* outcome: its alternative, or UNIT_NONE */
	unsigned *sequence;	/* sequence: its alternative, or UNIT_NONE */
	unsigned n_outcomes, n_sequences;
	/* In the test that alternatives_load was called for last: */
	guint64 *times; /* of each alternative */
	guint64 *total; /* of all of each predicate */
};

struct alternatives *alternatives_new(const struct units *u, enum predicate_view view);
void alternatives_free(struct alternatives *a);

void alternatives_load(struct alternatives *a, const struct spectrum *s, unsigned test);

/* Scores that differ by rounding only become equal (order_settle). */
void predicates_settle(struct predicate_score *scores, unsigned n);

#endif
