/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of a function and the functions that were inlined into it, each read from DWARF once:
 * which variables are visible is asked of every instruction. */
#ifndef SOLVER_IMAGE_VARIABLE_SCOPES_H
#define SOLVER_IMAGE_VARIABLE_SCOPES_H

#include "solver/image/variable/types.h"

struct scope {
	Dwarf_Die die;
	GArray *ranges;	      /* uint64_t, link-time: each beginning and its end */
	GPtrArray *inner;     /* struct scope *; NULL = not looked for yet */
	GPtrArray *variables; /* struct image_variable *, the same; filled by variables.c ... */
	guint own;	      /* ... the first ones are the DIE's, the others those of the
			       * function that was inlined */
	bool is_inlined;
	bool is_one_piece; /* then it is [lo, hi) */
	uint64_t lo, hi;
};

/* Of a function of the image, which owns it; NULL: DWARF has none. */
struct scope *scope_of_function(struct image *im, const struct image_function *f);
/* The one in it that the address is in; NULL = none. */
struct scope *scope_entered(struct scope *scope, uint64_t addr);
/* Does its first piece begin there? */
bool scope_begins_at(const struct scope *scope, uint64_t addr);
void scope_free(gpointer scope);

#endif
