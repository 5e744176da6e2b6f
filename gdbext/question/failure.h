/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the test fails, as a requirement and in the words of its source. */
#ifndef GDBEXT_QUESTION_FAILURE_H
#define GDBEXT_QUESTION_FAILURE_H

#include "gdbext/question/question.h"
#include "solver/formula/requirement.h"

/* What the solver is told about the end; the strings belong to f. */
struct requirement_end failure_end(const struct replay_failing *f);
/* Fills in what q->e says about the program and its failure; q has .point and .requirement. */
void failure_describe(struct question *q);
/* "assertion `b <= a' failed at p.c:30", "exit status 1"; caller frees.  f: it failed in a way
 * that ending_check accepts. */
char *failure_in_words(const struct replay_failing *f);

#endif
