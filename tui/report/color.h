/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of the text answer. */
#ifndef TUI_REPORT_COLOR_H
#define TUI_REPORT_COLOR_H

#include "tui/report/report.h"

enum tui_role {
	TUI_PLAIN,
	TUI_FAILURE, /* what failed */
	TUI_PLACE,   /* file:line */
	TUI_CODE,    /* source text */
	TUI_GOOD,    /* proven */
	TUI_BAD,     /* refuted */
	TUI_FAINT,   /* rank, time, edges */
	TUI_HEADING,
	/* parts of source text */
	TUI_KEYWORD,
	TUI_LITERAL,
	TUI_COMMENT,
	/* from the least suspicious line to the most */
	TUI_HEAT_1,
	TUI_HEAT_2,
	TUI_HEAT_3,
	TUI_HEAT_4,
	TUI_HEAT_5,
};

/* --color beats NO_COLOR (set and not empty) beats the terminal: none, or
 * TERM=dumb or unset, means no colour. */
bool tui_color_wanted(enum tui_color_when when, FILE *out);

/* The escape sequences around a role; "" when off. */
const char *tui_color_on(bool colors, enum tui_role role);
const char *tui_color_off(bool colors, enum tui_role role);

#endif
