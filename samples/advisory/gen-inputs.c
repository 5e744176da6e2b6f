/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test inputs for the advisory: gen-inputs [COUNT [SEED]] prints COUNT lines
 * (1600) of twelve numbers, always the same ones.  Half of the values are drawn
 * from a range, the others stand at, just below or just above a number that
 * means something; most encounters are arranged so that the two aircraft do come
 * near each other.
 */
#include "advisory.h"

#include <stdio.h>
#include <stdlib.h>

struct source {
	unsigned long long state;
};

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Knuth's MMIX generator; its high bits are the good ones. */
static int below(struct source *s, int n)
{
	s->state = s->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (int)((s->state >> 33) % (unsigned long long)n);
}

static int between(struct source *s, int low, int high)
{
	return low + below(s, high - low + 1);
}

/* One of the marks, or a neighbour of it. */
static int at_a_mark(struct source *s, const int *marks, int n)
{
	return marks[below(s, n)] + between(s, -1, 1);
}

static int rate(struct source *s)
{
	static const int marks[] = { -2500, -1500, 0, 0, 0, 1500, 2500 };

	return below(s, 2) ? at_a_mark(s, marks, LENGTH(marks)) : between(s, -3500, 3500);
}

static int clearance(struct source *s)
{
	static const int marks[] = { 0, 1000, 1100, 5000, 10000, 20000 };
	int value;

	if (below(s, 2))
		return between(s, 200, 30000);
	value = at_a_mark(s, marks, LENGTH(marks));
	return value < 0 ? 0 : value;
}

static int gap(struct source *s)
{
	static const int marks[] = { -700, -600, -400, -350, -300, 0, 300, 350, 400, 600, 700 };

	return below(s, 3) ? between(s, -1500, 1500) : at_a_mark(s, marks, LENGTH(marks));
}

static int closing(struct source *s)
{
	static const int marks[] = { -50, 0, 10, 50 };

	if (below(s, 10) == 0)
		return between(s, 401, 1400);
	return below(s, 3) ? between(s, 5, 400) : at_a_mark(s, marks, LENGTH(marks));
}

/* Mostly so that the meeting is some seconds ahead. */
static int distance(struct source *s, int closing)
{
	static const int marks[] = { 370, 650, 1020, 1480, 2040 };
	int seconds = below(s, 3) ? between(s, 0, 45) : 5 * between(s, 0, 8);

	if (closing > 400)
		return 20 * marks[below(s, LENGTH(marks))] + between(s, -100, 1000);
	if (closing > 0 && below(s, 5) != 0)
		return closing * seconds + below(s, closing);
	return below(s, 2) ? at_a_mark(s, marks, LENGTH(marks)) : between(s, 0, 60000);
}

/* Two in level flight at about the same height who meet in good time. */
static void meet_level(struct source *s, struct encounter *e)
{
	e->own_rate = between(s, -300, 300);
	e->other_rate = between(s, -300, 300);
	e->other_height = e->own_height + between(s, -150, 150);
	e->closing = between(s, 20, 400);
	e->distance = e->closing * between(s, 14, 35);
}

static void make_encounter(struct source *s, struct encounter *e)
{
	static const int highest[] = { 39000 };

	e->clearance = clearance(s);
	e->own_height = e->clearance + between(s, 0, 9000);
	if (below(s, 12) == 0)
		e->own_height = at_a_mark(s, highest, LENGTH(highest));
	e->other_height = e->own_height + (below(s, 10) ? gap(s) : between(s, -9000, 9000));
	e->own_rate = rate(s);
	e->other_rate = rate(s);
	e->closing = closing(s);
	e->distance = distance(s, e->closing);
	if (below(s, 8) == 0)
		meet_level(s, e);
	e->link = between(s, -1, LINK_TALKS);
	if (e->link < 0)
		e->link = LINK_TALKS;
	e->intends = between(s, WAY_NONE, WAY_DOWN);
	e->last = between(s, ADVICE_NONE, ADVICE_DESCEND_HARD);
	e->warnings = below(s, 2) ? 0 : below(s, 8);
	e->yields = below(s, 2);
}

int main(int argc, char **argv)
{
	struct source s = { argc > 2 ? strtoull(argv[2], NULL, 0) : 26 };
	int count = argc > 1 ? atoi(argv[1]) : 1600;

	for (int i = 0; i < count; i++) {
		struct encounter e;

		make_encounter(&s, &e);
		printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", e.own_height, e.own_rate,
		       e.other_height, e.other_rate, e.distance, e.closing, e.clearance, e.link,
		       e.intends, e.last, e.warnings, e.yields);
	}
	return 0;
}
