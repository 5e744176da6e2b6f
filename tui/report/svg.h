/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One suspect's way to the failure as a drawing: a box for each link, from top to bottom, and
 * arrows for what led to what. */
#ifndef TUI_REPORT_SVG_H
#define TUI_REPORT_SVG_H

#include "tui/report/page.h"

/* Appends an <svg> element; nothing when the way has fewer than two links. */
void tui_svg(GString *out, const struct tui_page *page, const struct explanation *e,
	     const struct explanation_suspect *s);

#endif
