/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `gdb-why ask why output': which calls printed a line, and why it came out so. */
#ifndef GDBEXT_COMMAND_ASK_OUTPUT_H
#define GDBEXT_COMMAND_ASK_OUTPUT_H

#include "gdbext/options/options.h"

/* As ask_command; options_asks_output is true of o. */
int ask_output_command(const struct options *o, GError **error);

#endif
