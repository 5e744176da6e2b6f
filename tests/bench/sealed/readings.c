/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring of readings; the mean of the last four.
 *
 * test: 1 2 3 4 5 6 4
 * faulty: 30
 */
#include <assert.h>
#include <stdlib.h>

enum { ROOM = 4 };

struct ring {
	int readings[ROOM];
	int next, filled;
};

static void put(struct ring *r, int value)
{
	r->readings[r->next] = value;
	r->next = (r->next + 1) % ROOM;
	if (r->filled < ROOM)
		r->filled++;
}

static int mean(const struct ring *r)
{
	int sum = 0;

	for (int i = 1; i < r->filled; i++)
		sum += r->readings[i];
	return sum / r->filled;
}

int main(int argc, char **argv)
{
	struct ring r = { { 0 }, 0, 0 };

	for (int i = 1; i < argc - 1; i++)
		put(&r, atoi(argv[i]));
	assert(mean(&r) == atoi(argv[argc - 1]));
	return 0;
}
