/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parameters of a checked call lead to: copies of it, and whether it changed. */
#ifndef GDBEXT_CONTRACT_MEMORY_H
#define GDBEXT_CONTRACT_MEMORY_H

#include "gdbext/contract/contract.h"

#include <link.h>

/* From now on the program's variables are among what checksum_of_memory sees. */
void watch_segments(const struct dl_phdr_info *program);
/* So is what this object leads to, until forget_memory. */
void watch_object(const void *object, uint32_t type);
uint64_t checksum_of_memory(void);
/* Does one of the program's variables lie there? */
int is_variable(const uint8_t *p);
/* The size of glibc's block at p: what was asked for, or the room that its head tells; 0 = there
 * is none. */
uint64_t block_size(const uint8_t *p);

/* See why_copy.  The copies live until forget_memory. */
void *copy_object(const void *object, uint32_t type);
void forget_memory(void);

/* All that an object leads to, itself first, numbered; how many there are, 0 =
 * it cannot be read.  The next snapshot takes their place. */
struct seen_object {
	const uint8_t *from, *copy;
	uint64_t size;
	uint32_t type;
};
uint32_t take_snapshot(const void *object, uint32_t type);
struct seen_object snapshot_object(uint32_t number);
/* The object in which p lies, and where. */
int snapshot_find(const uint8_t *p, uint32_t *number, uint64_t *at);

#endif
