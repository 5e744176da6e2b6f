/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `gdb-why [GDB's options] [PROG]`: a prompt like GDB's own, and `why`. */
#ifndef GDBEXT_COMMAND_SESSION_H
#define GDBEXT_COMMAND_SESSION_H

#include "gdbext/options/options.h"

/* Returns the exit status: what `quit` was given, or OPTIONS_EXIT_USAGE with
 * *error when GDB could not be started or was lost. */
int session_command(const struct options *o, GError **error);

#endif
