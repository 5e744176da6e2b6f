/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assignments that may be missing because nothing else sets a variable that is read:
 *
 *     struct job *before = NULL;      and no `before = ...' in the function: before = prev
 *     int found = 0;                  found = 1
 *     in = false;                     in = true
 */
#ifndef SOLVER_CHANGE_MISSING_UNSET_VARIABLE_H
#define SOLVER_CHANGE_MISSING_UNSET_VARIABLE_H

#include "solver/change/missing/adapted-statement.h"

/* Tells assignments to the local variables of function f that are visible at the place, get NULL or
 * a small number as their first value, and are never set to another one in f's body in the file s,
 * but read there.  They get each value of the same type: another variable, or one of the texts
 * (char *, expressions of f). */
void unset_variables(const struct adapted_place *at, const struct image_function *f,
		     const struct source *s, const GPtrArray *texts, adapted_found *found,
		     void *arg);

#endif
