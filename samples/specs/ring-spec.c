/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a ring buffer is, and what putting and taking do. */
#include "why-spec.h"

enum { ROOM = 4 };

struct ring {
	int items[ROOM];
	int first, count;
};

static int sound(const struct ring *r)
{
	return r->first >= 0 && r->first < ROOM && r->count >= 0 && r->count <= ROOM;
}

/* Item number i, from the first on. */
static int item(const struct ring *r, int i)
{
	return r->items[(r->first + i) % ROOM];
}

static int put_last(const struct ring *was, const struct ring *is, int v, int done)
{
	return !done || (is->count == was->count + 1 && item(is, was->count) == v);
}

static int others_stay(const struct ring *was, const struct ring *is)
{
	for (int i = 0; i < was->count; i++)
		if (item(was, i) != item(is, i))
			return 0;
	return 1;
}

static int full_only(const struct ring *was, int done)
{
	return done == (was->count < ROOM);
}

static int took_first(const struct ring *was, const struct ring *is, int v, int done)
{
	if (done != (was->count > 0))
		return 0;
	return !done || (v == item(was, 0) && is->count == was->count - 1);
}

static int moved_on(const struct ring *was, const struct ring *is, int done)
{
	return !done || is->first == (was->first + 1) % ROOM;
}

WHY_INVARIANT(sound, struct ring *)
WHY_POST(ring_put, put_last, before(r), r, v, result)
WHY_POST(ring_put, others_stay, before(r), r)
WHY_POST(ring_put, full_only, before(r), result)
WHY_POST(ring_take, took_first, before(r), r, *v, result)
WHY_POST(ring_take, moved_on, before(r), r, result)
