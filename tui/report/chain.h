/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causal chain in the text answer: how each suspect leads to the failure, in at
 * most seven steps.  A chain that joins one that was shown before says so and stops.
 */
#ifndef TUI_REPORT_CHAIN_H
#define TUI_REPORT_CHAIN_H

#include "tui/report/page.h"

/* Appends the chains of the first `shown' suspects, at most eight.  With .others only the first
 * one's is told where all together are long.  Nothing is appended when none has a chain. */
void tui_chain(struct tui_page *page, const struct explanation *e, unsigned shown,
	       const struct tui_options *o);

/* Appends the chains of all suspects, each whole, and nothing else.  False: none has one. */
bool tui_chain_alone(struct tui_page *page, const struct explanation *e);

/*
 * Rows in a row that only pass a value on are one row: a person looks for where it was made.
 *
 *     from  calc.c:129  printf("%ld\n", sum(&x));  8
 *     from  calc.c:112, 104, 99 and 89, which passed it on
 *     from  calc.c:83   result *= base;            result = 8
 *
 * How many of the links (struct explanation_link *), from number i on, pass on what the one before
 * them has, and the one behind them, too; 0 = so few that nothing is won. */
guint tui_chain_fold(const GPtrArray *links, guint i);
/* Their places: "calc.c:112, 104, 99 and 89".  Free it. */
char *tui_chain_folded(const struct tui_page *page, const GPtrArray *links, guint i, guint n);

#endif
