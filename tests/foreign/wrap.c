/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Room left in a buffer, in unsigned numbers.
 *
 * test: 10 12
 * fails: 30
 * faulty: 17
 * fixed: room = used < capacity ? capacity - used : 0;
 */
#include <assert.h>
#include <stdlib.h>

static unsigned int accept(unsigned int used, unsigned int capacity, unsigned int wanted)
{
	unsigned int room;

	room = capacity - used;
	return wanted < room ? wanted : room;
}

int main(int argc, char **argv)
{
	unsigned int used, capacity, taken;

	if (argc != 3)
		return 2;
	capacity = (unsigned int)atoi(argv[1]);
	used = (unsigned int)atoi(argv[2]);
	taken = accept(used, capacity, 5);
	assert(taken == 0 || used + taken <= capacity);
	return 0;
}
