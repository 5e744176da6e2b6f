/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of N nodes, each of which matters: its sum is not what it should be. */
#include <assert.h>
#include <stdlib.h>
#ifndef N
#define N 50
#endif
struct node {
	int value;
	struct node *next;
};

static struct node *push(struct node *list, int value)
{
	struct node *n = malloc(sizeof(*n));

	n->value = value;
	n->next = list;
	return n;
}

static int sum_of(const struct node *list)
{
	int sum = 0;

	for (; list; list = list->next)
		sum += list->value;
	return sum;
}

int main(void)
{
	struct node *list = 0;
	int sum;

	for (int i = 0; i < N; i++)
		list = push(list, i + 1);
	sum = sum_of(list);
	assert(sum == N * (N - 1) / 2);
	return 0;
}
