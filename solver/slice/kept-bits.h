/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores that write some bits of memory back as they were.  An assignment to a bit-field does so
 * with its neighbours:
 *
 *     d.month = 1;        d = (d & ~0x1e0) | 0x20
 *
 * Who gave d.year its value?  This store did not, though it wrote the word that holds d.year.
 */
#ifndef SOLVER_SLICE_KEPT_BITS_H
#define SOLVER_SLICE_KEPT_BITS_H

#include "solver/trace/index/reverse-index.h"

/* The bits of what the step stored, as *store tells, that its memory held before it; 0 = none, or
 * that is not known. */
uint64_t kept_bits(struct reverse_index *h, uint64_t step, const struct reverse_index_event *store);

/* The same as reverse_index_find, but it goes on behind stores that write no bit of the place that
 * matters, or write it back as it was. */
enum reverse_index_found kept_bits_find(struct reverse_index *h,
					const struct reverse_index_place *place, uint64_t before,
					uint64_t *number, struct reverse_index_event *event);

/* Parts of a place. */
struct place_parts {
	struct reverse_index_place written; /* what the store wrote, in which those bits matter that
					     * it did not write back */
	struct reverse_index_place rest[2]; /* bytes of the place that it did not write */
	unsigned n_rest;
	struct reverse_index_place kept; /* bits that it wrote back: .size is 0 when it did none */
};
struct place_parts place_parts_of(struct reverse_index *h, const struct reverse_index_place *place,
				  uint64_t step, const struct reverse_index_event *store);

#endif
