/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why explain`: from a failing test to the printed answer. */
#ifndef GDBEXT_COMMAND_EXPLAIN_H
#define GDBEXT_COMMAND_EXPLAIN_H

#include "gdbext/question/question.h"

/* Returns the exit status (options.h).  False results come as one sentence in
 * *error, with the status that goes with it. */
int explain_command(const struct options *o, GError **error);

/* The parts of it that other questions take too. */
/* Searches for what lets q's requirement be met; q: with its trace point, its requirement, and
 * e's failure described. */
bool explain_search(struct question *q, GError **error);
/* Asks why it failed; q: started, and failed as ending_check
 * accepts.  0 when q's .e is
 * filled, else the exit status with error. */
int explain_failure(struct question *q, GError **error);
/* Prints the answer as the options say; the exit status. */
int explain_print(struct question *q, GError **error);

#endif
