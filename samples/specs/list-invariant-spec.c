/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a list is, whatever is done with it. */
#include "why-spec.h"

struct node {
	struct node *next;
	int key;
};

struct list {
	struct node *header;
	int size;
};

/* Two runners: the faster one meets the slower one on a cycle only. */
static int acyclicity(const struct list *l)
{
	const struct node *slow = l->header, *fast = l->header;

	while (fast && fast->next) {
		slow = slow->next;
		fast = fast->next->next;
		if (slow == fast)
			return 0;
	}
	return 1;
}

static int size_invariant(const struct list *l)
{
	int n = 0;

	for (const struct node *p = l->header; p && n <= l->size; p = p->next)
		n++;
	return n == l->size;
}

static int unique_elements(const struct list *l)
{
	int n = 0;

	for (const struct node *p = l->header; p && n++ <= l->size; p = p->next)
		for (const struct node *q = l->header; q && q != p; q = q->next)
			if (q->key == p->key)
				return 0;
	return 1;
}

WHY_INVARIANT(acyclicity, struct list *)
WHY_INVARIANT(size_invariant, struct list *)
WHY_INVARIANT(unique_elements, struct list *)
