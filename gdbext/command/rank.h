/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why rank`: from a test suite to a ranking of lines. */
#ifndef GDBEXT_COMMAND_RANK_H
#define GDBEXT_COMMAND_RANK_H

#include "gdbext/options/options.h"

/* As explain_command. */
int rank_command(const struct options *o, GError **error);

#endif
