/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An action of a run (struct trace_action) as one line of text, so that an answer
 * in JSON can be replayed exactly.  The line is for programs: it names places by
 * module number and link-time address, and is of use with the same binary only.
 *
 *     force module 0 thread 0 at 0x1162 execution 2 register 0 size 1 where 0x0 value 01…
 */
#ifndef SOLVER_CHANGE_ACTION_TEXT_H
#define SOLVER_CHANGE_ACTION_TEXT_H

#include "solver/format/trace.h"

#include <stdbool.h>

/* Free the text. */
char *change_action_text(const struct trace_action *a);
/* Reads such a line.  False, with *out untouched, when it is no such line. */
bool change_action_parse(const char *text, struct trace_action *out);

#endif
