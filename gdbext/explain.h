/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why explain`: from a failing test to the printed answer. */
#ifndef GDBEXT_EXPLAIN_H
#define GDBEXT_EXPLAIN_H

#include "gdbext/options.h"

/* Returns the exit status (options.h).  False results come as one sentence in
 * *error, with the status that goes with it. */
int explain_command(const struct options *o, GError **error);

#endif
