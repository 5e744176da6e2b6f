/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbolic store: what each register and each byte of memory holds, as
 * terms, at the point that the walk has reached.  Every change is kept in a
 * log, so the walk can go down one side of a branch, go back, take the other,
 * and merge what either side wrote.
 *
 * A cell of memory is one byte (a term of width 8) at its runtime address.  A
 * cell of the guest state is 8 bytes (a term of width 64) at
 * STORE_STATE + offset / 8.  A register's value that its statement may be
 * relaxed for is `pending`: it becomes a variable of its own only when another
 * statement instance reads it.
 */
#ifndef SOLVER_FORMULA_SYMBOLIC_MEMORY_H
#define SOLVER_FORMULA_SYMBOLIC_MEMORY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define STORE_STATE ((uint64_t)1 << 63)

struct cell {
	uint32_t term;	   /* 0 = nothing known here */
	uint32_t instance; /* that wrote it */
	bool pending;
};

struct store_change {
	uint64_t key;
	struct cell before;
};

struct store;

struct store *store_new(void);
void store_free(struct store *s);

struct cell store_get(const struct store *s, uint64_t key); /* .term 0 when never set */
void store_set(struct store *s, uint64_t key, struct cell c);

/* A mark is a position in the log of changes. */
size_t store_mark(const struct store *s);
/* Distinct cells that changed since mark, with their present values in
 * .before.  Caller frees. */
GArray *store_changed(const struct store *s, size_t mark);
/* The cell as it was at mark. */
struct cell store_before(const struct store *s, size_t mark, uint64_t key);
/* Back to how it was at mark. */
void store_undo(struct store *s, size_t mark);

#endif
