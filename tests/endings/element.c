/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An element that was never filled, as a pointer.
 * test: x
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
struct q {
	int n;
	int *data[4];
};
static void put(struct q *q, int *p)
{
	q->data[q->n++] = p;
}
static int *get(struct q *q)
{
	int i = --q->n;
	return q->data[i - 1]; /* fault */
}
int main(int argc, char **argv)
{
	struct q q = { 0 };
	int a = 1, b = 2;
	q.data[3] = (int *)0x1234;
	put(&q, &a);
	put(&q, &b);
	q.n += argc - 1;
	q.n -= argc - 1;
	int *x = get(&q), *y = get(&q);
	printf("%d\n", *x + *y);
	return 0;
}
