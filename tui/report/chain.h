/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causal chain in the text answer: how each suspect leads to the failure,
 * at most seven hops of it.  A chain that joins one already shown says so and
 * stops.
 */
#ifndef TUI_REPORT_CHAIN_H
#define TUI_REPORT_CHAIN_H

#include "tui/report/page.h"

/* Appends the chains of the first `shown` suspects, at most eight; nothing when
 * none has one. */
void tui_chain(struct tui_page *page, const struct explanation *e, unsigned shown, bool cut);

#endif
