/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A priority queue: a binary heap, the smallest number first.
 *
 *     queue WORDS...     a number is put in, - takes the smallest one out
 *
 * One fault each: -DPARENT_ERR, -DSWAP_ERR, -DSIZE_ERR, -DCHILD_ERR, -DLAST_ERR; two: -DSWAP_ERR
 * -DCHILD_ERR, -DSWAP_ERR -DLAST_ERR.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 7 };

struct queue {
	int items[ROOM];
	int size;
};

static bool queue_put(struct queue *q, int v)
{
	int at, up, other;

	if (q->size == ROOM)
		return false;
	at = q->size;
	q->items[at] = v;
#ifdef SIZE_ERR
	q->size = 1;
#else
	q->size = q->size + 1;
#endif
	while (at > 0) {
#ifdef PARENT_ERR
		up = at / 2;
#else
		up = (at - 1) / 2;
#endif
		if (q->items[up] <= q->items[at])
			break;
		other = q->items[up];
#ifdef SWAP_ERR
		q->items[up] = other;
#else
		q->items[up] = q->items[at];
#endif
		q->items[at] = other;
		at = up;
	}
	return true;
}

static bool queue_take(struct queue *q, int *v)
{
	int at = 0, down, other;

	if (q->size == 0)
		return false;
	*v = q->items[0];
	q->size = q->size - 1;
#ifdef LAST_ERR
	q->items[0] = q->items[1];
#else
	q->items[0] = q->items[q->size];
#endif
	while (2 * at + 1 < q->size) {
		down = 2 * at + 1;
		if (down + 1 < q->size && q->items[down + 1] < q->items[down])
#ifdef CHILD_ERR
			down = 2 * at + 1;
#else
			down = down + 1;
#endif
		if (q->items[at] <= q->items[down])
			break;
		other = q->items[at];
		q->items[at] = q->items[down];
		q->items[down] = other;
		at = down;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct queue q = { { 0 }, 0 };
	int v = 0;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-"))
			queue_take(&q, &v);
		else
			queue_put(&q, atoi(argv[i]));
	return 0;
}
