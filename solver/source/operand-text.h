/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables and members in the text of a statement: `a', `r.n', `p->next'. */
#ifndef SOLVER_SOURCE_OPERAND_TEXT_H
#define SOLVER_SOURCE_OPERAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is the word the text's first one? */
bool operand_text_begins(const char *text, const char *word);
/* Does the text have the operand?  Not as a part of another one: `x.n' has no `n'. */
bool operand_text_has(const char *text, const char *operand);
/* Does it stand at that place of the text? */
bool operand_text_stands(const char *text, const char *at, const char *operand);
/* The same of a word, which may be a part of an operand. */
bool operand_text_has_word(const char *text, const char *word);
/* The text with b for a, each time; with a for b as well where they are exchanged.  Free it. */
char *operand_text_with(const char *text, const char *a, const char *b, bool exchanged);
/* The text with the word a where b is, and b where a is: `n->next->prev = n->prev' for
 * `n->prev->next = n->next'.  Free it. */
char *operand_text_mirrored(const char *text, const char *a, const char *b);
/* Are they members of one object, as `r.n' and `r.d' are? */
bool operand_text_is_of_one_object(const char *a, const char *b);
/* Is something asked there whether it is a character, or the end of a file: `c == '\n''? */
bool operand_text_is_character_asked(const char *text);
/* Is what has that name, a variable or a member of anything, counted there, or changed by `+=' and
 * the like, or is its address taken?  What is only assigned is not: `int n = 0'. */
bool operand_text_is_counted(const char *text, const char *name);
/* How often the regular expression matches. */
unsigned operand_text_matches(const char *text, const char *pattern);
/* How long the line is without a comment and blanks at its end. */
size_t operand_text_code_length(const char *text);
/* What follows the last sign that is no part of a word: the `size' of `p->size'. */
const char *operand_text_last_word(const char *text);

#endif
