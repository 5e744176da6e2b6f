/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one entry to rendering a ranking of lines (solver/rank/ranking.h): as text, JSON
 * (tests/ranking.schema.json) or CSV. */
#ifndef TUI_REPORT_RANK_RANK_H
#define TUI_REPORT_RANK_RANK_H

#include "solver/rank/ranking.h"
#include "tui/report/report.h"

enum tui_rank_format { TUI_RANK_TEXT, TUI_RANK_JSON, TUI_RANK_CSV };

/* All zero is a good default. */
struct tui_rank_options {
	enum tui_rank_format format;
	bool annotate;	    /* text: the source with scores at its margin, not a table */
	unsigned max_lines; /* text: how many are shown, 0 = all */
	enum tui_color_when color;
	unsigned width;	       /* as in struct tui_options */
	const char *directory; /* likewise */
};

/* As tui_print. */
bool tui_print_ranking(FILE *out, const struct ranking *r, const struct tui_rank_options *o);

/* The position by r's scheme, as in "2.5".  Free it. */
char *tui_rank_text(const struct ranking *r, const struct ranking_score *s);
/* "0.7071", "inf".  Free it. */
char *tui_score_text(double score);

#endif
