/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The renderers of a ranking. */
#ifndef TUI_REPORT_RANK_RANK_PRIVATE_H
#define TUI_REPORT_RANK_RANK_PRIVATE_H

#include "tui/report/page.h"
#include "tui/report/rank/rank.h"

void tui_rank_head(struct tui_page *page, const struct ranking *r);
void tui_rank_table(struct tui_page *page, const struct ranking *r, unsigned max_lines);
void tui_rank_side_by_side(struct tui_page *page, const struct ranking *r, unsigned max_lines);
void tui_rank_annotate(struct tui_page *page, const struct ranking *r);
char *tui_rank_json(const struct ranking *r);
char *tui_rank_csv(const struct ranking *r);

#endif
