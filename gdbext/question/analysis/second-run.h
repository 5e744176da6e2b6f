/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the test do the same each time?  Time, random numbers and the turns of threads are other
 * ones in each run, and a proof is a run.
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_SECOND_RUN_H
#define GDBEXT_QUESTION_ANALYSIS_SECOND_RUN_H

#include "gdbext/question/question.h"

/* Runs the test once more, unchanged and in the cage, when that takes no longer than the limit
 * second_run_ms, and fills in .e->differs.  Only the first call for a question does so.  What keeps
 * the run from being made says nothing here: other runs will meet it, too. */
void second_run_look(struct question *q);

#endif
