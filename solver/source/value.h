/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values as a person writes them.  image_format does most of it; this adds what only
 * memory can tell: `&x' for the address of a variable, "abc" for a string, `node with
 * key 3' for a pointer into the heap, `{key = 3, next = NULL}' for a structure, and
 * `std::vector of length 2, capacity 4 = {1, 2}' for an object of C++'s library.
 */
#ifndef SOLVER_SOURCE_VALUE_H
#define SOLVER_SOURCE_VALUE_H

#include "solver/image/variable/variable.h"

/* frame: whose variables an address may belong to, and whose memory is read; NULL = none.
 * Caller frees. */
char *value_text(const struct image *im, const struct image_frame *frame,
		 const struct image_type *type, const uint8_t *bytes, size_t size);
/* The object at a runtime address; "?" stands for parts that are not known.  NULL = no part of it
 * is known.  Caller frees. */
char *value_text_at(const struct image *im, const struct image_frame *frame,
		    const struct image_type *type, uint64_t address);
/* Does one of these texts leave parts of the value out, because they are not known or lie too deep?
 */
bool value_has_holes(const char *text);
/* A string that is known otherwise, written as the others; NULL = it is no plain text.  Caller
 * frees.
 */
char *value_quoted(const char *text);

#endif
