/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An n-ary tree with parents, after SAT-TAR's third subject: a child is added, or, when it has no
 * key, its children are.
 *
 *     tree WORDS...      a number adds a child with that key; + begins a list without a key, into
 *                        which the numbers up to the next . go
 *
 * One fault each: -DPARENT_ERR, -DLIST_PARENT_ERR, -DFIRST_ERR, -DCOUNT_ERR, -DLOOP_ERR; two:
 * -DPARENT_ERR -DLIST_PARENT_ERR, -DCOUNT_ERR -DFIRST_ERR.
 */
#include <stdbool.h>
#include <stdlib.h>

struct node {
	struct node *parent, *first, *next;
	int key; /* 0: it has none */
	int n;	 /* children */
};

static bool tree_add(struct node *t, struct node *child)
{
	struct node *last = t->first, *c;
	int n = 1;

	if (!child)
		return false;
	while (last) {
		if (!last->next)
			break;
		last = last->next;
	}
	c = child;
	if (child->key == 0) {
		c = child->first;
		n = child->n;
		if (!c)
			return false;
		for (struct node *each = c; each; each = each->next)
#ifdef LIST_PARENT_ERR
			each->parent = child;
#else
			each->parent = t;
#endif
		child->first = NULL;
#ifdef LOOP_ERR
		child->n = n;
#else
		child->n = 0;
#endif
	} else {
#ifdef PARENT_ERR
		child->parent = child;
#else
		child->parent = t;
#endif
	}
	if (last)
		last->next = c;
	else
#ifdef FIRST_ERR
		t->first = child;
#else
		t->first = c;
#endif
#ifdef COUNT_ERR
	t->n = t->n + 1;
#else
	t->n = t->n + n;
#endif
	return true;
}

static struct node *node(int key)
{
	struct node *n = calloc(1, sizeof *n);

	n->key = key;
	return n;
}

static void add_to_list(struct node *list, struct node *c)
{
	struct node **end = &list->first;

	while (*end)
		end = &(*end)->next;
	*end = c;
	c->parent = list;
	list->n++;
}

int main(int argc, char **argv)
{
	struct node *t = node(-1), *list = NULL;

	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '+') {
			list = node(0);
		} else if (argv[i][0] == '.') {
			tree_add(t, list);
			list = NULL;
		} else if (list) {
			add_to_list(list, node(atoi(argv[i])));
		} else {
			tree_add(t, node(atoi(argv[i])));
		}
	return 0;
}
