/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that ranks statements by the tests of a suite, under one name each: the
 * formulas (formulas.h), and cbi, sober, des-cbi, des-sober, cp, blockrank and
 * blockrank-coupled.
 */
#ifndef SOLVER_RANK_TECHNIQUE_H
#define SOLVER_RANK_TECHNIQUE_H

#include "solver/rank/formulas.h"
#include "solver/rank/units.h"

struct technique {
	const struct formula *formula; /* NULL: one of the others */
	const struct technique_kind *kind;
	/* What was found by other means: a name, and one score a line. */
	const char *given;
	const double *given_lines;
	const struct limits *limits; /* NULL = the defaults; not owned */
};

/* Finds a technique by its name or identifier, whatever case and punctuation are. False when
 * there is none. */
bool technique_find(const char *name, struct technique *t);
/* The i-th of all techniques, the formulas first, for lists. False when there are not so many. */
bool technique_at(unsigned i, struct technique *t);
const char *technique_name(const struct technique *t);

/* How suspicious each is, higher is more; infinite only where the formula says
 * so.  A formula judges a line by the tests that executed any of its
 * statements; else a line is as suspicious as the most suspicious of its statements. */
/* t: not one that was given. */
void technique_statements(const struct technique *t, const struct units *u,
			  const struct spectrum *s, double *statements);
void technique_lines(const struct technique *t, const struct units *u, const struct spectrum *s,
		     double *lines);

#endif
