/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States of a call that keep to what is demanded at it, all of them within bounds: bounded
 * exhaustive search as in Korat (Boyapati, Khurshid, Marinov, ISSTA 2002).  A program of its own,
 * made of the specification, of tables that gdbext/specs generates, and of shapes.c; nothing of the
 * program under test is in it.
 *
 *     spec-shapes FUNCTION NODES MOST < a state > states, each after a line "state"
 *
 * The state that is given says how large arrays are, and what is not chosen: numbers and pointers
 * that the predicates do not read, pointers to text, to functions, and to what does not lead to its
 * own kind.  What they read is chosen when it is read for the first time, so nothing is tried that
 * makes no difference to them: a pointer is NULL, leads to an object that is there, or to a new one
 * (only to the first new one, the others are alike); a number is 0 … NODES + 1, or what it was.
 * The predicates are compiled with -fsanitize=thread, by which the compiler says before each access
 * where it is; the functions that it calls are here.
 *
 * Order: by the number of nodes, that is objects that lead to their own kind; at most NODES.
 */
#ifndef GDBEXT_CONTRACT_SHAPES_H
#define GDBEXT_CONTRACT_SHAPES_H

#include "gdbext/contract/contract.h"

#include <stdio.h>

struct shapes_bounds {
	unsigned function, nodes, most;
};

/* How many states were written, or -1: the one that is given is not as it has to be. */
int shapes_search(const struct why_shapes *s, const struct shapes_bounds *b, FILE *in, FILE *out);

#endif
