/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentences of the text answer, without layout.  Each returns clean text
 * in one line; free it.
 */
#ifndef TUI_REPORT_WORDS_H
#define TUI_REPORT_WORDS_H

#include "tui/report/report.h"

/* "assertion `b <= a' failed at p.c:13 in P"; place as tui_place gives it. */
char *tui_words_failure(const struct explanation_failure *f, const char *place);
/* Is the clause one of several conditions in the line's text, such as one side of `&&'?  Then it
 * has to be named: what it was is not what the line decided. */
bool tui_words_is_part(const char *text, const char *clause);
/* "b = 1, a = 0, y < 5: true"; "" when there are none. */
char *tui_words_values(const GArray *values);
char *tui_words_value(const char *name, const char *value);
/* Has the line the name already, where both together are wider than the room? */
bool tui_words_is_told(const char *line, const struct explanation_value *v, unsigned room);
/* The sentence with which the answer begins where the test does not do the same each time; NULL =
 * it does. */
char *tui_words_differs(const struct explanation *e);
/* "2 explanations, each proven by replay" */
char *tui_words_count(const struct explanation *e);
/* "0.3 s", "12 ms"; "" when it is no time. */
char *tui_words_time(double ms);
/* What one statement did and would do: "gave b = 1; with b = 0",
 * "went true; going false".  Executions whose values differ each have their own: "gave b = 10, 12
 * (2 of 7 times); with b = 11, 13 in turn".  statement: an index into s's. */
char *tui_words_change(const struct explanation_suspect *s, unsigned statement);
/* What happened then, to stand after the last change: "the test passes".  It passes "unchecked"
 * when it no longer comes to the check that failed.  kind: of the failure; for a condition it
 * is "it holds". */
char *tui_words_outcome(const struct explanation_suspect *s, const char *kind);
/* What one of its statements did, and with what the test passes: "gave b = 1; with b = 0 the
 * test passes".  The outcome stands behind the last statement only. */
char *tui_words_verdict(const struct explanation_suspect *s, unsigned statement, const char *kind);
/* The small change of a suspect's line with which the test passes, too, where it says more than the
 * suspect's values: each is another one, or an address of which nobody knows what it is.  "with
 * `s = 0' put before it the test passes"; NULL: the values say enough, or there is no such change.
 */
char *tui_words_change_alone(const struct explanation_suspect *s);
/* * What other tests of the suite say about it: "450 for 350 here: all 3 failing tests …"; NULL =
 * nothing.  kind: explanation_failure.kind. */
char *tui_words_evidence(const struct explanation_suspect *s, const char *kind);

#endif
