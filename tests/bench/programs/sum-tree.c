/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search tree of N nodes, each of which matters: the sum of their values is not what it should
 * be.  The keys come scattered, so that the tree is about as deep as its size has digits. */
#include <assert.h>
#include <stdlib.h>
#ifndef N
#define N 50
#endif
struct node {
	int key;
	struct node *left, *right;
};

static struct node *insert(struct node *tree, int key)
{
	if (!tree) {
		tree = calloc(1, sizeof(*tree));
		tree->key = key;
	} else if (key < tree->key) {
		tree->left = insert(tree->left, key);
	} else {
		tree->right = insert(tree->right, key);
	}
	return tree;
}

static int sum_of(const struct node *tree)
{
	return tree ? sum_of(tree->left) + tree->key + sum_of(tree->right) : 0;
}

int main(void)
{
	struct node *tree = 0;
	int sum, expected = 0;

	for (int i = 0; i < N; i++) {
		tree = insert(tree, i * 7919 % 10007);
		expected += i * 7919 % 10007;
	}
	sum = sum_of(tree);
	assert(sum == expected + 1);
	return 0;
}
