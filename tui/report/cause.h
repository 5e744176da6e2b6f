/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tree of causes, as far as it is unfolded: text by indentation, or JSON.
 *
 *     b = 1              paper.c:30  assert(b <= a);
 *      1  from           paper.c:27  b = a + 1;        b = 1
 *      2    from         paper.c:38  P(x, y);          a = 0
 *      3    when         paper.c:26  if (y < 5)        true
 *
 * Rows are numbered where .from_row says how to go on from one, and then the nearest .max_rows
 * of them are shown.
 */
#ifndef TUI_REPORT_CAUSE_H
#define TUI_REPORT_CAUSE_H

#include "solver/cause/cause.h"
#include "tui/report/report.h"

/* The most that a person is shown who did not ask for all. */
enum { TUI_CAUSE_ROWS = 24 };

/* Writes it to out and flushes it; false when out took no more. */
bool tui_print_causes(FILE *out, const struct cause_tree *t, const char *question,
		      const struct tui_options *o);
/* The same, as text, of one of its causes and what lies behind that. */
bool tui_print_causes_of(FILE *out, const struct cause_tree *t, unsigned root,
			 const struct tui_options *o);
/* The cause that the text about root shows in that row; false = it has no such row. */
bool tui_cause_of_row(const struct cause_tree *t, unsigned root, const struct tui_options *o,
		      unsigned number, unsigned *cause);

#endif
