/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `gdb-why ask': questions about a run, at a stop in it. */
#ifndef GDBEXT_COMMAND_ASK_H
#define GDBEXT_COMMAND_ASK_H

#include "gdbext/options/options.h"

/* Answers and prints; the exit status.  A message for status 2, 3 and 130 is in
 * error. */
int ask_command(const struct options *o, GError **error);

#endif
