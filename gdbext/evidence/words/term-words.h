/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terms of conditions that compare otherwise, or are left out: with a branch that is never taken,
 * or always, `if (a || b)' may do what `if (a)' would.
 */
#ifndef GDBEXT_EVIDENCE_WORDS_TERM_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_TERM_WORDS_H

#include "solver/change/mutator.h"

struct term_words;

/* im and limits are not owned. */
struct term_words *term_words_new(const struct image *im, const struct limits *limits);
void term_words_free(struct term_words *x);
/* The term that a MUTANT_DROPPED leaves out, so that the other terms alone decide: `b'; NULL: it
 * does no such thing.  x's. */
const char *term_words_left_out(struct term_words *x, const struct mutant *mutant);

/* "`b' always true", "`b' never true", of any other MUTANT_DROPPED; free it.  NULL: it is not known
 * which. */
char *term_words_fixed(struct term_words *x, const struct mutant *mutant);

/* The condition that the jump at a link-time address decides, which may be one of several in its
 * line: `strcmp(v, "on")'; NULL: it is not known.  x's. */
const char *term_words_clause(struct term_words *x, uint64_t jump);
/* What a MUTANT_CONDITION of a line with that text compares otherwise: "`<' for `<='", and where
 * the line has several comparisons "`i < n' for `i <= n'".  Free it. */
char *term_words_comparison(struct term_words *x, const struct mutant *mutant, const char *text);
/* "`&&' for `||'", of a MUTANT_BRANCH: joined-words.h.  NULL: the source has no such change.  x's.
 */
const char *term_words_joined(struct term_words *x, const struct mutant *mutant);

#endif
