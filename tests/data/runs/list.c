/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A key that is in no list: the lookup runs over its end.
 * cc: -O0
 * test: 9
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	int key;
	unsigned used : 3, kind : 5;
	struct node *next;
	char name[8];
};
static struct node *head;
static int count;

static struct node *add(int key)
{
	struct node *n = calloc(1, sizeof *n);

	n->key = key;
	n->kind = 2;
	strcpy(n->name, "node");
	n->next = head;
	head = n;
	count++;
	return n;
}

static int *keys_of(int n)
{
	int *keys = malloc(2 * sizeof *keys);

	keys[0] = 3;
	keys[1] = n + 1; /* fault: one too many */
	keys = realloc(keys, 3 * sizeof *keys);
	keys[2] = 5;
	return keys;
}

static struct node *find(int key)
{
	struct node *n = head;

	while (n->key != key)
		n = n->next;
	return n;
}

int main(int argc, char **argv)
{
	int *keys = keys_of(atoi(argv[argc - 1]));
	char *copy = strdup("node");
	struct node *found;

	for (int i = 0; i < 3; i++)
		add(keys[i]);
	free(keys);
	found = find(9);
	found->used = strcmp(found->name, copy) == 0;
	printf("%d of %d\n", found->used, count);
	free(copy);
	return 0;
}
