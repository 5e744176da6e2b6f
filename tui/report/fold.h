/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows in a row that only pass a value on are one row: a person looks for where it was made.
 *
 *     from  calc.c:129  printf("%ld\n", sum(&x));  8
 *     from  calc.c:112, 104, 99 and 89, which passed it on
 *     from  calc.c:83   result *= base;            result = 8
 */
#ifndef TUI_REPORT_FOLD_H
#define TUI_REPORT_FOLD_H

#include "tui/report/page.h"

/* How many of the links (struct explanation_link *), from number i on, pass on what the one before
 * them has, and the one behind them, too; 0 = so few that nothing is won. */
guint tui_fold(const GPtrArray *links, guint i);
/* Their places: "calc.c:112, 104, 99 and 89".  Free it. */
char *tui_fold_places(const struct tui_page *page, const GPtrArray *links, guint i, guint n);

#endif
