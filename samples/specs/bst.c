/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A binary search tree with parents, after SAT-TAR's second subject.
 *
 *     bst KEYS...        makes a tree of KEYS, one after the other
 *
 * One fault each, or two: -DTRAVERSE_ERR, -DROOT_ERR, -DBRANCH_ERR, -DRIGHT_ERR, -DPARENT_ERR, -DSIZE_ERR.
 */
#include <stdbool.h>
#include <stdlib.h>

struct node {
	struct node *left, *right, *parent;
	int key;
};

struct bst {
	struct node *root;
	int size;
};

static bool bst_add(struct bst *t, int k)
{
	struct node *x, *y;
	y = NULL;
	x = t->root;
	while (x != NULL) {
		y = x;
		if (k < x->key)
#ifdef TRAVERSE_ERR
			x = x->right;
#else
			x = x->left;
#endif
		else if (k > x->key)
			x = x->right;
		else
			return false;
	}
	x = calloc(1, sizeof *x);
	x->key = k;
	if (y == NULL)
#ifdef ROOT_ERR
		t->root = NULL;
#else
		t->root = x;
#endif
#ifdef BRANCH_ERR
	else if (k > y->key)
#else
	else if (k < y->key)
#endif
		y->left = x;
	else
#ifdef RIGHT_ERR
		y->right = y;
#else
		y->right = x;
#endif
#ifdef PARENT_ERR
	x->parent = x;
#else
	x->parent = y;
#endif
#ifdef SIZE_ERR
	t->size = 1;
#else
	t->size = t->size + 1;
#endif
	return true;
}

int main(int argc, char **argv)
{
	struct bst t = { NULL, 0 };

	for (int i = 1; i < argc; i++)
		bst_add(&t, atoi(argv[i]));
	return 0;
}
