/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "why-spec.h"
#include <glib.h>

struct _GTreeNode { /* as in gtree.c */
	gpointer key, value;
	GTreeNode *left, *right;
	gint8 balance;
	guint8 left_child, right_child;
};
struct _GTree {
	GTreeNode *root;
	GCompareDataFunc key_compare;
	GDestroyNotify key_destroy_func, value_destroy_func;
	gpointer key_compare_data;
	guint nnodes;
	gint ref_count;
};

/* Its height; far too small where keys do not lie between these, or a balance is not right. */
static int height(const GTreeNode *n, long above, long below, guint *nodes)
{
	long key = GPOINTER_TO_INT(n->key);
	int left, right;

	if (key <= above || key >= below || ++*nodes > 50)
		return -1000;
	left = n->left_child ? height(n->left, above, key, nodes) : 0;
	right = n->right_child ? height(n->right, key, below, nodes) : 0;
	return n->balance == right - left ? 1 + MAX(left, right) : -1000;
}
static int sound(const GTree *t)
{
	guint nodes = 0;

	return (!t->root || height(t->root, -1000, 1000, &nodes) > 0) && nodes == t->nnodes;
}
WHY_INVARIANT(sound, GTree *)
WHY_PRE(g_tree_insert, sound, tree)
WHY_PRE(g_tree_remove, sound, tree)
