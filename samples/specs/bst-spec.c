/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a binary search tree is, and what bst_add does. */
#include "why-spec.h"

struct node {
	struct node *left, *right, *parent;
	int key;
};

struct bst {
	struct node *root;
	int size;
};

/* More nodes than that are a cycle. */
enum { MOST = 64 };

static int count(const struct node *n, int most)
{
	int left;

	if (!n || most <= 0)
		return 0;
	left = count(n->left, most - 1);
	return 1 + left + count(n->right, most - 1 - left);
}

static int has(const struct node *n, int key, int most)
{
	return n && most > 0 &&
	       (n->key == key || has(n->left, key, most - 1) || has(n->right, key, most - 1));
}

static int is_ordered(const struct node *n, long low, long high, int most)
{
	return !n || (most > 0 && n->key > low && n->key < high &&
		      is_ordered(n->left, low, n->key, most - 1) &&
		      is_ordered(n->right, n->key, high, most - 1));
}

static int has_parents(const struct node *n, const struct node *parent, int most)
{
	return !n || (most > 0 && n->parent == parent && has_parents(n->left, n, most - 1) &&
		      has_parents(n->right, n, most - 1));
}

static int search(const struct bst *t)
{
	return is_ordered(t->root, -(1L << 40), 1L << 40, MOST);
}

static int parent(const struct bst *t)
{
	return has_parents(t->root, 0, MOST);
}

static int size_invariant(const struct bst *t)
{
	return count(t->root, MOST) == t->size;
}

static int key_added(const struct bst *t, int key)
{
	return has(t->root, key, MOST);
}

static int size_ok(const struct bst *was, const struct bst *is, int key)
{
	return is->size == was->size + !has(was->root, key, MOST);
}

WHY_INVARIANT(search, struct bst *)
WHY_INVARIANT(parent, struct bst *)
WHY_INVARIANT(size_invariant, struct bst *)
WHY_POST(bst_add, key_added, t, k)
WHY_POST(bst_add, size_ok, before(t), t, k)
