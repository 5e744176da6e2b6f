/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What list_remove does: the list is as it was, without the key. */
#include "why-spec.h"

struct node {
	struct node *next;
	int key;
};

struct list {
	struct node *header;
	int size;
};

static int has(const struct list *l, int key)
{
	for (const struct node *n = l->header; n; n = n->next)
		if (n->key == key)
			return 1;
	return 0;
}

static int remove_ok(const struct list *was, const struct list *is, int key)
{
	const struct node *n = is->header;

	for (const struct node *w = was->header; w; w = w->next) {
		if (w->key == key)
			continue;
		if (!n || n->key != w->key)
			return 0;
		n = n->next;
	}
	return !n;
}

static int size_ok(const struct list *was, const struct list *is, int key)
{
	return is->size == was->size - has(was, key);
}

WHY_POST(list_remove, remove_ok, before(l), l, k)
WHY_POST(list_remove, size_ok, before(l), l, k)
