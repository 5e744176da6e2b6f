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
/* How the source may write a comparison that the machine makes.  A compiler makes `i <= 7' of `i <
 * 8', so that one with its operands exchanged, `8 > i', is only read where it is known whether the
 * jump is taken when the source's comparison holds. */
enum condition_reading {
	CONDITION_READ_FREELY, /* it holds or not, and its operands may be exchanged */
	CONDITION_AS_WRITTEN,  /* it holds or not */
	CONDITION_HOLDS,       /* the operands may be exchanged */
	CONDITION_FAILS,       /* the same, of one that does not hold when the jump is taken */
};

/* What condition_words tells of a comparison that the source does not have so. */
#define CONDITION_ANOTHER "another comparison"

/* "`<=' for `<'", of a MUTANT_CONDITION; free it. */
char *condition_words(const struct mutant *mutant, const char *text,
		      enum condition_reading reading);
/* "`<' for `>'", of a call of C++'s operator whose operands are exchanged; NULL: the function is
 * none that compares. */
const char *condition_exchanged_words(const char *function);
/* Is it a loop that counts up while less, for which `>' is put, or the other way round?  Such a
 * loop ends at once, or never. */
bool condition_turns_loop(const struct mutant *mutant, const char *text);

#endif
