/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Post-dominators and control dependence against their definitions. */
#include "solver/image/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MOST 12

struct random_graph {
	uint32_t first[MOST + 1], edge[MOST * 3], n;
	bool exits[MOST];
};

/* Every node can reach an exit: the last one, which all fall through to. */
static void make_graph(struct random_graph *r, GRand *rand)
{
	uint32_t at = 0;

	r->n = (uint32_t)g_rand_int_range(rand, 2, MOST + 1);
	for (uint32_t i = 0; i < r->n; i++) {
		r->first[i] = at;
		r->exits[i] = i + 1 == r->n || g_rand_int_range(rand, 0, 6) == 0;
		if (i + 1 < r->n)
			r->edge[at++] = i + 1;
		for (int k = g_rand_int_range(rand, 0, 3); k > 0 && i + 1 < r->n; k--)
			r->edge[at++] = (uint32_t)g_rand_int_range(rand, 0, (int)r->n);
	}
	r->first[r->n] = at;
}

/* Can an exit be reached from node without passing `avoided`? */
static bool escapes(const struct random_graph *r, uint32_t node, uint32_t avoided, unsigned seen)
{
	if (node == avoided || seen & 1u << node)
		return false;
	if (r->exits[node])
		return true;
	for (uint32_t e = r->first[node]; e < r->first[node + 1]; e++)
		if (escapes(r, r->edge[e], avoided, seen | 1u << node))
			return true;
	return false;
}

static bool post_dominates(const struct random_graph *r, uint32_t a, uint32_t node)
{
	return a == node || !escapes(r, node, a, 0);
}

/* The strict post-dominator that all other strict ones post-dominate. */
static int32_t immediate(const struct random_graph *r, uint32_t node)
{
	for (uint32_t a = 0; a < r->n; a++) {
		bool nearest = a != node && post_dominates(r, a, node);

		for (uint32_t b = 0; nearest && b < r->n; b++)
			if (b != node && post_dominates(r, b, node))
				nearest = post_dominates(r, b, a);
		if (nearest)
			return (int32_t)a;
	}
	return -1;
}

static void they_are_what_their_definition_says(void **state)
{
	(void)state;
	GRand *rand = g_rand_new_with_seed(5);

	for (int round = 0; round < 2000; round++) {
		struct random_graph r;

		make_graph(&r, rand);
		struct graph g = { r.n, r.first, r.edge };
		g_autofree int32_t *ipdom = graph_post_dominators(&g, r.exits);
		g_autoptr(GPtrArray) depends = graph_control_dependence(&g, ipdom);

		for (uint32_t i = 0; i < r.n; i++)
			assert_int_equal(ipdom[i], immediate(&r, i));
		for (uint32_t y = 0; y < r.n; y++)
			for (uint32_t x = 0; x < r.n; x++) {
				const GArray *d = depends->pdata[y];
				bool expected = false, found = false;

				for (uint32_t e = r.first[x]; e < r.first[x + 1]; e++)
					expected |= post_dominates(&r, y, r.edge[e]);
				expected &= x == y || !post_dominates(&r, y, x);
				for (guint i = 0; i < d->len; i++)
					found |= g_array_index(d, uint32_t, i) == x;
				assert_int_equal(found, expected);
			}
	}
	g_rand_free(rand);
}

static void an_endless_loop_gets_an_exit(void **state)
{
	(void)state;
	const uint32_t first[] = { 0, 1, 2 }, edge[] = { 1, 0 };
	struct graph g = { 2, first, edge };
	g_autofree int32_t *ipdom = graph_post_dominators(&g, NULL);

	assert_int_equal(ipdom[0], -1);
	assert_int_equal(ipdom[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_what_their_definition_says),
		cmocka_unit_test(an_endless_loop_gets_an_exit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
