/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tree of causes, as far as it is unfolded: text by indentation, or JSON.
 *
 *     b = 1            paper.c:30  assert(b <= a);
 *       from           paper.c:27  b = a + 1;        b = 1
 *         from         paper.c:38  P(x, y);          a = 0
 *         when         paper.c:26  if (y < 5)        true
 */
#ifndef TUI_REPORT_CAUSE_H
#define TUI_REPORT_CAUSE_H

#include "solver/cause/cause.h"
#include "tui/report/report.h"

/* Writes it to out and flushes it; false when out took no more. */
bool tui_print_causes(FILE *out, const struct cause_tree *t, const char *question,
		      const struct tui_options *o);

#endif
