/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentences of the text answer, without layout.  Each returns clean text
 * in one line; free it.
 */
#ifndef TUI_WORDS_WORDS_H
#define TUI_WORDS_WORDS_H

#include "solver/explanation.h"

/* "assertion `b <= a' failed at p.c:13 in P"; place as tui_place gives it. */
char *tui_words_failure(const struct explanation_failure *f, const char *place);
/* Is the clause one of several conditions in the line's text, such as one side of `&&'?  Then it
 * has to be named: what it was is not what the line decided. */
bool tui_words_is_part(const char *text, const char *clause);
/* "b = 1, a = 0, y < 5: true"; "" when there are none. */
char *tui_words_values(const GArray *values);
char *tui_words_value(const char *name, const char *value);
/* The same of clean texts: "b <= 0", "not run -> b = 0"; the value alone where there is no name. */
char *tui_words_equation(const char *name, const char *value);
/* Has the line the name already, where both together are wider than the room? */
bool tui_words_is_told(const char *line, const struct explanation_value *v, unsigned room);
/* The sentence with which the answer begins where the test does not do the same each time; NULL =
 * it does. */
char *tui_words_differs(const struct explanation *e);
/* "2 explanations, each proven by replay" */
char *tui_words_count(const struct explanation *e);
/* "0.3 s", "12 ms"; "" when it is no time. */
char *tui_words_time(double ms);
#endif
