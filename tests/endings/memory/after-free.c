/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list goes on from a node that was freed.
 * test: 2
 * right: 9
 * says: use after free: reads 8 bytes in a block of 16 bytes that was freed
 * first: 1
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *next;
};
static struct node *make(int key, struct node *next)
{
	struct node *n = malloc(sizeof(*n));

	n->key = key;
	n->next = next;
	return n;
}
static void drop(struct node *head, int key)
{
	for (struct node *n = head; n; n = n->next) /* wrong */
		if (n->key == key)
			free(n); /* fault */
}
int main(int argc, char **argv)
{
	drop(make(1, make(2, make(3, NULL))), argc > 1 ? atoi(argv[1]) : 0);
	puts("done");
	return 0;
}
