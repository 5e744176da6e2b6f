/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a priority queue is, and what putting and taking do. */
#include "why-spec.h"

enum { ROOM = 7 };

struct queue {
	int items[ROOM];
	int size;
};

static int sound(const struct queue *q)
{
	return q->size >= 0 && q->size <= ROOM;
}

static int ordered(const struct queue *q)
{
	for (int i = 1; i < q->size && i < ROOM; i++)
		if (q->items[(i - 1) / 2] > q->items[i])
			return 0;
	return 1;
}

/* How often v is in it. */
static int times(const struct queue *q, int v)
{
	int n = 0;

	for (int i = 0; i < q->size && i < ROOM; i++)
		n += q->items[i] == v;
	return n;
}

static int size_put(const struct queue *was, const struct queue *is, int done)
{
	return is->size == was->size + done;
}

/* All that was in it is, and so is v. */
static int none_lost(const struct queue *was, const struct queue *is, int v, int done)
{
	for (int i = 0; i < was->size; i++)
		if (times(is, was->items[i]) <
		    times(was, was->items[i]) + (done && was->items[i] == v))
			return 0;
	return !done || times(is, v) > 0;
}

static int took_least(const struct queue *was, const struct queue *is, int v, int done)
{
	return !done || (v == was->items[0] && is->size == was->size - 1);
}

static int others_stay(const struct queue *was, const struct queue *is, int v, int done)
{
	for (int i = 0; i < was->size; i++)
		if (times(is, was->items[i]) !=
		    times(was, was->items[i]) - (done && was->items[i] == v))
			return 0;
	return 1;
}

WHY_INVARIANT(sound, struct queue *)
WHY_INVARIANT(ordered, struct queue *)
WHY_POST(queue_put, size_put, before(q), q, result)
WHY_POST(queue_put, none_lost, before(q), q, v, result)
WHY_POST(queue_take, took_least, before(q), q, *v, result)
WHY_POST(queue_take, others_stay, before(q), q, *v, result)
