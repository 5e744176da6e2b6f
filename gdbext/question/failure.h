/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the test fails, as a requirement and in the words of its source. */
#ifndef GDBEXT_QUESTION_FAILURE_H
#define GDBEXT_QUESTION_FAILURE_H

#include "gdbext/question/question.h"
#include "solver/formula/requirement.h"

/* What the solver is told of how it ended; the strings are f's. */
struct requirement_end failure_end(const struct replay_failing *f);
/* Fills what q->e says of the program and of its failure; q: with .point and .requirement. */
void failure_describe(struct question *q);
/* "assertion `b <= a' failed at p.c:30", "exit status 1"; caller frees.  f: failed as
 * ending_check accepts. */
char *failure_in_words(const struct replay_failing *f);

#endif
