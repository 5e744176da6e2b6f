/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text by the columns it takes on a screen.  Everything that came from outside
 * (source lines, names, values) goes through tui_clean before it is shown: a
 * source file may hold escape sequences or bytes that are no UTF-8.
 */
#ifndef TUI_WORDS_LINE_H
#define TUI_WORDS_LINE_H

#include <glib.h>

/* Valid UTF-8 in one line: blanks outside of "strings" are joined, control characters and stray
 * bytes become `?'.  NULL becomes "".  Free it. */
char *tui_clean(const char *text);

/* Likewise a source line as it stands: its blanks stay, a tab goes on to the next
 * eighth column. */
char *tui_clean_code(const char *text);

/* Columns that clean text takes: 2 for wide characters, 0 for combining ones. */
unsigned tui_width(const char *text);

/* At most width columns of clean text, the cut shown by "...".  Free it. */
char *tui_elide(const char *text, unsigned width);

/* Breaks clean text at blanks into lines of at most width columns (a longer
 * word stands alone and is elided).  At least one line, strings owned by the
 * array. */
GPtrArray *tui_wrap(const char *text, unsigned width);
/* How many lines the text ends. */
unsigned tui_count_lines(const char *text);

#endif
