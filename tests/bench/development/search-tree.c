/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A binary search tree and its height.
 *
 * test: 5 2 8 1 3 9 10
 * prints: 1 2 3 5 8 9 10 
 * prints: size 7
 * prints: height 4
 * faulty: 48
 * fixed: 	return 1 + (left < right ? right : left);
 */
#include <stdio.h>
#include <stdlib.h>

struct tree {
	int key;
	struct tree *left, *right;
};

static struct tree *leaf(int key)
{
	struct tree *t = malloc(sizeof *t);

	t->key = key;
	t->left = t->right = NULL;
	return t;
}

static struct tree *insert(struct tree *t, int key)
{
	if (!t)
		return leaf(key);
	if (key < t->key)
		t->left = insert(t->left, key);
	else if (key > t->key)
		t->right = insert(t->right, key);
	return t;
}

static int height(const struct tree *t)
{
	int left, right;

	if (!t)
		return 0;
	left = height(t->left);
	right = height(t->right);
	return 1 + (left < right ? left : right);
}

static int size(const struct tree *t)
{
	return t ? size(t->left) + 1 + size(t->right) : 0;
}

static void print(const struct tree *t)
{
	if (!t)
		return;
	print(t->left);
	printf("%d ", t->key);
	print(t->right);
}

static void destroy(struct tree *t)
{
	if (!t)
		return;
	destroy(t->left);
	destroy(t->right);
	free(t);
}

int main(int argc, char **argv)
{
	struct tree *root = NULL;

	for (int i = 1; i < argc; i++)
		root = insert(root, atoi(argv[i]));
	print(root);
	printf("\nsize %d\n", size(root));
	printf("height %d\n", height(root));
	destroy(root);
	return 0;
}
