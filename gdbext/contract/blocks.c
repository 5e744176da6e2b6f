/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/blocks.h"

#include "gdbext/contract/memory.h"

#include <string.h>

enum {
	MOST_BLOCKS = 256,
	MOST_BYTES = 4096, /* each word of them is some instructions of the record */
};

/* A program has one contract. */
static struct {
	const uint8_t *at[MOST_BLOCKS];
	uint64_t size[MOST_BLOCKS], bytes;
	unsigned n;
} found;

static void keep_block(const uint8_t *p, uint64_t size)
{
	for (unsigned i = 0; i < found.n; i++)
		if (found.at[i] == p)
			return;
	if (!size || found.n == MOST_BLOCKS || size > MOST_BYTES - found.bytes)
		return;
	found.at[found.n] = p;
	found.size[found.n++] = size;
	found.bytes += size;
}

static void look_for_blocks(const uint8_t *at, uint64_t size)
{
	const uint8_t *p;

	for (uint64_t i = 0; i + sizeof p <= size; i += sizeof p) {
		memcpy(&p, at + i, sizeof p);
		keep_block(p, block_size(p));
	}
}

void find_blocks(const void *parameters, uint32_t type)
{
	uint32_t n = take_snapshot(parameters, type);

	found.n = 0;
	found.bytes = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct seen_object o = snapshot_object(i);

		if (i && !is_variable(o.from))
			keep_block(o.from, o.size);
		look_for_blocks(o.copy, o.size);
	}
	for (unsigned i = 0; i < found.n; i++)
		look_for_blocks(found.at[i], found.size[i]);
}

uint64_t found_block(unsigned n, const void **at)
{
	if (n >= found.n)
		return 0;
	*at = found.at[n];
	return found.size[n];
}
