/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of expression.h: expression.c looks things up, expression-name.c says
 * what names mean, expression-operators.c does C's arithmetic. */
#ifndef SOLVER_SOURCE_EXPRESSION_EXPRESSION_PRIVATE_H
#define SOLVER_SOURCE_EXPRESSION_EXPRESSION_PRIVATE_H

#include "solver/image/variable/variable.h"
#include "solver/source/expression/expression.h"

/* What a node of the tree became. */
struct operand {
	const struct image_type *type; /* NULL: there was an error, and its sentence is kept */
	int32_t address;	       /* op: the address of an object in memory; -1 = it is none */
	int32_t value;		       /* op: the value; -1 = not loaded yet, and there is an
					* address */
	unsigned bit, bits;	       /* of a bit-field at .address; else 0 */
};

struct compiler {
	const struct image *im;
	const struct image_frame *frame;
	GArray *ops; /* struct ir_op */
	char *unknown;
	GError *error;
};

int32_t compile_op(struct compiler *c, struct ir_op op);
int32_t compile_constant(struct compiler *c, unsigned width, uint64_t value);
unsigned compile_width(const struct compiler *c, int32_t op);
struct operand compile_fail(struct compiler *c, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* expression-name.c */
/* The variable that is visible there, or a global one; NULL: there is none. */
const struct image_variable *compile_find_variable(const struct compiler *c, const char *name);
struct operand compile_name(struct compiler *c, const char *name);
/* The value of an object: it is loaded; arrays and functions become pointers.  Fails for
 * structs. */
struct operand compile_value(struct compiler *c, struct operand x);
/* What a reference of C++ refers to; other objects are left as they are. */
struct operand compile_referred(struct compiler *c, struct operand x);
struct operand compile_convert(struct compiler *c, struct operand x, const struct image_type *to);
/* A term of width 1: x, which is a value, is not zero. */
int32_t compile_truth(struct compiler *c, const struct operand *x);
struct operand compile_unary(struct compiler *c, unsigned op, struct operand x);
struct operand compile_binary(struct compiler *c, unsigned op, struct operand x, struct operand y);
struct operand compile_choice(struct compiler *c, struct operand x, struct operand y,
			      struct operand z);
/* p + index elements; both are values. */
struct operand compile_offset(struct compiler *c, struct operand p, struct operand index,
			      bool minus);

#endif
