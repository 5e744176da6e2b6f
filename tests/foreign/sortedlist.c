/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserting into a sorted list through a pointer to the link.
 *
 * test: 1 3 2
 * fails: 39
 * faulty: 24
 * fixed: while (*link != NULL && (*link)->value < value)
 */
#include <assert.h>
#include <stdlib.h>

struct item {
	int value;
	struct item *next;
};

static void insert(struct item **link, int value)
{
	struct item *item = malloc(sizeof(struct item));

	if (item == NULL)
		exit(1);
	while (*link != NULL && (*link)->value > value)
		link = &(*link)->next;
	item->value = value;
	item->next = *link;
	*link = item;
}

int main(int argc, char **argv)
{
	struct item *list = NULL;
	int i;

	for (i = 1; i < argc; i++)
		insert(&list, atoi(argv[i]));
	for (struct item *p = list; p != NULL && p->next != NULL; p = p->next)
		assert(p->value <= p->next->value);
	return 0;
}
