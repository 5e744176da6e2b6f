/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bit-blasting: what the operators of terms (solver/isa/ir.h) do, as
 * circuits.  A word is an array of literals, the lowest bit first.  Division
 * by 0 and shifts by the width or more are as in SMT-LIB's bit-vectors.
 */
#ifndef SOLVER_SMT_CIRCUITS_H
#define SOLVER_SMT_CIRCUITS_H

#include "solver/isa/ir.h"
#include "solver/smt/aig.h"

enum { CIRCUIT_MAX_WIDTH = 128 };

/* All operands and results have n bits; out may not be one of the operands. */
void circuit_add(struct aig *g, const int *a, const int *b, unsigned n, int *out);
void circuit_sub(struct aig *g, const int *a, const int *b, unsigned n, int *out);
void circuit_neg(struct aig *g, const int *a, unsigned n, int *out);
void word_mul(struct aig *g, const int *a, const int *b, unsigned n, int *out);
void circuit_divide(struct aig *g, const int *a, const int *b, unsigned n, int *quotient,
		    int *remainder);
void circuit_divide_signed(struct aig *g, const int *a, const int *b, unsigned n, int *quotient,
			   int *remainder);

/* out = a, shifted by the number b; the bits that come in are `fill'. */
void circuit_shift_left(struct aig *g, const int *a, const int *b, unsigned n, int *out);
void circuit_shift_right(struct aig *g, const int *a, const int *b, unsigned n, int fill, int *out);

int word_equal(struct aig *g, const int *a, const int *b, unsigned n);
/* a < b, or a <= b where or_equal. */
int circuit_less(struct aig *g, const int *a, const int *b, unsigned n, bool or_equal);
int circuit_less_signed(struct aig *g, const int *a, const int *b, unsigned n, bool or_equal);

void circuit_mux(struct aig *g, int c, const int *a, const int *b, unsigned n, int *out);
void circuit_constant(unsigned __int128 value, unsigned n, int *out);

/* Counts, in n bits: the bits that are set; the zeros above the highest (below the lowest) set
 * bit, n when there is none. */
void word_popcount(struct aig *g, const int *a, unsigned n, int *out);
void circuit_zeros_above(struct aig *g, const int *a, unsigned n, int *out);
void circuit_zeros_below(struct aig *g, const int *a, unsigned n, int *out);

/* An operator that computes: arithmetic, shifts and counts.  y: not used by one with one operand.
 */
void circuit_operator(struct aig *g, enum ir_kind kind, const int *x, const int *y, unsigned n,
		      int *out);

#endif
