/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `gdb-why lesson': the course (gdbext/lesson). */
#ifndef GDBEXT_COMMAND_LESSON_H
#define GDBEXT_COMMAND_LESSON_H

#include "gdbext/options/options.h"

/* Returns the exit status (options.h); *error has a sentence where something could not be done. */
int lesson_command(const struct options *o, GError **error);

/* Is it an explanation, asked for in a folder of an examination?  Then *error says that it is
 * refused. */
bool lesson_refuses(const struct options *o, GError **error);

#endif
