/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All structures that keep to a predicate, once each: as many as combinatorics says. */
#include "gdbext/contract/shapes.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct node {
	struct node *left, *right;
	int key;
};
struct block {
	struct node *root __attribute__((aligned(16)));
	int k __attribute__((aligned(16)));
};

/* What the compiler puts before each access. */
#define READ(lvalue) (__tsan_read8((void *)&(lvalue)), (lvalue))

static int is_ordered(struct node *n, long low, long high)
{
	return !n ||
	       (READ(n->key) > low && n->key < high && is_ordered(READ(n->left), low, n->key) &&
		is_ordered(READ(n->right), n->key, high));
}

static int is_tree(const void *block)
{
	struct block *b = (struct block *)block;

	return is_ordered(READ(b->root), -1, 100);
}

static int is_list(const void *block)
{
	struct block *b = (struct block *)block;

	for (struct node *n = READ(b->root); n; n = READ(n->right))
		if (READ(n->left))
			return 0;
	return 1;
}

/* Its null pointer is meant. */
__attribute__((no_sanitize("undefined"))) static int stands_nothing(const void *block)
{
	struct block *b = (struct block *)block;

	return READ(READ(b->root)->key) == 3;
}

/* It goes round for ever on the empty tree, without an access. */
static int needs_a_node(const void *block)
{
	struct block *b = (struct block *)block;

	while (!READ(b->root))
		for (;;)
			__asm__ volatile("");
	return READ(b->root->key) == 0;
}

static const struct why_pointer node_pointers[] = { { 0, 1, 0 }, { 8, 1, 0 } };
static const struct why_pointer block_pointers[] = { { 0, 1, 0 } };
static const struct why_scalar node_scalars[] = { { 16, 4 } };
static const struct why_scalar block_scalars[] = { { 16, 4 } };
static const struct why_type types[] = {
	{ 32, 1, 0, block_pointers, 1, block_scalars },
	{ sizeof(struct node), 2, 0, node_pointers, 1, node_scalars },
};

static char *find(int (*holds)(const void *), unsigned nodes, unsigned most, const char *given,
		  int *n)
{
	const struct why_shape shape = { holds, 0 };
	const struct why_shapes s = { &shape, types, 1, 2 };
	const struct shapes_bounds b = { 0, nodes, most };
	char *text = NULL;
	size_t size;
	FILE *in = fmemopen((char *)given, strlen(given), "r");
	FILE *out = open_memstream(&text, &size);

	*n = shapes_search(&s, &b, in, out);
	fclose(in);
	fclose(out);
	return text;
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, word)); p++)
		n++;
	return n;
}

#define EMPTY \
	"object 0 0 7f00 32 0000000000000000000000000000000002000000000000000000000000000000\n"

/* The others are found all the same. */
static void test_endless(void **state)
{
	int n;
	char *text = find(needs_a_node, 1, 100, EMPTY, &n);

	(void)state;
	assert_int_equal(n, 3); /* k is 0, 1 or 2 */
	assert_int_equal(count(text, "state\n"), 3);
	free(text);
}

/* Trees of n nodes with keys among m: Catalan(n) · (m over n); for each, m values of k. */
static void test_trees(void **state)
{
	const unsigned trees[] = { 1, 1 + 3, 1 + 4 + 2 * 6, 1 + 5 + 2 * 10 + 5 * 10 };

	(void)state;
	for (unsigned nodes = 0; nodes <= 3; nodes++) {
		int n;
		char *text = find(is_tree, nodes, 100000, EMPTY, &n);

		/* 0 … nodes + 1, and 2, which k was */
		assert_int_equal(n, trees[nodes] * (nodes + 2 + (nodes == 0)));
		assert_int_equal(count(text, "state\n"), n);
		free(text);
	}
}

static void test_lists(void **state)
{
	int n;
	char *text = find(is_list, 4, 100000, EMPTY, &n);

	(void)state;
	/* one of each length, and 0 … 5 for k; a ring makes the predicate unending */
	assert_int_equal(n, 5 * 6);
	assert_non_null(strstr(text, "pointer 1 8 2 0\n"));
	free(text);
	text = find(is_list, 4, 7, EMPTY, &n);
	assert_int_equal(n, 7);
	free(text);
}

static void test_crashes(void **state)
{
	int n;
	char *text = find(stands_nothing, 2, 1000, EMPTY, &n);

	(void)state;
	assert_int_equal(n, 4); /* one node, whose key is 3 */
	assert_int_equal(count(text, "000000000300000000000000\n"), 4);
	free(text);
}

static void test_nonsense(void **state)
{
	const char *const given[] = { "",
				      "object 0 1 0 24 00\n",
				      "object 1 0 0 32 00\n",
				      "object 0 7 0 8 0000000000000000\n",
				      EMPTY "pointer 0 40 0 0\n",
				      EMPTY "pointer 0 0 9 0\n",
				      "object 0 0 0 99999 00\n" };

	(void)state;
	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		int n;
		char *text = find(is_tree, 1, 10, i ? given[i] : "x\n", &n);

		assert_int_equal(n, -1);
		free(text);
	}
}

/* What was there stays where it was, with numbers that are larger than all that are tried. */
static void test_given(void **state)
{
	int n;
	char *text = find(is_tree, 1, 1000,
			  "object 0 0 7f00 32 "
			  "0000000000000000000000000000000002000000000000000000000000000000\n"
			  "object 1 1 8f00 24 00000000000000000000000000000000"
			  "4100000000000000\npointer 0 0 1 0\n",
			  &n);

	(void)state;
	assert_int_equal(n, (1 + 4) * 3);
	assert_int_equal(count(text, "object 1 1 8f00 24 "), 4 * 3);
	assert_int_equal(count(text, "4100000000000000"), 3);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees),	 cmocka_unit_test(test_endless),
		cmocka_unit_test(test_lists),	 cmocka_unit_test(test_crashes),
		cmocka_unit_test(test_nonsense), cmocka_unit_test(test_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
