/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbolic store: what each register and each byte of memory holds, as terms, at
 * the point that the walk has reached.  Every change is kept in a log, so that the walk
 * can go down one side of a branch, go back, take the other side, and merge what either
 * side wrote.
 *
 * A cell of memory is one byte (a term of width 8) at its runtime address.  A cell of
 * the guest state is 8 bytes (a term of width 64) at SYMBOLIC_STATE + offset / 8.  When
 * a statement may be relaxed, the register values that it computed are `pending': such
 * a value becomes a variable of its own only when another statement instance reads it.
 */
#ifndef SOLVER_FORMULA_SIDE_SYMBOLIC_MEMORY_H
#define SOLVER_FORMULA_SIDE_SYMBOLIC_MEMORY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define SYMBOLIC_STATE ((uint64_t)1 << 63)

struct cell {
	uint32_t term;	   /* 0 = nothing is known here */
	uint32_t instance; /* the definition that wrote it */
	bool pending;
};

struct symbolic_change {
	uint64_t key;
	struct cell before, now;
};

struct symbolic_memory;

struct symbolic_memory *symbolic_new(void);
void symbolic_free(struct symbolic_memory *s);

struct cell symbolic_get(const struct symbolic_memory *s,
			 uint64_t key); /* .term is 0 when it was never set */
void symbolic_set(struct symbolic_memory *s, uint64_t key, struct cell c);

/* A mark is a position in the log of changes. */
size_t symbolic_mark(const struct symbolic_memory *s);
/* The cells that changed since mark, each once (struct symbolic_change): as they were at mark
 * and as they are now.  It takes time in proportion to the changes since mark.  Caller frees. */
GArray *symbolic_changed(const struct symbolic_memory *s, size_t mark);
/* Forgets the log.  Marks that were made before must not be used any more. */
void symbolic_commit(struct symbolic_memory *s);
/* Sets the store back to what it was at mark. */
void symbolic_undo(struct symbolic_memory *s, size_t mark);

#endif
