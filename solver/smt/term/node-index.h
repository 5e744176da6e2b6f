/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a node among numbered ones by its contents.
 *
 * A new term is mostly made of terms that were made just before, and the same operands are soon
 * asked for again.  So the numbers of nodes whose youngest operands are neighbours stand together,
 * in a line of a few entries, and the processor's cache has this line already; in a table by hash
 * alone each look is a miss.  What a full line has no room for goes to such a table, and so do
 * constants and variables, which have no operands.  Numbers are never taken out, which is why a
 * node that is not in a line with a free entry is nowhere.
 */
#ifndef SOLVER_SMT_TERM_NODE_INDEX_H
#define SOLVER_SMT_TERM_NODE_INDEX_H

#include "solver/smt/term/term.h"

struct node_index {
	size_t stride;	 /* from one node to the next, in bytes */
	uint32_t *lines; /* of operands; 0 = a free entry */
	uint32_t n_lines;
	uint32_t *table; /* by hash; open addressing; the size is a power of two */
	uint32_t n_in_table, table_size;
};

/* The node of number n is at n * stride bytes of the array that each function is given. */
void node_index_init(struct node_index *x, size_t stride);
void node_index_deinit(struct node_index *x);

/* The number of the node that equals this one; 0 = there is none. */
uint32_t node_index_find(const struct node_index *x, const void *nodes,
			 const struct term_node *node);
/* number: its place in nodes, not 0, where it is already.  No other node equals it. */
void node_index_add(struct node_index *x, const void *nodes, uint32_t number);

#endif
