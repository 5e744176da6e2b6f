/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why record`: from a failing test to a file. */
#ifndef GDBEXT_COMMAND_RECORD_H
#define GDBEXT_COMMAND_RECORD_H

#include "gdbext/options/options.h"

/* As explain_command. */
int record_command(const struct options *o, GError **error);

#endif
