/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bit-blasting: what the operators of terms (solver/image/ir.h) do, as
 * circuits.  A word is an array of literals, the lowest bit first.  Division
 * by 0 and shifts by the width or more are as in SMT-LIB's bit-vectors.
 */
#ifndef SOLVER_SMT_CIRCUITS_H
#define SOLVER_SMT_CIRCUITS_H

#include "solver/smt/aig.h"

enum { WORD_MAX = 128 };

/* All operands and results of n bits; out may not be one of the operands. */
void word_add(struct gates *g, const int *a, const int *b, unsigned n, int *out);
void word_sub(struct gates *g, const int *a, const int *b, unsigned n, int *out);
void word_neg(struct gates *g, const int *a, unsigned n, int *out);
void word_mul(struct gates *g, const int *a, const int *b, unsigned n, int *out);
void word_divide(struct gates *g, const int *a, const int *b, unsigned n, int *quotient,
		 int *remainder);
void word_divide_signed(struct gates *g, const int *a, const int *b, unsigned n, int *quotient,
			int *remainder);

/* out = a shifted by the number b; what comes in is fill. */
void word_shift_left(struct gates *g, const int *a, const int *b, unsigned n, int *out);
void word_shift_right(struct gates *g, const int *a, const int *b, unsigned n, int fill, int *out);

int word_equal(struct gates *g, const int *a, const int *b, unsigned n);
/* a < b, or a <= b where or_equal. */
int word_less(struct gates *g, const int *a, const int *b, unsigned n, bool or_equal);
int word_less_signed(struct gates *g, const int *a, const int *b, unsigned n, bool or_equal);

void word_mux(struct gates *g, int c, const int *a, const int *b, unsigned n, int *out);
void word_constant(unsigned __int128 value, unsigned n, int *out);

/* Numbers of bits, in n bits: of those set; of zeros above the highest (below
 * the lowest) that is set, n when none is. */
void word_popcount(struct gates *g, const int *a, unsigned n, int *out);
void word_zeros_above(struct gates *g, const int *a, unsigned n, int *out);
void word_zeros_below(struct gates *g, const int *a, unsigned n, int *out);

#endif
