/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text answer:
 *
 *   assertion `b <= a' failed at p.c:13 in P                     b = 1, a = 0
 *   2 explanations, each proven by replay                               0.3 s
 *    1  p.c:10      b = a+1;    gave b = 1; with b = 0 the test passes
 *    2  p.c:9       if (y < 5)  went true; going false,
 *       and p.c:12  b = a+2;    with b = 0 the test passes
 *
 * then the way from each to the failure (chain.c), limits in words, and what to
 * try next.
 */
#ifndef TUI_REPORT_TEXT_H
#define TUI_REPORT_TEXT_H

#include "tui/report/page.h"

void tui_text(struct tui_page *page, const struct explanation *e, const struct tui_options *o);

#endif
