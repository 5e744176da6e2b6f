/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user of the panel wants GDB to do, as GDB's commands, one a line: the
 * breakpoints, where to go, or how to go on.  The session and why.gdb let GDB execute
 * them.
 */
#ifndef GDBEXT_COMMAND_PANEL_PANEL_LEAVE_H
#define GDBEXT_COMMAND_PANEL_PANEL_LEAVE_H

#include "tui/panel/panel.h"

/* "break /src/a.c:3", or GDB's longer form when the name needs it; NULL: GDB cannot be told
 * this name.  Free it. */
char *panel_leave_break(const char *command, const char *file, unsigned line);
/* The breakpoints set in p, and then `last' (a command, NULL: none); "" when there is nothing
 * to do.  Free it. */
char *panel_leave_commands(const struct panel *p, const char *last);

#endif
