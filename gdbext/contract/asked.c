/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/asked.h"

#include <stdlib.h>

enum {
	MOST_BLOCKS = 1 << 14, /* where two fall on one place, the older one is forgotten */
	ALIGNMENT = 16,
	HEAD = 8,     /* of a block, and of what is asked for the head takes so much of the room */
	SMALLEST = 24 /* room of a block */
};

/* glibc's own, under the names that it keeps for those who replace them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

/* A process has one heap. */
static struct {
	const void *block;
	uint64_t size;
} asked[MOST_BLOCKS];

static unsigned place_of_block(const void *block)
{
	return (unsigned)((uint64_t)block / ALIGNMENT % MOST_BLOCKS);
}

static void *note_asked_block(void *block, uint64_t size)
{
	unsigned i = place_of_block(block);

	if (block) {
		asked[i].block = block;
		asked[i].size = size;
	}
	return block;
}

static uint64_t room_for(uint64_t size)
{
	uint64_t room = (size + HEAD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - HEAD;

	return room < SMALLEST ? SMALLEST : room;
}

/* Another thread, or one that put the heap back to what it was, may have left what is of an older
 * block: of that the room would be another one, but for few. */
uint64_t asked_size(const void *block, uint64_t room)
{
	unsigned i = place_of_block(block);
	uint64_t size = asked[i].size, least = room_for(size);

	return asked[i].block == block && size && (room == least || room == least + ALIGNMENT)
		       ? size
		       : room;
}

#pragma GCC visibility push(default)

void *malloc(size_t size)
{
	return note_asked_block(__libc_malloc(size), size);
}

void *calloc(size_t n, size_t size)
{
	uint64_t all;

	return note_asked_block(__libc_calloc(n, size),
				__builtin_mul_overflow(n, size, &all) ? 0 : all);
}

void *realloc(void *block, size_t size)
{
	return note_asked_block(__libc_realloc(block, size), size);
}

#pragma GCC visibility pop
