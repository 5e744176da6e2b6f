/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways of suspects that runs alone proved: solver/answer/way.h, for a question. */
#ifndef GDBEXT_QUESTION_ANALYSIS_WAYS_H
#define GDBEXT_QUESTION_ANALYSIS_WAYS_H

#include "gdbext/question/question.h"

/* q: explained; its suspects are those that will be told. */
void ways_add(struct question *q);

#endif
