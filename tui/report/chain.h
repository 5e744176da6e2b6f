/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causal chain in the text answer: how each suspect leads to the failure, in at
 * most seven steps.  A chain that joins one that was shown before says so and stops.
 */
#ifndef TUI_REPORT_CHAIN_H
#define TUI_REPORT_CHAIN_H

#include "tui/report/page.h"

/* Appends the chains of the first `shown' suspects, at most eight.  others: what shows all (struct
 * tui_options); then only the first one's are told where all together are long; NULL = all are.
 * Nothing is appended when none has a chain. */
void tui_chain(struct tui_page *page, const struct explanation *e, unsigned shown,
	       const char *others);

#endif
