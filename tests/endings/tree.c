/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wrong side of a tree.
 * test: 500 900 600
 * ends: SIGSEGV
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
struct tree {
	int key;
	struct tree *l, *r;
};
static struct tree *insert(struct tree *t, int k)
{
	if (!t) {
		t = calloc(1, sizeof *t);
		t->key = k;
		return t;
	}
	if (k < t->key)
		t->l = insert(t->l, k);
	else
		t->r = insert(t->r, k);
	return t;
}
static int smallest(struct tree *t)
{
	while (t->l)
		t = t->l;
	return t->key;
}
static int second(struct tree *t)
{
	if (t->key > 100) /* fault */
		return smallest(t->l);
	return smallest(t->r);
}
int main(int argc, char **argv)
{
	struct tree *t = NULL;
	for (int i = 1; i < argc; i++)
		t = insert(t, atoi(argv[i]));
	printf("%d\n", second(t));
	return 0;
}
