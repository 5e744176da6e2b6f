/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/color.h"

#include <string.h>
#include <unistd.h>

static const char *const sequences[] = {
	[TUI_PLAIN] = "",	    [TUI_FAILURE] = "\033[1;31m",
	[TUI_PLACE] = "\033[36m",   [TUI_CODE] = "\033[1m",
	[TUI_GOOD] = "\033[32m",    [TUI_BAD] = "\033[31m",
	[TUI_FAINT] = "\033[2m",    [TUI_HEADING] = "\033[1m",
	[TUI_KEYWORD] = "\033[35m", [TUI_LITERAL] = "\033[33m",
	[TUI_COMMENT] = "\033[34m", [TUI_HEAT_1] = "\033[32m",
	[TUI_HEAT_2] = "\033[36m",  [TUI_HEAT_3] = "\033[33m",
	[TUI_HEAT_4] = "\033[31m",  [TUI_HEAT_5] = "\033[1;31m",
};

bool tui_color_wanted(enum tui_color_when when, FILE *out)
{
	const char *no_color = g_getenv("NO_COLOR");
	const char *term = g_getenv("TERM");

	if (when != TUI_COLOR_AUTO)
		return when == TUI_COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return term && *term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

const char *tui_color_on(bool colors, enum tui_role role)
{
	return colors ? sequences[role] : "";
}

const char *tui_color_off(bool colors, enum tui_role role)
{
	return colors && *sequences[role] ? "\033[0m" : "";
}
