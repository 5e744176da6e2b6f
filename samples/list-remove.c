/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deleting from a singly linked list: a node that is not the first is unlinked
 * from its predecessor, which here goes on to point at the deleted node.
 * The first argument is the key to delete, the others are the list.
 *
 * test: 2 1 2
 * fails: 85
 * faulty: 49
 * fixed: previous->next = node->next;
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int key;
};

struct list {
	struct node *head;
	int size;
};

static void append(struct list *list, int key)
{
	struct node **link = &list->head;
	struct node *node = malloc(sizeof *node);

	if (node == NULL)
		abort();
	node->key = key;
	node->next = NULL;
	while (*link != NULL)
		link = &(*link)->next;
	*link = node;
	list->size++;
}

static bool delete_key(struct list *list, int key)
{
	struct node *previous = NULL;
	struct node *node = list->head;

	while (node != NULL) {
		if (node->key == key) {
			if (previous != NULL)
				previous->next = node;
			else
				list->head = node->next;
			list->size = list->size - 1;
			return true;
		}
		previous = node;
		node = node->next;
	}
	return false;
}

static int length(const struct list *list)
{
	int n = 0;

	for (const struct node *node = list->head; node != NULL; node = node->next)
		n++;
	return n;
}

static bool contains(const struct list *list, int key)
{
	for (const struct node *node = list->head; node != NULL; node = node->next)
		if (node->key == key)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct list list = { NULL, 0 };

	for (int i = 2; i < argc; i++)
		append(&list, atoi(argv[i]));
	delete_key(&list, atoi(argv[1]));
	assert(length(&list) == list.size);
	assert(!contains(&list, atoi(argv[1])));
	return 0;
}
