/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the machine's code, as a line of the source may have them. */
#ifndef GDBEXT_EVIDENCE_WORDS_LITERAL_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_LITERAL_WORDS_H

#include "solver/change/code/mutant.h"
#include "solver/image/image.h"

/* A number of the code may stand in the source's line, it may be certain that it does not, or it
 * may be the value of a name. */
enum literal { LITERAL_THERE, LITERAL_NOT_THERE, LITERAL_UNKNOWN };

/* Names of enumerations have the values that the image tells; what other capital names stand for
 * is not known.  A number without a literal: `if (x)' compares with 0. */
enum literal literal_in(const struct image *im, const char *text, int64_t number);
/* Has the text the number as a character and as a number: `i = 0' and `c != '\0''? */
bool literal_has_two_forms(const char *text, int64_t number);
/* The other truth value in words, where the text has the one that the number 0 or 1 stands for;
 * else NULL.  Nobody adds a truth value. */
const char *literal_turned_truth(const struct image *im, const struct mutant *of, const char *text);
/* As a character where the text has it so, as "'a'".  Free it. */
char *literal_text(int64_t value, const char *text);

#endif
