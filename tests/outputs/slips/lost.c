/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a call is not assigned.
 * test: 5 3 8 4 9
 * change: `t->right =' before the call
 */
#include <stdio.h>
#include <stdlib.h>
struct tree {
	int key;
	struct tree *left, *right;
};
static struct tree *insert(struct tree *t, int key)
{
	if (!t) {
		t = calloc(1, sizeof(*t));
		t->key = key;
	} else if (key < t->key) {
		t->left = insert(t->left, key);
	} else {
#ifdef FIXED
		t->right = insert(t->right, key);
#else
		insert(t->right, key); /* fault */
#endif
	}
	return t;
}
static void show(const struct tree *t)
{
	if (!t)
		return;
	show(t->left);
	printf("%d\n", t->key);
	show(t->right);
}
int main(int argc, char **argv)
{
	struct tree *t = NULL;
	for (int i = 1; i < argc; i++)
		t = insert(t, atoi(argv[i]));
	show(t);
	return 0;
}
