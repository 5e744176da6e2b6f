/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture in README.md: dropping a key from a list, with a wrong comparison in the
 * search for its node.  The arguments are the sum of what should be left, the key, and
 * the list.
 *
 * test: 7 3 5 2 3
 * fails: 59
 * faulty: 22
 * fixed: while (*link != NULL && (*link)->key != key)
 */
#include <assert.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *next;
};

static void drop(struct node **link, int key)
{
	while (*link != NULL && (*link)->key > key)
		link = &(*link)->next;
	if (*link != NULL)
		*link = (*link)->next;
}

static int sum(const struct node *list)
{
	int sum = 0;

	for (; list != NULL; list = list->next)
		sum += list->key;
	return sum;
}

static struct node *push(struct node *list, int key)
{
	struct node *node = malloc(sizeof *node);

	if (node == NULL)
		abort();
	node->key = key;
	node->next = list;
	return node;
}

int main(int argc, char **argv)
{
	struct node *list = NULL;
	int expected, key;

	assert(argc >= 3);
	expected = atoi(argv[1]);
	key = atoi(argv[2]);
	for (int i = argc - 1; i > 2; i--)
		list = push(list, atoi(argv[i]));
	drop(&list, key);
	assert(sum(list) == expected);
	return 0;
}
