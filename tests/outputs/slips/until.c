/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What has to be done until it is true no more is done once.
 * test: 3 1 3 5 3 7 3 3
 * change: `while' for `if'
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *next;
};
static struct node *without(struct node *l, int key)
{
#ifdef FIXED
	while (l && l->key == key)
#else
	if (l && l->key == key) /* fault */
#endif
		l = l->next;
	for (struct node *p = l; p && p->next;)
		if (p->next->key == key)
			p->next = p->next->next;
		else
			p = p->next;
	return l;
}
int main(int argc, char **argv)
{
	struct node *l = NULL;
	for (int i = 2; i < argc; i++) {
		struct node *n = malloc(sizeof(*n));
		n->key = atoi(argv[i]);
		n->next = l;
		l = n;
	}
	for (l = without(l, argc > 1 ? atoi(argv[1]) : 0); l; l = l->next)
		printf("%d\n", l->key);
	return 0;
}
