/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C's own types and its rules of conversion (C17, 6.3.1), over the types that
 * images describe.  Structs, arrays and pointers come from an image.
 */
#ifndef SOLVER_SOURCE_EXPRESSION_C_TYPE_H
#define SOLVER_SOURCE_EXPRESSION_C_TYPE_H

#include "solver/image/variable/variable.h"

enum c_type {
	C_BOOL,
	C_CHAR,
	C_SCHAR,
	C_UCHAR,
	C_SHORT,
	C_USHORT,
	C_INT,
	C_UINT,
	C_LONG,
	C_ULONG,
	C_LONG_LONG,
	C_ULONG_LONG,
	C_FLOAT,
	C_DOUBLE,
	C_LONG_DOUBLE,
	C_VOID,
};

const struct image_type *c_type(enum c_type t); /* static */
/* The type that these keywords make, in any order ("unsigned long int"); NULL when they make
 * none. */
const struct image_type *c_type_of_words(const char *const *words, size_t n);
/* Is the word one of those keywords, or a qualifier that changes nothing here? */
bool c_type_is_word(const char *word);
bool c_type_is_qualifier(const char *word);

bool c_type_is_integer(const struct image_type *t); /* _Bool, char and enum too */
bool c_type_is_arithmetic(const struct image_type *t);
bool c_type_is_scalar(const struct image_type *t); /* arithmetic or pointer */

/* The type that an integer is promoted to in an expression; bits: of a bit-field, else 0. */
const struct image_type *c_type_promoted(const struct image_type *t, unsigned bits);
/* The common type of the operands of an arithmetic operator, which are arithmetic and promoted. */
const struct image_type *c_type_common(const struct image_type *a, const struct image_type *b);

#endif
