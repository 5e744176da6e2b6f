/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison of the machine in the words of the source. */
#ifndef GDBEXT_EVIDENCE_WORDS_CONDITION_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_CONDITION_WORDS_H

#include "solver/change/mutator.h"

/* Does the source's line have the operator, and not only a longer one that holds it? */
bool condition_has_operator(const char *text, const char *name);
/* Does it have one of `<', `>', `<=', `>='?  `p->n' compares nothing. */
bool condition_compares_order(const char *text);
/* Does it have that of this condition code of x86? */
bool condition_is_written(int code, const char *text);
/* Does the line take the other one of two values, by `?' or a macro like MAX?  A compiler makes the
 * same instruction of `if', too. */
bool condition_chooses(const struct mutant *mutant, const char *text);
/* "`<=' for `<'", of a MUTANT_CONDITION; free it. */
char *condition_words(const struct mutant *mutant, const char *text);
/* "`<' for `>'", of a call of C++'s operator whose operands are exchanged; NULL: the function is
 * none that compares. */
const char *condition_exchanged_words(const char *function);
/* "`&&' for `||'", of a MUTANT_BRANCH in the condition of that line; NULL: the condition has not
 * exactly one of them, or the change is another one. */
const char *condition_joined_words(const struct image *im, const struct mutant *mutant,
				   const char *file, unsigned line);
/* Is it a loop that counts up while less, for which `>' is put, or the other way round?  Such a
 * loop ends at once, or never. */
bool condition_turns_loop(const struct mutant *mutant, const char *text);

#endif
