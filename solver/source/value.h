/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values as a person writes them.  image_format does most of it; this adds what only
 * memory can tell: `&x' for the address of a variable, "abc" for a string, `node with
 * key 3' for a pointer into the heap.
 */
#ifndef SOLVER_SOURCE_VALUE_H
#define SOLVER_SOURCE_VALUE_H

#include "solver/image/variable/variable.h"

/* frame: whose variables an address may belong to, and whose memory is read; NULL = none.
 * Caller frees. */
char *value_text(const struct image *im, const struct image_frame *frame,
		 const struct image_type *type, const uint8_t *bytes, size_t size);

#endif
