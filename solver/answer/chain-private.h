/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two halves of chain.h: chain-way.c finds which definitions lie on the way,
 * chain.c puts them into words.
 */
#ifndef SOLVER_ANSWER_CHAIN_PRIVATE_H
#define SOLVER_ANSWER_CHAIN_PRIVATE_H

#include "solver/answer/chain.h"

struct way {
	int32_t cost;  /* to the failure */
	uint32_t next; /* definition, or f->definitions->len for the failure */
};

struct tracer {
	const struct formula *f;
	const struct search_answer *answer;
	struct naming *naming;
	struct explanation *e;
	term_bits *after; /* by definition: with the suspect's change */
	struct term_memo *before_memo, *after_memo;
	GHashTable *changed; /* number of a definition + 1 → its change */
	struct way *ways;
	int32_t *told[2]; /* by term: the least cost that it was told so far, by control and by
			   * data */
	GArray *open;	  /* uint32_t: terms to go through */
	GArray *nodes;	  /* struct node, of the suspect's links */
};

/* A link that is being made. */
struct node {
	uint32_t first, last; /* definitions of this statement on the way */
	int next;	      /* the node that it leads to, -1 = the failure */
};

/* Finds the values, ways and nodes of the answer's changes.  t->f, answer, naming and e are
 * set; the rest is set here and freed by chain_way_deinit. */
void chain_way_init(struct tracer *t);
void chain_way_deinit(struct tracer *t);

/* Does the path come to the definition in the failing run?  And with the change? */
bool chain_way_before(const struct tracer *t, const struct definition *d);
bool chain_way_after(const struct tracer *t, const struct definition *d);
/* With the change, control goes down a side that no run took, so what follows is not known. */
bool chain_way_leaves(const struct tracer *t);
const struct definition *chain_way_def(const struct tracer *t, uint32_t i);

#endif
