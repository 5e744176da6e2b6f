/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value that is asked about, beside what the user's own debugger shows (--shown). */
#ifndef GDBEXT_COMMAND_ASK_SHOWN_H
#define GDBEXT_COMMAND_ASK_SHOWN_H

#include <glib.h>

/* about: the expression; value: as the record tells it, which is taken; NULL = it does not; shown:
 * as the debugger shows it, or NULL.  Returns the one that is known in more parts, for the caller
 * to free.  NULL with error: both are numbers, and they differ, so that another stop is meant; or
 * without, neither is known. */
char *ask_shown_value(const char *about, char *value, const char *shown, GError **error);

#endif
