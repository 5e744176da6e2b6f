/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions in a frame.  An expression can be looked up once, to find what a name
 * is.  Or it is compiled to the operations of ir.h; then the frame's registers and
 * memory give it a value (expression_run), or a formula takes it for a condition at
 * that place.  What cannot be known (because it is optimized out, or the record does
 * not tell that memory) has no value; nothing is guessed.
 *
 *     list->size   node->next->key   a[i + 1]   (unsigned char)*p == 0xff && n
 */
#ifndef SOLVER_SOURCE_EXPRESSION_EXPRESSION_H
#define SOLVER_SOURCE_EXPRESSION_EXPRESSION_H

#include "solver/source/expression/c-expression.h"
#include "solver/image/variable/variable.h"
#include "solver/isa/ir.h"
#include "solver/trace/run.h"

struct expression {
	const struct image_type *type; /* NULL = not known */
	bool has_address, has_value;
	uint64_t address;   /* the runtime address of an object in memory */
	unsigned bit, bits; /* of a bit-field in it: the first bit, counted from .address; else
			     * 0, 0 */
	bool known_offset; /* .offset: bytes from an object of unknown address to this part of it */
	uint64_t offset;
	uint8_t bytes[16]; /* has_value: type->size of them */
};

/* Looks text up in the frame.  frame->read may be NULL; then only types are found.  False when
 * the type is not known. */
bool expression_look_up(const struct image *im, const struct image_frame *frame, const char *text,
			struct expression *out);

/* An expression that was compiled for one frame: variables are where they are there. */
struct expression_code {
	struct ir_block ir;
	const struct image_type *type; /* the type of the whole */
	int32_t address;	       /* op of width 64: the address of an object in memory; -1
					* = it is none */
	int32_t value;		       /* op of type->size bytes: the value; -1 = an aggregate
					* or a function */
	unsigned bit, bits;	       /* of a bit-field; else 0, 0 */
	char *unknown; /* why a value that is needed is not known: a sentence, or NULL */
	/* expression_run: */
	struct ir_value *temps;
};

/* Compiles text.  False with C_EXPRESSION_ERROR_TYPE in a sentence when a name is not known or
 * types do not fit. */
struct expression_code *expression_compile(const struct image *im, const struct image_frame *frame,
					   const struct c_expression *e, GError **error);
void expression_code_free(struct expression_code *code);

/* Gives every operation its value.  frame: the one that it was compiled for, with .read.
 * cursor: stands there and gives vector registers; NULL = they are not known. */
void expression_run(struct expression_code *code, const struct image_frame *frame,
		    const struct trace_cursor *cursor);
/* Call these after expression_run. */
void expression_result(const struct expression_code *code, const struct image_frame *frame,
		       struct expression *out);
/* Does this part of the object lie between its members, or is it a hidden one?  No person could see
 * its value. */
bool expression_hides(const struct expression_code *code, uint64_t address, uint64_t size);
/* Makes a condition of a scalar: adds an op of width 1 that is true when the scalar is not
 * zero.  -1 with error when it is no scalar.  Call it before expression_run. */
int32_t expression_truth(struct expression_code *code, GError **error);

/* The parts of a condition's text that have a value of their own, in order: names with their
 * members and elements, and calls.  struct expression_part; free with g_array_unref. */
struct expression_part {
	char *text;
	char *call; /* the function's name, when it is a call */
};
GArray *expression_parts(const char *condition);

#endif
