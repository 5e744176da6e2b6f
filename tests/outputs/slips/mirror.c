/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Only one neighbour of what is taken out of a list learns of it.
 * test: 1 2 3 4 5
 * change: `n->next->prev = n->prev' put before it
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *prev, *next;
};
static struct node *head, *tail;
static void append(int key)
{
	struct node *n = calloc(1, sizeof(*n));

	n->key = key;
	n->prev = tail;
	if (tail)
		tail->next = n;
	else
		head = n;
	tail = n;
}
static void take_out(struct node *n)
{
#ifdef FIXED
	n->next->prev = n->prev;
#endif
	n->prev->next = n->next; /* fault */
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		append(atoi(argv[i]));
	for (struct node *n = head; n; n = n->next)
		if (n->key % 2 == 0)
			take_out(n);
	for (struct node *n = tail; n; n = n->prev)
		printf("%d\n", n->key);
	return 0;
}
