/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a lesson, and on a terminal, `explain' first asks what the student expects, as `why' does. */
#ifndef GDBEXT_COMMAND_EXPLAIN_EXPLAIN_LESSON_H
#define GDBEXT_COMMAND_EXPLAIN_EXPLAIN_LESSON_H

#include "gdbext/options/options.h"

struct explanation;

/* Asks, and notes the answer in the student's journal; an empty line is no answer. */
void explain_lesson_ask(const struct options *o);
/* Says how the explanation that was printed compares with what was expected last; once. */
void explain_lesson_compare(const struct options *o, const struct explanation *e);

#endif
