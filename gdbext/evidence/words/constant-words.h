/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of the machine in the words of the source.  text: the source's line. */
#ifndef GDBEXT_EVIDENCE_WORDS_CONSTANT_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_CONSTANT_WORDS_H

#include "solver/change/mutator.h"

/* How many bytes an element may have, where the source counts elements and the code counts bytes;
 * else 1. */
int64_t constant_element_size(const struct image *im, const struct mutant *mutant,
			      const char *text);
/* The enumeration of which the text names this value; NULL = none. */
const struct image_type *constant_enumeration(const struct image *im, const char *text,
					      int64_t value);
/* No value of an enumeration takes the place of one: nobody can have meant that. */
bool constant_leaves_enumeration(const struct image *im, const struct mutant *mutant,
				 const char *text);
/* Is the number compared instead of the next one?  `i < N' and `i >= N' are compared with the
 * number below N. */
bool constant_is_one_less(const struct image *im, const struct mutant *mutant, const char *text);
/* Constants that are changed together: "'a' for 'A' and 'z' for 'Z'", of a MUTANT_CONSTANT; free
 * it. */
char *constant_words(const struct image *im, const struct mutant *mutant, const char *text);

/* The bit that a macro like isdigit() looks at is in no source of the user's. */
bool constant_is_of_character_class(const struct mutant *mutant, const char *text);
/* `(flags & DIRTY) != 0': nobody compares that with another number that is near 0. */
bool constant_compares_bits(const struct mutant *mutant, const char *text);

#endif
