/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C expressions as trees: all operators that change nothing (members, elements,
 * pointers, casts, sizeof, arithmetic, comparisons, && || ?:), names (also of other
 * scopes, as GDB writes them: 'file.c'::x, f::x, ::x), registers ($rax), and integer,
 * character and floating constants.  == and != with a string compare characters.
 * Calls, assignments and ++ are refused with a sentence.
 *
 *     p->a[i + 1] > 3      '>' ( index ( arrow ( name p, a ), '+' ( name i, 1 ) ), 3 )
 */
#ifndef SOLVER_SOURCE_EXPRESSION_C_EXPRESSION_H
#define SOLVER_SOURCE_EXPRESSION_C_EXPRESSION_H

#include "solver/image/variable/variable.h"

#define C_EXPRESSION_ERROR c_expression_error_quark()
GQuark c_expression_error_quark(void);
enum c_expression_error {
	C_EXPRESSION_ERROR_SYNTAX, /* it is no expression, or one that is not allowed */
	C_EXPRESSION_ERROR_TYPE,   /* a name is not known, or types do not fit */
	C_EXPRESSION_ERROR_VALUE,  /* the record does not tell a value, or it is optimized out */
};

enum c_kind {
	C_NODE_CONSTANT, /* .type, .integer or .real */
	C_NODE_NAME,	 /* .name: "x", "$rax", "file.c::x", "f::x", "::x" */
	C_NODE_STRING,	 /* .name: a string that is not compared; it has no value */
	C_NODE_MEMBER,	 /* a.name */
	C_NODE_INDEX,	 /* a[b] */
	C_NODE_UNARY,	 /* .op is one of * & - + ~ ! */
	C_NODE_BINARY,	 /* a .op b */
	C_NODE_CHOICE,	 /* a ? b : c */
	C_NODE_CAST,	 /* (.type) a */
	C_NODE_SIZEOF,	 /* sizeof: of a, or of .type when a is NULL */
};

/* Operators of one character are that character. */
enum c_op {
	C_OP_LE = 256,
	C_OP_GE,
	C_OP_EQ,
	C_OP_NE,
	C_OP_AND,
	C_OP_OR,
	C_OP_SHL,
	C_OP_SHR,
};

struct c_node {
	enum c_kind kind;
	unsigned op; /* when UNARY, BINARY */
	const struct c_node *a, *b, *c;
	const char *name;
	const struct image_type *type;
	uint64_t integer;
	double real;
	uint32_t written; /* nodes of the whole when one that stands in several places counts in
			   * each: x == "ab" has x in three */
};

struct c_expression;

/* im: the image in which type names are looked up; it must outlive the tree. */
struct c_expression *c_expression_parse(const struct image *im, const char *text, GError **error);
void c_expression_free(struct c_expression *e);
const struct c_node *c_expression_root(const struct c_expression *e);

#endif
