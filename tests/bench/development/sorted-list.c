/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sorted list with removal.
 *
 * test: 5 3 8 1
 * faulty: 47
 * fixed: 			l->length--;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *next;
};

struct list {
	struct node *head;
	int length;
};

static void insert(struct list *l, int key)
{
	struct node **link = &l->head;
	struct node *n = malloc(sizeof *n);

	n->key = key;
	while (*link && (*link)->key < key)
		link = &(*link)->next;
	n->next = *link;
	*link = n;
	l->length++;
}

static int remove_key(struct list *l, int key)
{
	struct node *before = NULL;

	for (struct node *n = l->head; n; n = n->next) {
		if (n->key == key) {
			if (before)
				before->next = n->next;
			else
				l->head = n->next;
			free(n);
			l->length++;
			return 1;
		}
		before = n;
	}
	return 0;
}

static int count(const struct list *l)
{
	int n = 0;

	for (const struct node *at = l->head; at; at = at->next)
		n++;
	return n;
}

static void print(const struct list *l)
{
	for (const struct node *at = l->head; at; at = at->next)
		printf("%d ", at->key);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct list list = { NULL, 0 };

	for (int i = 1; i < argc; i++)
		insert(&list, atoi(argv[i]));
	print(&list);
	if (argc > 2)
		remove_key(&list, atoi(argv[2]));
	print(&list);
	assert(count(&list) == list.length);
	return 0;
}
