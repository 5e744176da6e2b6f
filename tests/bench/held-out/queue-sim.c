/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Customers at a counter: a simulation with a ring.
 *
 * test: 0:3 1:2 2:4 9:1
 * prints: served 4 until 10
 * prints: waited 5, longest 3
 * faulty: 61
 * fixed: 			t->longest = wait;
 */
#include <stdio.h>
#include <stdlib.h>

#define ROOM 8

struct customer {
	int arrives;
	int needs;
};

struct ring {
	struct customer cells[ROOM];
	int first, count;
};

static int put(struct ring *r, struct customer c)
{
	if (r->count == ROOM)
		return 0;
	r->cells[(r->first + r->count) % ROOM] = c;
	r->count++;
	return 1;
}

static struct customer take(struct ring *r)
{
	struct customer c = r->cells[r->first];

	r->first = (r->first + 1) % ROOM;
	r->count--;
	return c;
}

struct totals {
	int served, waited, longest, ends;
};

static void serve(struct ring *r, struct totals *t)
{
	int clock = 0;

	while (r->count > 0) {
		struct customer c = take(r);
		int wait;

		if (clock < c.arrives)
			clock = c.arrives;
		wait = clock - c.arrives;
		t->waited += wait;
		if (wait > t->longest)
			t->longest = t->waited;
		clock += c.needs;
		t->served++;
	}
	t->ends = clock;
}

int main(int argc, char **argv)
{
	struct ring ring = { .first = 6, .count = 0 };
	struct totals totals = { 0, 0, 0, 0 };

	for (int i = 1; i < argc; i++) {
		struct customer c;

		if (sscanf(argv[i], "%d:%d", &c.arrives, &c.needs) == 2 && !put(&ring, c))
			fprintf(stderr, "no room\n");
	}
	serve(&ring, &totals);
	printf("served %d until %d\n", totals.served, totals.ends);
	printf("waited %d, longest %d\n", totals.waited, totals.longest);
	return 0;
}
