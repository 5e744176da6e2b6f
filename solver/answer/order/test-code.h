/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a suspect belongs to the test itself: its input, and how it checks. */
#ifndef SOLVER_ANSWER_ORDER_TEST_CODE_H
#define SOLVER_ANSWER_ORDER_TEST_CODE_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"

/* Is a small change of a line of this function (in words) another number, or a call that is left
 * out, in the function with the failed assertion, or in the main that calls such a test, or, of
 * wrong output, in main?  That is rather what the test is about: with another input it would expect
 * something else. */
bool test_code_changes_input(const struct explanation *e, const char *function, const char *change);
/* Is it such a function, and do suspects stand in other functions, too? */
bool test_code_has(const struct explanation *e, const char *function);
/* What the suspect costs, as a part of plausibility.h's, because it is about the test itself; 0 or
 * more. */
double test_code_cost(const struct explanation *e, const struct explanation_suspect *s,
		      const struct limits *l);

#endif
