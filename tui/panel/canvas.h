/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A screen as a grid of characters, drawn without knowing what terminal shows it.
 * Wide characters take two cells, of which the second holds 0.
 */
#ifndef TUI_PANEL_CANVAS_H
#define TUI_PANEL_CANVAS_H

#include "tui/report/color.h"

struct canvas_cell {
	gunichar c; /* 0: the second half of the one before */
	enum tui_role role;
	bool reverse, bold;
};

struct canvas {
	unsigned width, height;
	gunichar cut;		   /* the last character of a text that did not fit */
	struct canvas_cell *cells; /* row by row */
};

/* A rectangle of it. */
struct canvas_area {
	unsigned x, y, width, height;
};

/* Blank. */
void canvas_init(struct canvas *c, unsigned width, unsigned height);
void canvas_deinit(struct canvas *c);
const struct canvas_cell *canvas_at(const struct canvas *c, unsigned x, unsigned y);

/* Writes clean text (tui_clean, tui_clean_code) from column x of the area's row y
 * on; what does not fit is cut, and c->cut says so.  Returns the column behind it. */
unsigned canvas_put(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		    enum tui_role role, const char *text);
/* Makes what stands from one column of the area's row to another bold, whatever its role is. */
void canvas_embolden(struct canvas *c, const struct canvas_area *a, unsigned from, unsigned until,
		     unsigned y);
/* Turns a row of the area to reverse video. */
void canvas_reverse(struct canvas *c, const struct canvas_area *a, unsigned y);
/* The text alone, a line a row, without blanks at their ends; free it. */
char *canvas_text(const struct canvas *c);

#endif
