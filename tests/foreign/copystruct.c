/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Structures copied whole.
 *
 * test: 1 2 5 7
 * fails: 46
 * faulty: 26
 * fixed: box.to = b;
 */
#include <assert.h>
#include <stdlib.h>

struct point {
	int x, y;
};

struct box {
	struct point from, to;
};

static struct box span(struct point a, struct point b)
{
	struct box box;

	box.from = a;
	box.to = a;
	if (b.x < a.x) {
		box.from.x = b.x;
		box.to.x = a.x;
	}
	return box;
}

int main(int argc, char **argv)
{
	struct point a, b;
	struct box box;

	if (argc != 5)
		return 2;
	a.x = atoi(argv[1]);
	a.y = atoi(argv[2]);
	b.x = atoi(argv[3]);
	b.y = atoi(argv[4]);
	box = span(a, b);
	assert(box.to.x - box.from.x == abs(b.x - a.x));
	return 0;
}
