/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tree with parents is, and what tree_add does. */
#include "why-spec.h"

struct node {
	struct node *parent, *first, *next;
	int key;
	int n;
};

enum { MOST = 32 };

static int length(const struct node *n)
{
	int count = 0;

	for (const struct node *c = n->first; c && count < MOST; c = c->next)
		count++;
	return count;
}

static int counted(const struct node *t)
{
	return !t || t->n == length(t);
}

static int parents(const struct node *t)
{
	int steps = 0;

	for (const struct node *c = t ? t->first : 0; c; c = c->next)
		if (c->parent != t || ++steps >= MOST)
			return 0;
	return 1;
}

/* Its children have keys, and none themselves. */
static int flat(const struct node *t)
{
	int steps = 0;

	for (const struct node *c = t->first; c && steps < MOST; c = c->next, steps++)
		if (!c->key || c->first)
			return 0;
	return 1;
}

static int apart(const struct node *t, const struct node *child)
{
	int steps = 0;

	if (t == child || t->parent || t->next || !t->key)
		return 0;
	if (child && (child->parent || child->next || (child->key && child->first)))
		return 0;
	for (const struct node *c = t->first; c && steps < MOST; c = c->next, steps++)
		for (const struct node *d = child; d; d = d == child ? d->first : d->next)
			if (c == d)
				return 0;
	return 1;
}

static int longer(const struct node *was, const struct node *child, const struct node *is)
{
	int more = !child ? 0 : child->key ? 1 : length(child);

	return length(is) == length(was) + more;
}

WHY_INVARIANT(counted, struct node *)
WHY_INVARIANT(parents, struct node *)
WHY_PRE(tree_add, flat, t)
WHY_PRE(tree_add, apart, t, child)
WHY_POST(tree_add, longer, before(t), before(child), t)
WHY_POST(tree_add, flat, t)
