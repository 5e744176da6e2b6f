/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of --stats. */
#ifndef TUI_REPORT_STATS_H
#define TUI_REPORT_STATS_H

#include "tui/report/page.h"

void tui_stats(struct tui_page *page, const struct explanation_stats *s);

#endif
