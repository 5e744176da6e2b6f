/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a failing run and its requirement to the explanation: the search, and the description of
 * its answers. */
#ifndef GDBEXT_QUESTION_ANALYSIS_ANALYSIS_H
#define GDBEXT_QUESTION_ANALYSIS_ANALYSIS_H

#include "gdbext/question/question.h"

/* Says in q's .e how the test failed and, when the run is long, what happened (its opening), and
 * tells it.  q: with a requirement, which need not be the last one. */
void analysis_open(struct question *q);
/* Says in q's .e what failed, and what is known of the run so far.  q: started, with a requirement.
 */
void analysis_begin(struct question *q);
/* Does anybody listen to what is found: --stream, a program at the other end of a pipe, or q's
 * .found? */
bool analysis_is_heard(const struct question *q);
/* Tells whoever listens what q's .e has so far. */
void analysis_stream(struct question *q);
/* Has q's .e nine tenths of the suspects that are wanted, or is the question answered otherwise? */
bool analysis_has_enough(const struct question *q);
/* Asks what would let the run meet the requirement, and fills q's .e.  q: begun.
 * The search near the failure and the formula may each give as many suspects as max_suspects
 * says.  The caller puts them in order and keeps the first ones.  0, or the exit status with
 * error. */
int analysis_explain(struct question *q, GError **error);

#endif
