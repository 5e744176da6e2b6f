/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first rows of an answer: where what failed came from (solver/answer/opening.h). */
#ifndef GDBEXT_QUESTION_ANALYSIS_FIRST_CHAIN_H
#define GDBEXT_QUESTION_ANALYSIS_FIRST_CHAIN_H

#include "gdbext/question/question.h"

/* What happened at the end of a long run, or before a crash: it costs little, so it is there before
 * all else.  Nothing at a second call, and in short runs that end otherwise. */
void first_chain_describe(struct question *q);
/* Says the same of any run, when there are no suspects that a run proves. */
void first_chain_instead(struct question *q);

#endif
