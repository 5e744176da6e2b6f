/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What c-expression.c, the grammar, has of c-expression-words.c, the parts of a text. */
#ifndef SOLVER_SOURCE_EXPRESSION_C_EXPRESSION_PRIVATE_H
#define SOLVER_SOURCE_EXPRESSION_C_EXPRESSION_PRIVATE_H

#include "solver/source/expression/c-expression.h"

struct c_expression {
	GPtrArray *nodes;
	GStringChunk *names;
	const struct c_node *root;
};

/* A text that is being read. */
struct c_reader {
	const struct image *im;
	struct c_expression *e;
	const char *text, *at;
	unsigned depth;
	GError *error; /* the first one; once there is one, nothing that is read counts */
};

/* Says what is wrong with the text, unless something was before.  NULL. */
G_GNUC_PRINTF(2, 3)
const struct c_node *c_reader_refuse(struct c_reader *r, const char *format, ...);

void c_reader_skip_blanks(struct c_reader *r);
/* The length of the operator there; 0 at the end of the text. */
size_t c_reader_operator_length(const char *at);
bool c_reader_is_next(struct c_reader *r, const char *wanted);
/* Goes behind the operator, or the word, if it is next. */
bool c_reader_take(struct c_reader *r, const char *wanted);
bool c_reader_take_word(struct c_reader *r, const char *word);
/* The name or keyword that is next, without going behind it; NULL: there is none. */
const char *c_reader_word(struct c_reader *r);
/* Reads a type's name with its stars.  NULL: there is none, or, with an error, a wrong one. */
const struct image_type *c_reader_type(struct c_reader *r);

/* Adds a node to the expression. */
const struct c_node *c_reader_add(struct c_reader *r, struct c_node n);
/* Adds an operator with its operands (b: NULL = it has one).  NULL when a is. */
const struct c_node *c_reader_operation(struct c_reader *r, unsigned op, const struct c_node *a,
					const struct c_node *b);
const struct c_node *c_reader_integer(struct c_reader *r, const struct image_type *t, uint64_t v);

/* Read a constant, which begins there. */
const struct c_node *c_reader_number(struct c_reader *r);
const struct c_node *c_reader_real_number(struct c_reader *r);
const struct c_node *c_reader_string(struct c_reader *r);
const struct c_node *c_reader_character(struct c_reader *r);
/* The quote that closes it, or the end of the text. */
const char *c_reader_closing_quote(const char *at, char quote);

#endif
