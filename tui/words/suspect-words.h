/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences about a suspect, as those of tui/words/words.h. */
#ifndef TUI_WORDS_SUSPECT_WORDS_H
#define TUI_WORDS_SUSPECT_WORDS_H

#include "solver/explanation.h"

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
/* What other tests of the suite say about it: "450 for 350 here: all 3 failing tests …"; NULL =
 * nothing.  kind: explanation_failure.kind. */
char *tui_words_evidence(const struct explanation_suspect *s, const char *kind);

#endif
