/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that eats: a cache without a bound takes block after block and never
 * has enough.  The fault is elsewhere, but an explanation that looks into that
 * branch must stay within its memory.
 *
 * test: 10 4
 * danger: allocates without end
 * fails: 52
 * faulty: 39
 * fixed: blocks = wanted < bound ? wanted : bound;
 */
#include <assert.h>
#include <stdlib.h>

enum { BLOCK_SIZE = 1 << 20 };

struct block {
	struct block *next;
	char bytes[BLOCK_SIZE];
};

static int fill_cache(int wanted, int bound)
{
	struct block *cache = NULL;
	int blocks = 0;

	if (bound < 0) {
		for (;;) {
			struct block *block = malloc(sizeof *block);

			if (block == NULL)
				continue;
			block->next = cache;
			cache = block;
			blocks = cache == NULL;
		}
	} else {
		blocks = wanted;
	}
	return blocks;
}

int main(int argc, char **argv)
{
	int wanted, bound;

	if (argc != 3)
		return 2;
	wanted = atoi(argv[1]);
	bound = atoi(argv[2]);
	assert(fill_cache(wanted, bound) <= bound);
	return 0;
}
