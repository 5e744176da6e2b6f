/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A queue in a ring of four places, wrapped one too late.
 *
 * test: 1 2 3 4 5
 * fails: 44
 * faulty: 24
 * fixed: if (q->tail == PLACES)
 */
#include <assert.h>
#include <stdlib.h>

enum { PLACES = 4 };

struct queue {
	int places[PLACES];
	int head, tail, count;
};

static void put(struct queue *q, int value)
{
	q->places[q->tail] = value;
	q->tail++;
	if (q->tail > PLACES)
		q->tail = 0;
	q->count++;
}

static int get(struct queue *q)
{
	int value = q->places[q->head];

	q->head = (q->head + 1) % PLACES;
	q->count--;
	return value;
}

int main(int argc, char **argv)
{
	struct queue q = { .count = 0 };

	for (int i = 1; i < argc; i++) {
		put(&q, atoi(argv[i]));
		assert(q.tail < PLACES);
		assert(get(&q) == atoi(argv[i]));
	}
	return 0;
}
