/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An `else' is missing: the first element of a list is not taken out.
 * test: 5 3 9 7 -7 -3 4
 * change: `else head = n->next' put behind it
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int v;
	struct node *next;
};
static struct node *head;
static void insert(int v)
{
	struct node **p = &head, *n = malloc(sizeof(*n));

	while (*p && (*p)->v < v)
		p = &(*p)->next;
	n->v = v;
	n->next = *p;
	*p = n;
}
static void take_out(int v)
{
	struct node *prev = NULL;

	for (struct node *n = head; n; prev = n, n = n->next)
		if (n->v == v) {
#ifdef FIXED
			if (prev)
				prev->next = n->next;
			else
				head = n->next;
#else
			if (prev) /* fault */
				prev->next = n->next;
#endif
			return;
		}
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-')
			take_out(atoi(argv[i] + 1));
		else
			insert(atoi(argv[i]));
	for (struct node *n = head; n; n = n->next)
		printf("%d\n", n->v);
	return 0;
}
