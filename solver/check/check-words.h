/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The condition and the words of a check, at one call of it.  Besides C with registers a
 * condition may hold
 *
 *     text(EXPR)          the characters of the string there, as a C string
 *     same(A, B, LENGTH)  so many bytes are the same in both places
 *
 * and words may hold, with C's conversions, %d(EXPR), %lu(EXPR), %s(EXPR), %Lg(ADDRESS) ..., and
 * %format(N): argument N, counted from 1, is a format, and its values follow.
 * A part in braces is left out when something in it is not known; when it stands first and is
 * known, it is all.
 */
#ifndef SOLVER_CHECK_CHECK_WORDS_H
#define SOLVER_CHECK_CHECK_WORDS_H

#include "solver/trace/run.h"

/* One call, about to be made. */
struct check_call {
	const struct trace_cursor *cursor;
	const struct trace_module *module;
	const struct trace_insn *insn;
};

/* The condition with text() and same() expanded to what they mean now; NULL when that is not
 * known.  Caller frees. */
char *check_condition(const struct check_call *call, const char *holds);
/* Does an expanded condition hold?  False with *known false when that cannot be told. */
bool check_holds(const struct check_call *call, const char *condition, bool *known);
/* The words, in one line; what is not known is `?'.  Caller frees. */
char *check_words(const struct check_call *call, const char *says);

#endif
