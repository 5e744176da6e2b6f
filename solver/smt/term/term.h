/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bit-vector terms: the formula's expressions.  They are hash-consed, so equal terms
 * have equal numbers, and a trace's common sub-expressions are stored once.
 *
 * A term is a number (uint32_t, 0 = none) into a pool.  Its operator is one of enum
 * ir_kind's operators (solver/isa/ir.h), or TERM_VAR; its width is 1 to 128 bits.
 * Width 1 is Boolean: AND, OR, NOT, EQ and ITE on it are the connectives.  A
 * floating-point number is the bits of its IEEE 754 format.  Building a term simplifies
 * it: constants are folded, and a value that was stored byte by byte and loaded again
 * is the value itself.
 *
 *   term_op2(p, IR_ADD, x, term_const(p, 32, 0)) == x
 *   concat(extract[31:16] x, extract[15:0] x)    == x
 *
 * The pool owns all terms, and frees them with itself.
 */
#ifndef SOLVER_SMT_TERM_TERM_H
#define SOLVER_SMT_TERM_TERM_H

#include "solver/isa/ir.h"
#include "solver/limits/limits.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 term_bits; /* a value of up to 128 bits, zero-extended */

enum { TERM_VAR = 200 };

struct term_node {
	uint8_t kind; /* IR_CONST, TERM_VAR, or an operator */
	uint8_t width;
	uint32_t a, b, c; /* operands; TERM_VAR: a = number of the variable */
	uint64_t value;	  /* IR_CONST: the value (width <= 64); IR_EXTRACT: lowest bit; IR_FP: enum
			     ir_fp */
};

struct term_pool;

struct term_pool *term_pool_new(void);
/* Limits for simplification, and for the solvers that are asked about the terms; NULL = the
 * defaults.  Not owned. */
void term_pool_set_limits(struct term_pool *p, const struct limits *limits);
const struct limits *term_pool_limits(const struct term_pool *p);
void term_pool_free(struct term_pool *p);
uint32_t
term_pool_size(const struct term_pool *p); /* terms are 1 … size - 1, operands before users */

const struct term_node *term_node(const struct term_pool *p, uint32_t t);
unsigned term_width(const struct term_pool *p, uint32_t t);
/* A constant of up to 64 bits; *value may be NULL. */
bool term_is_const(const struct term_pool *p, uint32_t t, uint64_t *value);

uint32_t term_const(struct term_pool *p, unsigned width,
		    uint64_t value); /* width <= 64; the value is cut to it */
uint32_t term_const_wide(struct term_pool *p, unsigned width, term_bits value);
uint32_t term_var(struct term_pool *p, unsigned width,
		  uint32_t number); /* same number: same term */

/* Operators.  term_op takes any operator of enum ir_kind from IR_ADD to
 * IR_POPCNT, and IR_FP; width is the result's, value is IR_EXTRACT's lowest bit,
 * or IR_FP's enum ir_fp. */
uint32_t term_op(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
		 uint32_t c, uint64_t value);
uint32_t term_op2(struct term_pool *p, enum ir_kind kind, uint32_t a, uint32_t b);
uint32_t term_not(struct term_pool *p, uint32_t a);
uint32_t term_and(struct term_pool *p, uint32_t a, uint32_t b);
uint32_t term_or(struct term_pool *p, uint32_t a, uint32_t b);
uint32_t term_eq(struct term_pool *p, uint32_t a, uint32_t b);
uint32_t term_ite(struct term_pool *p, uint32_t condition, uint32_t yes, uint32_t no);
uint32_t term_extract(struct term_pool *p, uint32_t a, unsigned low, unsigned width);
uint32_t term_concat(struct term_pool *p, uint32_t high, uint32_t low);
uint32_t term_zext(struct term_pool *p, uint32_t a, unsigned width);
uint32_t term_sext(struct term_pool *p, uint32_t a, unsigned width);
uint32_t term_true(struct term_pool *p);
uint32_t term_false(struct term_pool *p);

/* What an operator gives on concrete operands (each of its own width). */
term_bits term_apply(enum ir_kind kind, unsigned width, term_bits a, unsigned a_width, term_bits b,
		     unsigned b_width, term_bits c, uint64_t value);

/* Evaluation under an assignment: variable number i has the value var(arg, i).
 * The memo keeps what was evaluated; one memo belongs to one assignment. */
struct term_memo *term_memo_new(const struct term_pool *p,
				term_bits (*var)(void *arg, uint32_t number), void *arg);
void term_memo_free(struct term_memo *m);
term_bits term_eval(struct term_memo *m, uint32_t t);
/* Forgets all values: variables have others now, by this arg. */
void term_memo_forget(struct term_memo *m, void *arg);

/* Without an end of line: `ADD:32(v3, 0x1)' is the sum, of 32 bits, of the variable number 3 and
 * 1.  What is more than four operators down is said by number: `t17'; 0 is `none'. */
void term_dump(FILE *f, const struct term_pool *p, uint32_t t);
/* A value, hexadecimal. */
void term_dump_bits(FILE *f, term_bits value);

/* Visits the term of each variable below t that no earlier call with the same `seen' visited.
 * seen: a set of terms, g_hash_table_new(NULL, NULL), which grows. */
void term_variables(const struct term_pool *p, uint32_t t, GHashTable *seen,
		    void (*visit)(void *arg, uint32_t variable), void *arg);

#endif
