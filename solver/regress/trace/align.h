/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which definition of one version's run is which of the other's: execution indexing (Xin, Sumner,
 * Zhang, PLDI 2008).  The index of a definition says in which call and behind which outcome of
 * which branch it stands, each with its own index, on which line, and which time that is.  Lines
 * are numbered as the old version has them, so what stands on lines that both have, in the same
 * round of the same loop, has the same index in both runs.
 *
 *     old              new                     index
 *     for (;;)         for (;;)
 *                        n++;                  only in the new run
 *       f(x);            f(x);                 [2nd round of the loop] f, 1st time there
 */
#ifndef SOLVER_REGRESS_TRACE_ALIGN_H
#define SOLVER_REGRESS_TRACE_ALIGN_H

#include "solver/regress/trace/trace.h"

/* What both versions call the line: a key that is the same in both; 0 = only this version has
 * it. */
typedef guint64 regress_place(void *arg, const char *file, unsigned line);

struct regress_alignment;

struct regress_alignment *regress_alignment_new(struct regress_trace *t, regress_place *place,
						void *arg);
void regress_alignment_free(struct regress_alignment *a);

/* The index of a definition; 0 = it has none: it stands on no line that both have. */
guint64 regress_alignment_index(const struct regress_alignment *a, guint number);
/* The definition with that index; -1 = there is none. */
gint64 regress_alignment_find(const struct regress_alignment *a, guint64 index);

#endif
