/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A definition of the formula in the words of the source: what kind of thing
 * the statement did, what received the value, and the value as its type writes
 * it.
 *
 *     b = a + 1;       assignment  b         1
 *     if (y < 5)       condition   y < 5     true
 *     f(x, y);         call        argument 2 of f     7
 *     return odd;      return      odd       1
 */
#ifndef SOLVER_NAMING_H
#define SOLVER_NAMING_H

#include "solver/formula/formula.h"
#include "solver/moment.h"
#include "solver/sense.h"

struct naming;

/* Neither is owned; both must outlive it. */
struct naming *naming_new(struct explanation *e, const struct moment *m);
void naming_free(struct naming *n);

/* Strings are the explanation's. */
struct name {
	const struct image *image;
	const struct image_statement *statement;
	const char *text; /* of the source line, trimmed; NULL = not there */
	const char *kind; /* "assignment", "condition", "call", "return", "switch" */
	const char *clause;
	const struct image_type *type; /* NULL = not known */
	const struct sense *sense;     /* of a DEF_GUARD */
	struct image_frame frame;      /* of the statement; reads memory as it was at the failure */
};

/* False when its instruction belongs to no statement. */
bool naming_name(struct naming *n, const struct formula *f, const struct def *d, struct name *out);
/* The statement alone; pc: a runtime address in it. */
bool naming_statement(struct naming *n, uint64_t pc, struct name *out);
/* A value that the definition may have.  natural: what the run computed there,
 * for what can only be told to be the same or not: addresses without a name,
 * conditions whose sense is not known. */
const char *naming_value(struct naming *n, const struct name *name, const struct def *d,
			 term_bits value, term_bits natural);

#endif
