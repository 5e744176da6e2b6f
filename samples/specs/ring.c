/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring buffer of four numbers.
 *
 *     ring WORDS...      a number is put in, - takes one out
 *
 * One fault each: -DWRAP_ERR, -DCOUNT_ERR, -DFULL_ERR, -DTAKE_ERR, -DPLACE_ERR; two: -DWRAP_ERR
 * -DTAKE_ERR, -DPLACE_ERR -DCOUNT_ERR.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 };

struct ring {
	int items[ROOM];
	int first, count;
};

static bool ring_put(struct ring *r, int v)
{
	int at;

#ifdef FULL_ERR
	if (r->count > ROOM)
#else
	if (r->count == ROOM)
#endif
		return false;
	at = r->first + r->count;
	if (at >= ROOM)
#ifdef WRAP_ERR
		at = 0;
#else
		at = at - ROOM;
#endif
#ifdef PLACE_ERR
	r->items[r->first] = v;
#else
	r->items[at] = v;
#endif
#ifdef COUNT_ERR
	r->count = at + 1;
#else
	r->count = r->count + 1;
#endif
	return true;
}

static bool ring_take(struct ring *r, int *v)
{
	if (r->count == 0)
		return false;
	*v = r->items[r->first];
	r->first = r->first + 1;
	if (r->first == ROOM)
#ifdef TAKE_ERR
		r->first = 1;
#else
		r->first = 0;
#endif
	r->count = r->count - 1;
	return true;
}

int main(int argc, char **argv)
{
	struct ring r = { { 0 }, 0, 0 };
	int v = 0;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-"))
			ring_take(&r, &v);
		else
			ring_put(&r, atoi(argv[i]));
	return 0;
}
