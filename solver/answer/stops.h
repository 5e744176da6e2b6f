/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a person can stop to see what an explanation tells. */
#ifndef SOLVER_ANSWER_STOPS_H
#define SOLVER_ANSWER_STOPS_H

#include "solver/explanation.h"
#include "solver/source/trace-point/trace-point.h"

/* Fills in at which executions values of the ways, lines, and suspects were given, as stops that
 * gdb-why understands ("push+37:2").  e must have their steps.  This walks the run once more. */
void stops_describe(struct explanation *e, const struct trace_point *point);

#endif
