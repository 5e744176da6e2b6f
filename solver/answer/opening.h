/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened, before anything is suspected: from a value in the failure back to where it
 * came from, as `why' shows it.  It costs what lies between, and no run.
 *
 *     t = NULL     from ltm.c:83  return luaH_getshortstr(mt, …);   t = NULL
 *                  from ltm.c:81  mt = G(L)->mt[ttype(o)];          mt = NULL
 *
 * Where a constant was given, the decision to give it goes on:
 *
 *     status 1     from  gzip.c:77  err = ERROR;                    err = 1
 *                  since gzip.c:75  if (orig_crc != updcrc)         true
 */
#ifndef SOLVER_ANSWER_OPENING_H
#define SOLVER_ANSWER_OPENING_H

#include "solver/explanation.h"
#include "solver/source/trace-point/trace-point.h"

/* Fills e->opening, nearest cause first, from the variables in e->failure.values: after a
 * signal from one that is NULL, of a comparison from one that the program computed, otherwise from
 * the first one with a cause.  A place in memory comes before them: its contents are wrong, and a
 * variable only points to it; and after a SIGFPE so does any place, which is that of the divisor.
 * When the failure tells no values, or they have no cause: from the variables in its line, then
 * from place, such as the wrong value that was printed or the exit status (NULL = none).  index:
 * has all steps up to the trace point. */
void opening_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct reverse_index_place *place,
		      const struct limits *limits);

#endif
