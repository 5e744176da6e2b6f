/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test has to print what is expected, and to exit with the expected status.  In the formula
 * that is what an output plan says (solver/output/plan.h): values of arguments at calls, and calls
 * that should not come; a run meets it when all that it printed is right, to the end.
 */
#ifndef SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_OUTPUT_H
#define SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_OUTPUT_H

#include "solver/formula/requirement.h"
#include "solver/output/plan.h"

/* end: with .expected; plan: of the failing run; both must outlive it.  Free it with
 * requirement_free. */
struct requirement *requirement_new_output(const struct requirement_end *end,
					   const struct output_plan *plan);

#endif
