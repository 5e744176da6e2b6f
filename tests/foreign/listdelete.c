/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deleting every occurrence of a value from a list.
 *
 * test: 7 1 7
 * fails: 54
 * faulty: 36
 * fixed: if (p->value == value)
 */
#include <assert.h>
#include <stdlib.h>

typedef struct Node {
	int value;
	struct Node *next;
} Node;

static Node *push(Node *head, int value)
{
	Node *n = calloc(1, sizeof(Node));

	if (!n)
		abort();
	n->value = value;
	n->next = head;
	return n;
}

static void delete_all(Node **head, int value)
{
	Node **link = head;

	while (*link) {
		Node *p = *link;

		if (p->value > value)
			*link = p->next;
		else
			link = &p->next;
	}
}

int main(int argc, char **argv)
{
	Node *list = NULL;
	int n = 0;

	for (int i = 2; i < argc; i++)
		list = push(list, atoi(argv[i]));
	delete_all(&list, atoi(argv[1]));
	for (Node *p = list; p; p = p->next)
		if (p->value == atoi(argv[1]))
			n++;
	assert(n == 0);
	return 0;
}
