/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why try: the test once more, with one thing changed. */
#ifndef GDBEXT_COMMAND_TRY_TRY_H
#define GDBEXT_COMMAND_TRY_TRY_H

#include "gdbext/options/options.h"

int try_command(const struct options *o, GError **error);

#endif
