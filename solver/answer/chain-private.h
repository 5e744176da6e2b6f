/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What chain.c shares.  The two halves of chain.h: chain-way.c finds which definitions lie on the
 * way, chain.c puts them into words.  way.c makes links of what the run alone tells.
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
	const struct limits *limits;
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
/* Is the definition one of the answer's changes? */
bool chain_way_changes(const struct tracer *t, uint32_t i);
const struct definition *chain_way_def(const struct tracer *t, uint32_t i);

/* ---- links ---- */

/* A link without values. */
struct explanation_link chain_link(enum explanation_edge edge);
/* Adds a value, unless it is NULL. */
void chain_value(struct explanation_link *l, const char *name, const char *value);
/* The failure as the last link.  unchecked: as struct explanation_suspect's. */
struct explanation_link chain_failure(const struct explanation *e, bool unchecked);
/* Takes the link and returns its index in the explanation; one that says the same is shared. */
unsigned chain_share(struct explanation *e, struct explanation_link l);
/* Both are indices of links. */
void chain_because(struct explanation *e, unsigned effect, unsigned cause);

#endif
