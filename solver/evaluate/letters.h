/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A letter display of groups that were compared pair by pair: groups that do not differ
 * significantly share a letter.  A letter is a largest set of groups of which no two differ (a
 * maximal clique, found by Bron and Kerbosch's algorithm).  Letter 0, shown as A, holds the
 * group with the smallest mean rank.
 *
 *     mean ranks     11  16.75  29.4  40.9  54.5
 *     labels         A   A      AB    BC    C
 */
#ifndef SOLVER_EVALUATE_LETTERS_H
#define SOLVER_EVALUATE_LETTERS_H

#include "solver/evaluate/kruskal.h"

/* No graph has more groups. */
enum { LETTERS_GROUPS_MOST = 64 };

struct letters {
	unsigned n_groups, n_letters;
	unsigned **labels;  /* of each group: its letters, ascending … */
	unsigned *n_labels; /* … and how many they are, at least 1 */
};

struct letters *letters_new(const struct kruskal *k, double alpha);
void letters_free(struct letters *l);

/* How accurate the first group is beside the second, when smaller values are better. */
enum letters_relation {
	LETTERS_SAME, /* the same letters */
	LETTERS_MORE, /* all letters of the first come before those of the second */
	LETTERS_LESS,
	LETTERS_NEAR, /* not the same, but neither is before the other */
	LETTERS_RELATIONS,
};
enum letters_relation letters_compare(const struct letters *l, unsigned first, unsigned second);

/* "BC"; after Z follow a, b …, then numbers in brackets.  Free it. */
char *letters_text(const struct letters *l, unsigned group);

#endif
