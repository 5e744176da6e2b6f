/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes are found by their contents, whether their line has room for them or not. */
#include "solver/smt/term/node-index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NODES 5000

/* All nodes have one of a few youngest operands, so that most lines are full. */
static struct term_node node_of(uint32_t i)
{
	if (i % 10 == 0)
		return (struct term_node){ .kind = IR_CONST, .width = 64, .value = i };
	return (struct term_node){
		.kind = IR_ADD, .width = 64, .a = i, .b = NODES + i % 7 * 1000, .c = 0
	};
}

static void test_what_was_added_is_found(void **state)
{
	g_autofree struct term_node *nodes = g_new0(struct term_node, NODES);
	struct node_index x;

	(void)state;
	node_index_init(&x, sizeof(*nodes));
	for (uint32_t i = 1; i < NODES; i++) {
		nodes[i] = node_of(i);
		assert_int_equal(node_index_find(&x, nodes, &nodes[i]), 0);
		node_index_add(&x, nodes, i);
		assert_int_equal(node_index_find(&x, nodes, &nodes[i]), i);
	}
	for (uint32_t i = 1; i < NODES; i++)
		assert_int_equal(node_index_find(&x, nodes, &nodes[i]), i);
	node_index_deinit(&x);
}

static void test_all_of_a_node_counts(void **state)
{
	const struct term_node one = {
		.kind = IR_ITE, .width = 8, .a = 3, .b = 2, .c = 1, .value = 9
	};
	struct term_node nodes[2] = { { 0 }, one }, other;
	struct node_index x;

	(void)state;
	node_index_init(&x, sizeof(*nodes));
	node_index_add(&x, nodes, 1);
	assert_int_equal(node_index_find(&x, nodes, &one), 1);
	for (int i = 0; i < 6; i++) {
		other = one;
		other.kind = i == 0 ? IR_ADD : one.kind;
		other.width += i == 1;
		other.a += i == 2;
		other.b -= i == 3;
		other.c += i == 4;
		other.value += i == 5;
		assert_int_equal(node_index_find(&x, nodes, &other), 0);
	}
	node_index_deinit(&x);
}

/* The node need not be all of what is stored. */
static void test_nodes_may_have_company(void **state)
{
	struct {
		struct term_node node;
		uint32_t more[3];
	} nodes[3] = { 0 };
	struct node_index x;

	(void)state;
	nodes[1].node = node_of(1);
	nodes[2].node = node_of(2);
	node_index_init(&x, sizeof(*nodes));
	node_index_add(&x, nodes, 1);
	node_index_add(&x, nodes, 2);
	assert_int_equal(node_index_find(&x, nodes, &nodes[1].node), 1);
	assert_int_equal(node_index_find(&x, nodes, &nodes[2].node), 2);
	node_index_deinit(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_added_is_found),
		cmocka_unit_test(test_all_of_a_node_counts),
		cmocka_unit_test(test_nodes_may_have_company),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
