/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A node that is moved to the front of a list stays what the one before it points to.
 * ends: endless loop
 * test: 3
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *next;
};
static struct node *head;
static void push(int key)
{
	struct node *n = malloc(sizeof *n);

	n->key = key;
	n->next = head;
	head = n;
}
static void move_to_front(int key)
{
	struct node *before = NULL;

	for (struct node *n = head; n; before = n, n = n->next)
		if (n->key == key) {
			if (before)
				before->next = n; /* fault */
			n->next = head;
			head = n;
			return;
		}
}
int main(int argc, char **argv)
{
	int length = 0;

	for (int i = 1; i <= 5; i++)
		push(i);
	move_to_front(atoi(argv[1]));
	for (struct node *n = head; n; n = n->next)
		length++;
	printf("%d nodes, the first is %d\n", length, head->key);
	return 0;
}
