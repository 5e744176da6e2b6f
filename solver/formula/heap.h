/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of the heap, as calls of allocating functions that the walk comes by tell of
 * them: which functions those are and how large their blocks are says
 * solver/library/library.def.
 */
#ifndef SOLVER_FORMULA_HEAP_H
#define SOLVER_FORMULA_HEAP_H

#include "solver/formula/walk-private.h"

/* A block of which the call left the address in memory (posix_memalign, getline): what is
 * loaded from there next says where it is. */
struct heap_awaited {
	uint64_t place, size;
};

/* A large block that began as zeros: its bytes have no cells before they are written. */
struct heap_zeroed {
	struct object object;
	uint32_t instance; /* that made it; cells of older ones are of an older block */
};

void heap_init(struct walk *w);
void heap_deinit(struct walk *w);

/* The call of untraced code at the step has come back: malloc, free, strdup … */
void heap_note_call(struct walk *w);
/* The step loads so many bytes from there. */
void heap_note_load(struct walk *w, uint64_t at, unsigned bytes);

/* The block that holds this byte, NULL = none that is known. */
const struct object *heap_block_around(const struct walk *w, uint64_t at);
/* Is the byte, which nobody has written but in this cell, still a zero of its block?
 * cell.term 0: nothing is known of it. */
bool heap_is_zero(const struct walk *w, uint64_t at, struct cell cell);

#endif
