/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant that takes a value before or behind the step of what counts, in words. */
#ifndef SOLVER_CHANGE_MUTANT_MUTANT_STEP_H
#define SOLVER_CHANGE_MUTANT_MUTANT_STEP_H

#include "solver/change/code/mutant.h"

/* Is it one of mutants_of_step? */
bool mutant_is_step(const struct mutant *of);
/* "`--n' for `n--'", of such a one; text: the source's line.  Free it; NULL: the line has none, or
 * nobody knows which. */
char *mutant_step_words(const struct mutant *of, const char *text);
bool mutant_step_is_written(const struct mutant *of, const char *text);

#endif
