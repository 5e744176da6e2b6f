/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "why-spec.h"
#include <limits.h>

struct node { /* as RB_ENTRY declares it; 1 is red */
	struct {
		struct node *rbe_left, *rbe_right, *rbe_parent;
		int rbe_color;
	} entry;
	int key;
};
struct tree {
	struct node *rbh_root;
};

/* How many black nodes are on each way down; far too few where something is not right. */
static int height(const struct node *n, const struct node *parent, long above, long below, int deep)
{
	int left, right;

	if (!n)
		return 0;
	if (deep > 20 || n->key <= above || n->key >= below || n->entry.rbe_parent != parent ||
	    (unsigned)n->entry.rbe_color > 1 ||
	    (n->entry.rbe_color && (!parent || parent->entry.rbe_color)))
		return -1000;
	left = height(n->entry.rbe_left, n, above, n->key, deep + 1);
	right = height(n->entry.rbe_right, n, n->key, below, deep + 1);
	return left == right ? left + !n->entry.rbe_color : -1000;
}
static int sound(const struct tree *t)
{
	return height(t->rbh_root, 0, LONG_MIN, LONG_MAX, 0) >= 0;
}
WHY_PRE(tree_RB_INSERT, sound, head)
WHY_POST(tree_RB_INSERT, sound, head)
WHY_PRE(tree_RB_REMOVE, sound, head)
WHY_POST(tree_RB_REMOVE, sound, head)
