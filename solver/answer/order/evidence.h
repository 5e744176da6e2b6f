/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts an answer in order by what other tests of the suite say about its lines.  First
 * come lines where a small change lets every failing test pass and no passing test
 * fail, then lines where such a change does so under a condition; last come those that a passing
 * test speaks against.  Between these, and among equals, the order stays.  So it is for suspects.
 * Where a change mends all, the likelier slip comes first, and what explanations name less often
 * only a little later.  In the ranking of lines, a line that a passing test speaks against only
 * comes behind its equals.  Lines of the test's own file come later than others of their kind, and
 * its small changes with conditions.
 */
#ifndef SOLVER_ANSWER_EVIDENCE_H
#define SOLVER_ANSWER_EVIDENCE_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"

/* Notes the evidence of a line, and of the suspects that change this line alone; .contradicted
 * and .change are copied. */
void evidence_add(struct explanation *e, const char *file, unsigned line,
		  const struct explanation_evidence *evidence);
/* Does the suspect change this line, and no other one? */
bool evidence_is_of_line_alone(const struct explanation_suspect *s, const char *file,
			       unsigned line);
/* The answer is finished (describe.h, combine.h, joint.h). */
void evidence_order(struct explanation *e, const struct limits *l);

/* A suite cannot tell a wrong program from a test that asks for the wrong thing: the program is
 * wrong more often.  Does the file belong to the test, because the check that failed stands in it,
 * while others are named, too? */
bool evidence_is_of_test(const struct explanation *e, const char *file);

#endif
