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

/* A broken list may be endless; one of more nodes than its size says is not asked about. */
static int unique_elements(const struct list *l)
{
	int n = 0;

	for (const struct node *p = l->header; p && n++ < l->size; p = p->next)
		for (const struct node *q = l->header; q != p; q = q->next)
			if (q->key == p->key)
				return 0;
	return 1;
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

WHY_PRE(list_remove, unique_elements, l)
WHY_POST(list_remove, remove_ok, before(l), l, k)
WHY_POST(list_remove, size_ok, before(l), l, k)
