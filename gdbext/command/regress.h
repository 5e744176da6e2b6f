/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why regress: which changes between two versions made a test fail, and how. */
#ifndef GDBEXT_COMMAND_REGRESS_H
#define GDBEXT_COMMAND_REGRESS_H

#include "gdbext/options/options.h"

/* The exit status. */
int regress_command(const struct options *o, GError **error);

#endif
