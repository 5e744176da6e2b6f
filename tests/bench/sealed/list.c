/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list; removing a key that is not the first forgets to count.
 *
 * test: 1 2 -1
 * faulty: 32
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int key; struct node *next; };
struct list { struct node *head; int size; };

static void push(struct list *l, int key)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	n->next = l->head;
	l->head = n;
	l->size++;
}

static int remove_key(struct list *l, int key)
{
	struct node **p = &l->head;
	while (*p && (*p)->key != key)
		p = &(*p)->next;
	if (!*p)
		return 0;
	struct node *dead = *p;
	*p = dead->next;
	free(dead);

	return 1;
}

static int length(const struct list *l)
{
	int n = 0;
	for (const struct node *q = l->head; q; q = q->next)
		n++;
	return n;
}

int main(int argc, char **argv)
{
	struct list l = { 0 };
	for (int i = 1; i < argc; i++) {
		int v = atoi(argv[i]);
		if (v > 0)
			push(&l, v);
		else
			remove_key(&l, -v);
	}
	assert(l.size == length(&l));
	return 0;
}
