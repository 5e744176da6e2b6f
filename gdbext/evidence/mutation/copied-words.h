/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a source's words tell of a change by how they were written: people copy a part of a line and
 * forget to change a name in it (Z. Li et al., CP-Miner, OSDI 2004), and they write the indices of
 * an array in one order everywhere.
 */
#ifndef GDBEXT_EVIDENCE_MUTATION_COPIED_WORDS_H
#define GDBEXT_EVIDENCE_MUTATION_COPIED_WORDS_H

#include <stdbool.h>

/* Is the change ("`columns' for `rows'") of a name that stands twice in text, a line with several
 * conditions, and does the line lack the other name?  `y < m->rows && x < m->rows' */
bool copied_words_forgot_name(const char *text, const char *change);

/* The indices that the change ("`x' and `y' exchanged") puts in another order, as text has them,
 * "[y][x]"; free it.  NULL: text has no two indices of these names beside each other. */
char *copied_words_indices(const char *text, const char *change);

#endif
