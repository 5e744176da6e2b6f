/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A change of what was executed long before the function that crashed was called dodges the crash
 * as a rule: with it the program does something else.
 *
 *     main      f = parse();      2 of the open calls were made after this
 *       run     t = look(f);      1
 *         show  puts(t->name);    0, and here it crashed
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_OPEN_CALLS_H
#define GDBEXT_QUESTION_ANALYSIS_OPEN_CALLS_H

#include "gdbext/question/question.h"

/* The step of the call in which the step was made; UINT64_MAX = it is not in the record. */
uint64_t open_calls_outer(struct reverse_index *index, uint64_t step);
/* Where a signal ended the test: gives each of q's suspects its .calls_since, up to the limit
 * order_calls. */
void open_calls_note(struct question *q);

#endif
