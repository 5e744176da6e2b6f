/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions that name something, looked up in a frame: variables, members,
 * elements, what a pointer points to, sums inside an index.  What it cannot
 * follow (calls, casts, unknown memory) has no type or no value; it never
 * guesses.
 *
 *     list->size   node->next->key   a[i + 1]   *p   &x
 */
#ifndef SOLVER_EXPRESSION_H
#define SOLVER_EXPRESSION_H

#include "solver/image/image.h"

struct expression {
	const struct image_type *type; /* NULL = not known */
	bool has_address, has_value;
	uint64_t address;  /* runtime, of an object in memory */
	uint8_t bytes[16]; /* has_value: type->size of them */
};

/* Looks text up in the frame; frame->read may be NULL, then only types are
 * found out.  False when its type is not known. */
bool expression_look_up(const struct image *im, const struct image_frame *frame, const char *text,
			struct expression *out);

/* The parts of a condition's text that have a value of their own, in order:
 * names with what follows them, and calls.  struct expression_part, freed by
 * g_array_unref. */
struct expression_part {
	char *text;
	char *call; /* the function's name, when it is a call */
};
GArray *expression_parts(const char *condition);

#endif
