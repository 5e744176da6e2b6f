/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program found that its test fails, where it exits with a wrong status
 * (solver/cause/verdict.h), and which of several checks that it counted is asked about. */
#ifndef GDBEXT_QUESTION_OWN_VERDICT_H
#define GDBEXT_QUESTION_OWN_VERDICT_H

#include "gdbext/question/question.h"

/* Where the status is, at the run's end: the argument of exit, or what main returns. */
struct reverse_index_place own_verdict_status(const struct question *q);
/* q stands where the run ends by its status: fills e->verdict.  *found: the program counted several
 * failed checks.  No change of a tested statement need mend all of them, so q has the first one as
 * its .point, .index and .requirement then.  0, or the exit status with error. */
int own_verdict_require(struct question *q, bool *found, GError **error);

#endif
