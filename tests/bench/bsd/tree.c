/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in a red-black tree of sys/tree.h; one with - before it is removed. */
#include <sys/tree.h>
#include <stdlib.h>

struct node {
	RB_ENTRY(node) entry;
	int key;
};
RB_HEAD(tree, node);

static int compare(struct node *a, struct node *b)
{
	return (a->key > b->key) - (a->key < b->key);
}
RB_PROTOTYPE(tree, node, entry, compare)
RB_GENERATE(tree, node, entry, compare)

int main(int argc, char **argv)
{
	struct tree t = RB_INITIALIZER(&t);

	for (int i = 1; i < argc; i++) {
		struct node *n = calloc(1, sizeof *n);

		n->key = abs(atoi(argv[i]));
		if (*argv[i] != '-')
			RB_INSERT(tree, &t, n);
		else if ((n = RB_FIND(tree, &t, n)))
			RB_REMOVE(tree, &t, n);
	}
	return 0;
}
