/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way from a suspect to the failure: the definitions that the suspect's change
 * reaches (by data, or by deciding what runs) and that the failed requirement depends
 * on, with their values as they were and as they would have been.
 *
 *     b = a + 1       b = 1 -> 0
 *     data ->         assert(b <= a)    b <= a: false -> true
 */
#ifndef SOLVER_ANSWER_CHAIN_H
#define SOLVER_ANSWER_CHAIN_H

#include "solver/naming/naming.h"
#include "solver/search/search.h"

/* Appends the suspect's links to e->chain and their indices to suspect->chain, and says whether
 * the test passes unchecked with it.  When no way is found, nothing is appended.  The failure's
 * own link comes last.  A way of more than limits->chain_links loses its middle.  A link that says
 * the same as one that is there is shared. */
void chain_describe(struct explanation *e, struct naming *naming, const struct formula *f,
		    const struct search_answer *a, struct explanation_suspect *suspect);

/* Call it when all suspects are there: puts e->chain in their order, the failure last, and leaves
 * out what belonged to suspects that are there no more. */
void chain_finish(struct explanation *e);

#endif
