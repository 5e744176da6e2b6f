/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What other tests of the suite say of an answer's lines, as an order: first lines
 * where a small change lets every failing test pass and no passing test fail; last
 * those that a passing test speaks against; in between, and among themselves, all
 * stay in the order that they had.  So for suspects; in the ranking of lines what is
 * spoken against comes behind its equals only.
 */
#ifndef SOLVER_ANSWER_EVIDENCE_H
#define SOLVER_ANSWER_EVIDENCE_H

#include "solver/explanation.h"

/* Of the line's, and of suspects that change this line alone; .contradicted, .change
 * are copied. */
void evidence_add(struct explanation *e, const char *file, unsigned line,
		  const struct explanation_evidence *evidence);
/* The answer is finished (describe.h, combine.h, joint.h). */
void evidence_order(struct explanation *e);

#endif
