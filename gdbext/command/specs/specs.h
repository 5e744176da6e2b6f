/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why specs: what a C file says must hold, checked, and what breaks it. */
#ifndef GDBEXT_COMMAND_SPECS_SPECS_H
#define GDBEXT_COMMAND_SPECS_SPECS_H

#include "gdbext/options/options.h"

int specs_command(const struct options *o, GError **error);

#endif
