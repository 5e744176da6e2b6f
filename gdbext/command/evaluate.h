/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why evaluate': techniques measured on faulty versions, and what came of it. */
#ifndef GDBEXT_COMMAND_EVALUATE_H
#define GDBEXT_COMMAND_EVALUATE_H

#include "gdbext/options/options.h"

/* As explain_command. */
int evaluate_command(const struct options *o, GError **error);

#endif
