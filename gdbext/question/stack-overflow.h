/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crashes because the stack is full: which functions call each other without end, and which
 * conditions let them. */
#ifndef GDBEXT_QUESTION_STACK_OVERFLOW_H
#define GDBEXT_QUESTION_STACK_OVERFLOW_H

#include "gdbext/question/question.h"

/* q stands where its run crashed.  In words what recursion filled the stack, and its conditions as
 * notes of q->e, which owns the text; NULL when the crash is another one, or the recursion cannot
 * be seen.  *back: the runtime address to which one of its calls returns. */
const char *stack_overflow_describe(struct question *q, uint64_t *back);

#endif
