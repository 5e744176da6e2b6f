/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rooms and guests; a booking that ends when another one begins does not clash.
 *
 * test: 10 12 12 14 1
 * faulty: 18
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct booking {
	int from, to;
};

static bool clash(const struct booking *a, const struct booking *b)
{
	return a->from <= b->to && b->from <= a->to;
}

static int room_for_both(const struct booking *a, const struct booking *b)
{
	if (clash(a, b))
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct booking a = { atoi(argv[1]), atoi(argv[2]) };
	struct booking b = { atoi(argv[3]), atoi(argv[4]) };

	(void)argc;
	assert(room_for_both(&a, &b) == atoi(argv[5]));
	return 0;
}
