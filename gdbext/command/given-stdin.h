/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GDBEXT_COMMAND_GIVEN_STDIN_H
#define GDBEXT_COMMAND_GIVEN_STDIN_H

#include "gdbext/options/options.h"

/*
 * `gdb-why explain -- ./p <FILE' is what people type who run `./p <FILE': without --stdin the file
 * becomes o->stdin_file.  It must have a name and not have been read yet: what is left of a file
 * belongs to the shell's loop around us.  A pipe is not read, since nobody knows whether it ends;
 * when something waits in it, a sentence on standard error says what to do.
 */
void given_stdin(struct options *o);

#endif
