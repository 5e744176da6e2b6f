/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bits of each operand the bits that matter of a result are made of:
 *
 *     x & 0xf0     bits 4 to 7 of x
 *     x >> 4       the bits of the result, 4 places higher
 *     x + 16       the bits up to the highest of the result; the lowest 4 stay as they are
 *
 * A bit-field lies in a word beside others.  So of what code reads, only its own bits matter.
 */
#ifndef SOLVER_SLICE_DEMANDED_BITS_H
#define SOLVER_SLICE_DEMANDED_BITS_H

#include "solver/isa/ir.h"

/* bits[i]: those of operation i that matter, first only of the results; 0 = none do.  Fills in
 * those of what they are made of.  Of a value wider than 64 bits, all bits matter or none.
 * addresses: the bits of a load are made of its address, too. */
void demanded_bits(const struct ir_block *ir, uint64_t *bits, bool addresses);
/* The number in those bits of the value, from the lowest of them on; 0 = in all of it. */
uint64_t bits_as_number(uint64_t value, uint64_t bits);
/* The lowest bits, as many as the width. */
uint64_t bits_of_width(unsigned width);

#endif
