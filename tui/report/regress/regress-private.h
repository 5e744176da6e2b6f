/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TUI_REPORT_REGRESS_REGRESS_PRIVATE_H
#define TUI_REPORT_REGRESS_REGRESS_PRIVATE_H

#include "solver/regress/answer.h"
#include "tui/report/page.h"

/* Each a whole document; free it. */
char *tui_regress_text(FILE *out, const struct regress_answer *a, const struct tui_options *o);
char *tui_regress_json(const struct regress_answer *a);
char *tui_regress_html(const struct regress_answer *a);
char *tui_regress_dot(const struct regress_answer *a);

/* Sentences that all share; free them. */
char *tui_regress_headline(const struct regress_answer *a); /* what was found */
char *tui_regress_without(const struct regress_answer *a);  /* the first half of the proof */
char *tui_regress_with(const struct regress_answer *a);	    /* the other */
char *tui_regress_basis(const struct regress_answer *a);    /* where the candidates came from */
char *tui_regress_costs(const struct regress_answer *a);
/* "change 3 of 12   f.c:10 in f" */
char *tui_regress_place(const struct regress_answer *a, unsigned change);
/* Is the cause worth showing?  Those on the way from a root change to the failure are; where none
 * is, the failure's own. */
bool tui_regress_shows(const struct regress_answer *a, guint cause);
/* "why it fails", "why x < y went false at f.c:5"; capital: the first letter.  Free it. */
char *tui_regress_why(const struct regress_answer *a, guint cause, bool capital);
/* "sum = 3, before 9" */
char *tui_regress_values(const struct regress_statement *s);

#endif
