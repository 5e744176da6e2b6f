/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one entry to rendering what `gdb-why regress' found: text, JSON (tests/regress.schema.json),
 * a page (HTML) or the tree of causes as a graph (DOT). */
#ifndef TUI_REPORT_REGRESS_REGRESS_H
#define TUI_REPORT_REGRESS_REGRESS_H

#include "solver/regress/answer.h"
#include "tui/report/report.h"

/* As tui_print. */
bool tui_print_regression(FILE *out, const struct regress_answer *a, const struct tui_options *o);
/* "2 of 4 changes to blame"; free it. */
char *tui_regression_headline(const struct regress_answer *a);
/* The answer as text, without colours; free it. */
char *tui_regression_text(const struct regress_answer *a);

#endif
