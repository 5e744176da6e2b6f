/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions in a frame.  Looked up once, for what a name is; or compiled to
 * the operations of ir.h, which the frame's registers and memory give a value
 * (expression_run), and which a formula can take for a condition at that place.
 * What cannot be known (optimized out, memory that the record does not tell) has
 * no value; nothing is guessed.
 *
 *     list->size   node->next->key   a[i + 1]   (unsigned char)*p == 0xff && n
 */
#ifndef SOLVER_SOURCE_EXPRESSION_H
#define SOLVER_SOURCE_EXPRESSION_H

#include "solver/source/c-expression.h"
#include "solver/image/image.h"
#include "solver/isa/ir.h"
#include "solver/trace/run.h"

struct expression {
	const struct image_type *type; /* NULL = not known */
	bool has_address, has_value;
	uint64_t address;   /* runtime, of an object in memory */
	unsigned bit, bits; /* of a bit-field in it: first bit from .address on; else 0, 0 */
	uint8_t bytes[16];  /* has_value: type->size of them */
};

/* Looks text up in the frame; frame->read may be NULL, then only types are
 * found out.  False when its type is not known. */
bool expression_look_up(const struct image *im, const struct image_frame *frame, const char *text,
			struct expression *out);

/* Compiled for one frame: variables are where they are there. */
struct expression_code {
	struct ir_block ir;
	const struct image_type *type; /* of the whole */
	int32_t address;	       /* op of width 64: of an object in memory; -1 = it is none */
	int32_t value;		       /* op of type->size bytes; -1 = an aggregate or a function */
	unsigned bit, bits;	       /* of a bit-field; else 0, 0 */
	char *unknown; /* why a value that it needs is not known, a sentence; or NULL */
	/* expression_run: */
	struct ir_value *temps;
};

/* False with C_EXPRESSION_ERROR_TYPE in a sentence: unknown names, types that do
 * not fit. */
struct expression_code *expression_compile(const struct image *im, const struct image_frame *frame,
					   const struct c_expression *e, GError **error);
void expression_code_free(struct expression_code *code);

/* Gives every operation its value.  frame: the one that it was compiled for, with
 * .read; cursor: for vector registers, stands there, NULL = they are not known. */
void expression_run(struct expression_code *code, const struct image_frame *frame,
		    const struct trace_cursor *cursor);
/* After expression_run. */
void expression_result(const struct expression_code *code, const struct image_frame *frame,
		       struct expression *out);
/* Adds what makes a condition of a scalar: an op of width 1, true when it is not
 * zero; -1 with error when it is none.  Before expression_run. */
int32_t expression_truth(struct expression_code *code, GError **error);

/* The parts of a condition's text that have a value of their own, in order:
 * names with what follows them, and calls.  struct expression_part, freed by
 * g_array_unref. */
struct expression_part {
	char *text;
	char *call; /* the function's name, when it is a call */
};
GArray *expression_parts(const char *condition);

#endif
