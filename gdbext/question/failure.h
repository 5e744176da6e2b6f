/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the test fails, in the words of its source. */
#ifndef GDBEXT_QUESTION_FAILURE_H
#define GDBEXT_QUESTION_FAILURE_H

#include "gdbext/question/question.h"

/* Fills q->point, with the failing run at its end, and q->e's failure.  q: started,
 * and failed as ending_check accepts. */
bool failure_describe(struct question *q, GError **error);
/* "assertion `b <= a' failed at p.c:30", "exit status 1"; caller frees. */
char *failure_in_words(const struct replay_failing *f);

#endif
