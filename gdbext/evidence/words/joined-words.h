/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What joins the conditions of `if (a || b)', where a branch of the machine goes elsewhere.
 *
 * A compiler makes a jump for each condition, and where it goes is what `&&' and `||' say.  With
 * another place to go, the jumps may do what the source would do with `&&' for `||'; or what no
 * small change of the source would do, such as `!a && b'.  Which of the two it is, is tried out:
 * for all values of the conditions, which of them are asked, and what comes of it.
 */
#ifndef GDBEXT_EVIDENCE_WORDS_JOINED_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_JOINED_WORDS_H

#include "solver/change/mutator.h"
#include "solver/source/source.h"

/* "`&&' for `||'", "`||' for the 2nd `&&'", of a MUTANT_BRANCH; NULL: the source has no such change
 * that does the same.  Free it. */
char *joined_words(const struct image *im, struct sources *sources, const struct limits *limits,
		   const struct mutant *mutant);

#endif
