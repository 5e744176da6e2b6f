/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a source's words tell of a change by how they were written: people copy a part of a line and
 * forget to change a name in it (Z. Li et al., CP-Miner, OSDI 2004), or change it where it should
 * be the same, and they write the indices of an array in one order everywhere.
 */
#ifndef GDBEXT_EVIDENCE_WORDS_COPIED_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_COPIED_WORDS_H

#include <stdbool.h>

/* Is the change ("`columns' for `rows'") of a name that stands twice in text, a line with several
 * conditions, and does the line lack the other name?  `y < m->rows && x < m->rows', and not `c <
 * '0' || c > '9'' */
bool copied_words_forgot_name(const char *text, const char *change);

/* A call in the text as it is with the change ("`b' for `a'"): "room(b, place)" of `n > room(a,
 * place)'. A line beside it that has the same call was copied.  Free it; NULL: no call has that
 * name among its arguments. */
char *copied_words_call(const char *text, const char *change);

/* The indices that the change ("`x' and `y' exchanged") puts in another order, as text has them,
 * "[y][x]"; free it.  NULL: text has no two indices of these names beside each other. */
char *copied_words_indices(const char *text, const char *change);

/* With the change ("`m' for `i'"), is the line what another one becomes when one name, which stands
 * in it several times, is replaced, while it is not so without?  `if (r < n && h[r] < h[i])', where
 * the other one is `if (l < n && h[l] < h[m])'. */
bool copied_words_adapt(const char *text, const char *change, const char *other);

/* Has the text both places that a change exchanges ("`j' and `k' exchanged")? */
bool copied_words_has_both(const char *text, const char *change);

/* False of another place for an element of a list of first values (`{ n, 7 }'), which nobody writes
 * by its name. */
bool copied_words_is_no_list(const char *text, const char *change);

/* True of another place where the text has the element that it stands for by its number: `s[0]',
 * and not `s[i]'.  True as well of all that is no element. */
bool copied_words_has_element(const char *text, const char *change);

/* Does the text name what the change ("`end' for `begin'") replaces?  A loop over a range does
 * not name the functions that it calls.  True as well when the change replaces no name. */
bool copied_words_has_name(const char *text, const char *change);

#endif
