/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gtheory: which formulas are never less accurate than which, whatever the program and its
 * suite are, as long as there is one faulty line and every failing test executes it (Xie, Chen,
 * Kuo, Xu, TOSEM 2013).  It speaks of the 30 formulas whose xckx is true.
 */
#ifndef SOLVER_EVALUATE_THEORY_H
#define SOLVER_EVALUATE_THEORY_H

#include "solver/rank/formulas.h"

enum theory_relation {
	THEORY_NONE,  /* it says nothing */
	THEORY_EQUAL, /* always as accurate as the other */
	THEORY_MORE,  /* the first is never less accurate than the second */
	THEORY_LESS,
};

/* Closed: what follows from two relations is one, too. */
enum theory_relation theory_compare(const struct formula *first, const struct formula *second);

/* A node of Gtheory, "ER2" or "Ochiai"; NULL: theory does not speak of the formula.  Free it. */
char *theory_node(const struct formula *f);

/* The i-th edge of its transitive reduction, as names of nodes.  False when there are no more. */
bool theory_edge(unsigned i, const char **more, const char **less);

#endif
