/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of the heap, as the walk learns of them from calls of allocating functions.
 * solver/library/library.def says which functions these are, and how large their blocks
 * are.
 */
#ifndef SOLVER_FORMULA_HEAP_H
#define SOLVER_FORMULA_HEAP_H

#include "solver/formula/walk-private.h"

/* The call left the block's address in memory (posix_memalign, getline).  What is loaded from
 * there next says where the block is. */
struct heap_awaited {
	uint64_t place, size;
};

/* A large block of zeros: its bytes have no cells before somebody writes them. */
struct heap_zeroed {
	struct object object;
	uint32_t instance; /* the step that made it; an older cell belongs to an older block */
};

void heap_init(struct walk *w);
void heap_deinit(struct walk *w);

/* Tells that the call of untraced code at the step has come back: malloc, free, strdup … */
void heap_note_call(struct walk *w);
/* Tells that the step loads so many bytes from there. */
void heap_note_load(struct walk *w, uint64_t at, unsigned bytes);

/* The block that holds this byte; NULL = none is known. */
const struct object *heap_block_around(const struct walk *w, uint64_t at);
/* Is this byte still a zero of its block, because nobody has written it except in this cell?
 * cell.term 0: nothing is known of it. */
bool heap_is_zero(const struct walk *w, uint64_t at, struct cell cell);

#endif
