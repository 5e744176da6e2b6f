/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GDB's prompt does with a line before it executes it, as far as the line alone tells. */
#ifndef GDBEXT_SESSION_TYPED_RULES_H
#define GDBEXT_SESSION_TYPED_RULES_H

#include <stdbool.h>

/* What an empty line after `line' executes; free it.  NULL: nothing. */
char *rules_repeat(const char *line);

enum rules_question {
	RULES_NOTHING,
	RULES_QUIT,	 /* asked while there is a program */
	RULES_DELETE,	 /* all breakpoints */
	RULES_RUN_AGAIN, /* from the beginning */
	RULES_KILL,
	RULES_ATTACH, /* to another process */
};
/* What GDB asks before it executes a line, when there is something to lose. */
enum rules_question rules_question(const char *line);
/* What it says when the answer was no. */
const char *rules_refused(const char *line);
/* What GDB says, on a terminal, before it reads the lines of a command's body; free it.
 * NULL: nothing. */
char *rules_introduction(const char *line, unsigned last_breakpoint);
/* Does GDB go on reading commands while the program runs (`continue &')? */
bool rules_in_background(const char *line);
bool rules_is_quit(const char *line);
/* Does the line open GDB's own screen, which cannot be used behind its machine interface? */
bool rules_is_tui(const char *line);

#endif
