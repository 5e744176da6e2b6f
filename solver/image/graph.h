/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Post-dominators and control dependence on a plain directed graph. */
#ifndef SOLVER_IMAGE_GRAPH_H
#define SOLVER_IMAGE_GRAPH_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Nodes 0 … n - 1; successors of node i are edge[first[i]] … edge[first[i+1] - 1]. */
struct graph {
	uint32_t n;
	const uint32_t *first; /* n + 1 of them */
	const uint32_t *edge;
};

/* The immediate post-dominator of each node, -1 = the virtual exit.  These nodes have an edge
 * to the virtual exit: nodes without successors, those with exits[i] set, and one node of each
 * cycle that cannot be left (Cooper, Harvey and Kennedy's iteration on the reversed graph).
 * Caller frees. */
int32_t *graph_post_dominators(const struct graph *g, const bool *exits);

/* depends[i]: nodes whose branch decides whether i is executed (Ferrante,
 * Ottenstein and Warren 1987), ascending.  n arrays; free with
 * g_ptr_array_unref. */
GPtrArray *graph_control_dependence(const struct graph *g, const int32_t *ipdom);

#endif
