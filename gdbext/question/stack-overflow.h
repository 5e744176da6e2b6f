/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes because the stack is full: which functions call each other without end, and which
 * conditions let them. */
#ifndef GDBEXT_QUESTION_STACK_OVERFLOW_H
#define GDBEXT_QUESTION_STACK_OVERFLOW_H

#include "gdbext/question/question.h"

/* Says so in q->e, whose failure is described; false when the crash is another one, or the
 * recursion cannot be seen. */
bool stack_overflow_describe(struct question *q);

#endif
