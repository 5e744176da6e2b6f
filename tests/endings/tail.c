/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A queue whose first node does not become its last one, too.
 * test: 3
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
struct node {
	int key;
	struct node *next;
};
struct queue {
	struct node *head, *tail;
};
static struct node *make(int key)
{
	struct node *n = calloc(1, sizeof *n);

	n->key = key;
	return n;
}
static void prepend(struct queue *q, struct node *n)
{
	n->next = q->head;
	q->head = n;
	if (q->tail != NULL) /* fault */
		q->tail = n;
}
static void append(struct queue *q, struct node *n)
{
	q->tail->next = n;
	q->tail = n;
}
int main(int argc, char **argv)
{
	struct queue q = { NULL, NULL };
	int sum = 0;

	prepend(&q, make(1));
	for (int i = 2; i <= atoi(argv[1]); i++)
		append(&q, make(i));
	for (struct node *n = q.head; n; n = n->next)
		sum = 10 * sum + n->key;
	printf("%d\n", sum);
	return 0;
}
