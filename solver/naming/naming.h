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
 *     a[i++] = 3;      store       a[i++]    a[2]     (where it goes, not what)
 */
#ifndef SOLVER_NAMING_NAMING_H
#define SOLVER_NAMING_NAMING_H

#include "solver/formula/formula.h"
#include "solver/image/variable/variable.h"
#include "solver/source/trace-point/trace-point.h"
#include "solver/source/polarity.h"

struct naming;

/* Neither is owned; both must outlive it. */
struct naming *naming_new(struct explanation *e, const struct trace_point *m);
void naming_free(struct naming *n);

/* The steps of definitions that are named next count from this one of the whole run; at first
 * from 0. */
void naming_count_from(struct naming *n, uint64_t step);

enum { NAME_PARTS = 4 };

/* Strings are the explanation's. */
struct name {
	const struct limits *limits; /* the formula's; NULL = the defaults */
	const struct image *image;
	const struct image_statement *statement;
	const char *text; /* the text of the source line, trimmed; NULL = the source is not there */
	const char *kind; /* "assignment", "condition", "call", "return", "switch", "store" */
	const char *clause;
	const struct image_type *type;	 /* NULL = not known */
	const struct polarity *polarity; /* of a DEF_GUARD */
	struct image_frame frame;	 /* of the statement; it reads memory as it was behind the
					  * definition that was named last */
	/* of a DEF_MEMORY in a variable: */
	const struct image_variable *variable; /* NULL = none */
	uint64_t object;		       /* its runtime address */
	bool unknown;	 /* the definition's value does not tell that of .clause */
	bool printed;	 /* .clause is an argument of printf's kin */
	unsigned offset; /* without .variable: the bit of .type at which the value begins */
	/* the bits of the definition's value that .clause is about; none = all of it, of .type */
	unsigned n_parts;
	struct name_part {
		const struct image_type *type;
		unsigned shift, bits;
		unsigned elements; /* how many values of .type stand one after the other; 0 = it
				    * is no array */
	} parts[NAME_PARTS];
};

/* Names the definition.  False when its instruction belongs to no statement.  f: NULL = the
 * definition is of no formula; then a register has the name that the source gives it. */
bool naming_name(struct naming *n, const struct formula *f, const struct definition *d,
		 struct name *out);
/* Names the statement alone; pc: a runtime address in it. */
bool naming_statement(struct naming *n, uint64_t pc, struct name *out);
/* When the value is that of several things at once (elements of an array, or members), this
 * names those in which a and b differ: "d.day, d.month". */
void naming_narrow(struct naming *n, const struct definition *d, term_bits a, term_bits b,
		   struct name *name);
/* What the source calls the thing that the statement assigns to, which may be another in each
 * execution: "a[i]"; NULL = it assigns nothing, or to nothing that has a name. */
const char *naming_assigned(struct naming *n, const struct definition *d);
/* The number of the step that gave the definition, in the whole run; UINT64_MAX = it is of another
 * run. */
uint64_t naming_step(const struct naming *n, const struct definition *d);
/* Writes a value that the definition may have.  natural: what the run computed there.  NULL:
 * it cannot be known.  Some values can only be called the same or another: addresses without a
 * name, and conditions whose polarity is not known. */
const char *naming_value(struct naming *n, const struct name *name, const struct definition *d,
			 term_bits value, term_bits natural);

/* Guesses the type of what the instruction stores from a vector register: if the bits, read as a
 * floating-point number, have a usual size, they are one.  It is for places to which the text
 * gives no type, such as *at(m, i, j).  NULL = not known; static. */
const struct image_type *naming_type_of_store(const struct trace_insn *insn, uint64_t bits,
					      unsigned size);

#endif
