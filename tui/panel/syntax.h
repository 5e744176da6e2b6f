/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours for the text of C and C++: keywords, literals and comments.  Everything else is plain. */
#ifndef TUI_PANEL_SYNTAX_H
#define TUI_PANEL_SYNTAX_H

#include "tui/panel/canvas.h"

/* For each line (char *): does it begin within a comment that began in a line before?  One byte a
 * line; free the array. */
GByteArray *syntax_comments(const GPtrArray *lines);

/* Writes a clean line (tui_clean_code) as canvas_put does.  inside: it begins within a comment. */
unsigned syntax_put(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		    const char *code, bool inside);

#endif
