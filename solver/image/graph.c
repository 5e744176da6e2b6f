/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/graph.h"

/* The reversed graph has the virtual exit, node n, as its root. */
struct reversal {
	const struct graph *g;
	bool *leaves;	  /* has an edge to the virtual exit */
	int32_t *order;	  /* position in post-order from the exit; -1 = not reached */
	GArray *sequence; /* uint32_t: nodes in post-order */
	GPtrArray *preds; /* GArray of uint32_t by node */
};

static GPtrArray *predecessors_of_nodes(const struct graph *g)
{
	GPtrArray *preds = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (uint32_t i = 0; i < g->n; i++)
		g_ptr_array_add(preds, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
			g_array_append_val((GArray *)preds->pdata[g->edge[e]], i);
	return preds;
}

/* Nodes from which an exit can be reached, without recursion; each gets its
 * place in post-order. */
static void visit_from(struct reversal *r, uint32_t root, bool *seen)
{
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t zero = 0;

	if (seen[root])
		return;
	seen[root] = true;
	g_array_append_val(stack, root);
	g_array_append_val(next, zero);
	while (stack->len) {
		uint32_t node = g_array_index(stack, uint32_t, stack->len - 1);
		GArray *preds = r->preds->pdata[node];
		uint32_t *at = &g_array_index(next, uint32_t, next->len - 1);

		if (*at < preds->len) {
			uint32_t p = g_array_index(preds, uint32_t, (*at)++);

			if (!seen[p]) {
				seen[p] = true;
				g_array_append_val(stack, p);
				g_array_append_val(next, zero);
			}
			continue;
		}
		r->order[node] = (int32_t)r->sequence->len;
		g_array_append_val(r->sequence, node);
		g_array_set_size(stack, stack->len - 1);
		g_array_set_size(next, next->len - 1);
	}
}

static void order_nodes(struct reversal *r)
{
	g_autofree bool *seen = g_new0(bool, r->g->n + 1);

	for (uint32_t i = 0; i < r->g->n; i++)
		if (r->leaves[i])
			visit_from(r, i, seen);
	/* the cycle has no exit, so the first node that was met gets one */
	for (uint32_t i = 0; i < r->g->n; i++)
		if (!seen[i]) {
			r->leaves[i] = true;
			visit_from(r, i, seen);
		}
}

static int32_t meet_in_postdominators(const struct reversal *r, const int32_t *ipdom, int32_t a,
				      int32_t b)
{
	while (a != b) {
		if (a < 0 || b < 0)
			return -1;
		if (r->order[a] < r->order[b])
			a = ipdom[a];
		else
			b = ipdom[b];
	}
	return a;
}

enum { NOT_YET = -2 };

static int32_t meet_of_successors(const struct reversal *r, const int32_t *ipdom, uint32_t node)
{
	int32_t best = r->leaves[node] ? -1 : NOT_YET;

	for (uint32_t e = r->g->first[node]; e < r->g->first[node + 1]; e++) {
		int32_t s = (int32_t)r->g->edge[e];

		if (ipdom[s] == NOT_YET || s == (int32_t)node)
			continue;
		best = best == NOT_YET ? s : meet_in_postdominators(r, ipdom, best, s);
	}
	return best;
}

int32_t *graph_post_dominators(const struct graph *g, const bool *exits)
{
	struct reversal r = { .g = g };
	int32_t *ipdom = g_new(int32_t, MAX(g->n, 1));
	bool changed = true;

	r.leaves = g_new0(bool, g->n + 1);
	r.order = g_new(int32_t, g->n + 1);
	r.sequence = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	r.preds = predecessors_of_nodes(g);
	for (uint32_t i = 0; i < g->n; i++) {
		r.leaves[i] = (exits && exits[i]) || g->first[i] == g->first[i + 1];
		ipdom[i] = NOT_YET;
	}
	order_nodes(&r);
	while (changed) {
		changed = false;
		for (guint i = r.sequence->len; i > 0; i--) {
			uint32_t node = g_array_index(r.sequence, uint32_t, i - 1);
			int32_t now = meet_of_successors(&r, ipdom, node);

			changed |= now != ipdom[node];
			ipdom[node] = now;
		}
	}
	for (uint32_t i = 0; i < g->n; i++)
		if (ipdom[i] == NOT_YET)
			ipdom[i] = -1;
	g_free(r.leaves);
	g_free(r.order);
	g_array_free(r.sequence, TRUE);
	g_ptr_array_free(r.preds, TRUE);
	return ipdom;
}

/* Branches come in ascending order, so one that is in the list already is its last. */
static void add_once(GArray *a, uint32_t v)
{
	if (!a->len || g_array_index(a, uint32_t, a->len - 1) != v)
		g_array_append_val(a, v);
}

GPtrArray *graph_control_dependence(const struct graph *g, const int32_t *ipdom)
{
	GPtrArray *depends = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (uint32_t i = 0; i < g->n; i++)
		g_ptr_array_add(depends, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
			int32_t node = (int32_t)g->edge[e];

			/* up the post-dominator tree until the branch's own */
			for (uint32_t steps = 0; node >= 0 && node != ipdom[i] && steps <= g->n;
			     steps++) {
				add_once(depends->pdata[node], i);
				node = ipdom[node];
			}
		}
	return depends;
}
