/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes the first of a list is not linked to what was it before.
 * test: 3 1 2
 * change: `n->next = l->first' put before it
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int value;
	struct node *next;
};
struct list {
	struct node *first;
	int length;
};
static void push(struct list *l, int value)
{
	struct node *n = calloc(1, sizeof(*n));

	n->value = value;
#ifdef FIXED
	n->next = l->first;
#endif
	l->first = n; /* fault */
	l->length++;
}
int main(int argc, char **argv)
{
	struct list l = { NULL, 0 };

	for (int i = 1; i < argc; i++)
		push(&l, atoi(argv[i]));
	for (struct node *n = l.first; n; n = n->next)
		printf("%d\n", n->value);
	printf("%d in all\n", l.length);
	return 0;
}
