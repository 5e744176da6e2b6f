/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserting into a binary search tree.  On the way down, a key smaller than the
 * node's must go left; here it goes right, and the key ends up where no search
 * will look for it.  The arguments are the keys, inserted in order.
 *
 * test: 5 8 3
 * fails: 85
 * faulty: 44
 * fixed: x = x->left;
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *left, *right, *parent;
};

struct tree {
	struct node *root;
	int size;
};

static struct node *node_new(int key)
{
	struct node *node = calloc(1, sizeof *node);

	if (node == NULL)
		abort();
	node->key = key;
	return node;
}

static bool insert(struct tree *tree, int key)
{
	struct node *y = NULL;
	struct node *x = tree->root;

	while (x != NULL) {
		y = x;
		if (key < x->key)
			x = x->right;
		else if (key > x->key)
			x = x->right;
		else
			return false;
	}
	x = node_new(key);
	if (y == NULL)
		tree->root = x;
	else if (key < y->key)
		y->left = x;
	else
		y->right = x;
	x->parent = y;
	tree->size = tree->size + 1;
	return true;
}

static const struct node *search(const struct tree *tree, int key)
{
	const struct node *node = tree->root;

	while (node != NULL && node->key != key)
		node = key < node->key ? node->left : node->right;
	return node;
}

static int count(const struct node *node, const struct node *parent)
{
	if (node == NULL)
		return 0;
	assert(node->parent == parent);
	return 1 + count(node->left, node) + count(node->right, node);
}

int main(int argc, char **argv)
{
	struct tree tree = { NULL, 0 };

	for (int i = 1; i < argc; i++) {
		insert(&tree, atoi(argv[i]));
		assert(search(&tree, atoi(argv[i])) != NULL);
	}
	assert(count(tree.root, NULL) == tree.size);
	return 0;
}
