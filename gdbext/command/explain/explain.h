/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why explain`: from a failing test to the printed answer. */
#ifndef GDBEXT_COMMAND_EXPLAIN_EXPLAIN_H
#define GDBEXT_COMMAND_EXPLAIN_EXPLAIN_H

#include "gdbext/question/question.h"

/* Returns the exit status (options.h).  When there is nothing to explain, *error has one
 * sentence, and the status says why. */
int explain_command(const struct options *o, GError **error);

/* The parts of it that other questions use, too: */
/* Explains, and prints the answer; q: started, with a requirement.  The exit status. */
int explain_and_print(struct question *q, GError **error);
/* Prints the answer as the options say; the exit status. */
int explain_print(struct question *q, GError **error);

#endif
