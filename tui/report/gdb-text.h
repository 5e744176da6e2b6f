/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GDB says, with the colours that GDB gives it on a terminal of its own: behind its machine
 * interface it gives none. */
#ifndef TUI_REPORT_GDB_TEXT_H
#define TUI_REPORT_GDB_TEXT_H

#include <glib.h>

/* A line without its newline.  A source line is coloured by our own rules; a line that is not known
 * stays plain.  Caller frees. */
char *tui_gdb_line(const char *line);

#endif
