/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The objects that pointers of a run may point into: blocks of the heap, and arrays of the
 * program's variables.  Each has a number, which goes with the pointers that were made of its
 * address (shade.h); 0 is no object.
 *
 * Only what traced code allocated and freed is known.  When untraced code shows a pointer to
 * where a block was, it may have allocated something there itself: objects_renew() forgets what
 * was there, so that nothing wrong is said of it.
 */
#ifndef SOLVER_MEMORY_OBJECTS_H
#define SOLVER_MEMORY_OBJECTS_H

#include "solver/memory/memory.h"

struct objects;

struct objects *objects_new(void);
void objects_free(struct objects *o); /* NULL is fine */

/* A block was allocated: what was there before is gone. */
uint32_t objects_add_block(struct objects *o, uint64_t lo, uint64_t size,
			   const struct memory_point *made);
/* So many bytes of the block that begins there may be used, where those are more than it was made
 * with. */
void objects_extend_block(struct objects *o, uint64_t lo, uint64_t size);
/* A variable; the same address and size have the same number. */
uint32_t objects_add_variable(struct objects *o, uint64_t lo, uint64_t size, const char *name);
/* NULL = there is no object with this number, or it was forgotten. */
struct memory_object *objects_get(const struct objects *o, uint32_t number);

/* The block, allocated or freed, that has the byte at this address; 0 = none. */
uint32_t objects_block_at(const struct objects *o, uint64_t address);
/* The block that is allocated still in whose surroundings the byte lies: between its end and what
 * the allocator has next, or right before its beginning, where the allocator keeps its size.  No
 * other object can be there.  0 = none. */
uint32_t objects_block_beside(const struct objects *o, uint64_t address);
void objects_free_block(struct objects *o, uint32_t number, const struct memory_point *gone);
/* Untraced code gave a pointer to this address, or freed what is there: blocks that were freed
 * around it are forgotten.  also_live: one that is allocated there, too. */
void objects_renew(struct objects *o, uint64_t address, bool also_live);
/* Does an address lie between the lowest and the highest block? */
bool objects_in_heap(const struct objects *o, uint64_t address);

#endif
