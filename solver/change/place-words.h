/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in memory that a line goes to through a pointer, as its source names them, and whether one
 * can be meant for another. */
#ifndef SOLVER_CHANGE_PLACE_WORDS_H
#define SOLVER_CHANGE_PLACE_WORDS_H

#include "solver/change/code/mutant.h"
#include "solver/image/variable/variable.h"

/* Would a programmer take the one for the other?  No structure for a number, a pointer only for one
 * to the same type, a value of an enumeration only for one of the same; what is not known (NULL)
 * for anything. */
bool place_types_alike(const struct image_type *a, const struct image_type *b);
/* Does the statement assign to what nobody adds to: a name of an enumeration, a truth value, a
 * pointer, a structure?  text: the line; addr: link-time, an instruction of it. */
bool place_sums_no_numbers(const struct image *im, uint64_t addr, const char *text,
			   const struct limits *limits);
/* Does it count a number up or down, or add to it?  Then no name of an enumeration is meant. */
bool place_counts(const struct image *im, uint64_t addr, const char *text,
		  const struct limits *limits);

/* For a MUTANT_VARIABLE in a line with this text; free what they give.
 * "`cols' for `rows'": the address comes from a pointer, so the type tells which of its members the
 * line names there; NULL: none. */
char *place_words_member(const struct image *im, const struct mutant *mutant, const char *text);
/* "`p[-1]' for `*p'", or for `p[0]'; NULL: the line does not go through a pointer of its own. */
char *place_words_element(const struct image *im, const struct mutant *mutant, const char *text);

/* The same of the only element that the text names by an index: "`line[n - 1]' for `line[n]'". */
char *place_words_neighbour(const struct image *im, const struct mutant *mutant, const char *text);

#endif
