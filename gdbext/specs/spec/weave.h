/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A copy of a program whose calls of some functions go through slots, so that what is loaded with
 * it can stand between caller and function:
 *
 *     call list_remove             call stub
 *                             →    …
 *                                  stub: jmp *slot      (in the rest of the code's last page)
 *                                  slot: 8 bytes        (behind the program's variables)
 *
 * Direct calls, jumps from other functions, and places that take the function's address are
 * changed; not the function itself, nor what it calls itself by.  Code, variables and debug
 * information stay where they are, so everything that is known of the program is true of the copy,
 * and the copy can be recorded and explained.  The stubs end in STUBS_MARK, by which
 * solver/image/functions.c finds them.
 */
#ifndef GDBEXT_SPECS_SPEC_WEAVE_H
#define GDBEXT_SPECS_SPEC_WEAVE_H

#include "solver/image/image.h"

/* A function whose calls are led through a slot. */
struct weave_function {
	const struct image_function *function;
	uint64_t slot;	  /* filled: its link-time address */
	unsigned n_calls; /* filled: places that were changed */
};

/* Writes the copy of im to path.  False with a sentence in error. */
bool weave(const struct image *im, struct weave_function *functions, unsigned n, const char *path,
	   GError **error);

#endif
