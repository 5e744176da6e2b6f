/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One suspect's way to the failure, drawn: a box a link from top to bottom,
 * arrows for what led to what. */
#ifndef TUI_REPORT_SVG_H
#define TUI_REPORT_SVG_H

#include "tui/report/page.h"

/* Appends an <svg> element; nothing when there is no way of two links at least. */
void tui_svg(GString *out, const struct tui_page *page, const struct explanation *e,
	     const struct explanation_suspect *s);

#endif
