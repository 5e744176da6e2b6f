/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened, before anything is suspected: from a value in the failure back to where it
 * came from, as `why' shows it.  It costs what lies between, and no run.
 *
 *     t = NULL     from ltm.c:83  return luaH_getshortstr(mt, …);   t = NULL
 *                  from ltm.c:81  mt = G(L)->mt[ttype(o)];          mt = NULL
 */
#ifndef SOLVER_ANSWER_OPENING_H
#define SOLVER_ANSWER_OPENING_H

#include "solver/explanation.h"
#include "solver/source/trace-point.h"

/* Fills e->opening, nearest cause first, from the variables in e->failure.values: after a
 * signal from one that is NULL, otherwise from the first one with a cause.  index: has all
 * steps up to the trace point. */
void opening_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct limits *limits);

#endif
