/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A null pointer that a lookup returned.
 * test: 7
 * ends: SIGSEGV
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node {
	int key, value;
	struct node *next;
};
static struct node *head;
static void insert(int key, int value)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	n->value = value;
	n->next = head;
	head = n;
}
static int hash(int k)
{
	return k % 10 + 1; /* fault */
}
static struct node *find(int key)
{
	for (struct node *n = head; n; n = n->next)
		if (n->key == key)
			return n;
	return NULL;
}
int main(int argc, char **argv)
{
	int want = atoi(argv[1]);
	insert(3, 30);
	insert(7, 70);
	insert(9, 90);
	struct node *n = find(hash(want));
	printf("%d\n", n->value);
	return 0;
}
