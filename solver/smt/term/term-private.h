/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the term pool share. */
#ifndef SOLVER_SMT_TERM_TERM_PRIVATE_H
#define SOLVER_SMT_TERM_TERM_PRIVATE_H

#include "solver/smt/term/term.h"

/* The number of this node, which may be new; it is not simplified. */
uint32_t term_intern(struct term_pool *p, const struct term_node *node);
uint32_t term_plain(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
		    uint32_t c, uint64_t value);
/* What the operator was simplified to before, 0 = it was not; node: the operator on its
 * operands as given.  Terms are shared.  Without this memory, what is pushed down into them
 * would be done once for each path. */
uint32_t term_rewritten(const struct term_pool *p, const struct term_node *node);
void term_remember(struct term_pool *p, const struct term_node *node, uint32_t result);
/* A constant of any width. */
bool term_const_bits(const struct term_pool *p, uint32_t t, term_bits *value);
term_bits term_mask(unsigned width);

/* Bits [low + width - 1 : low] of a as a quotient by a constant; 0 = they are no such quotient. */
uint32_t term_quotient(struct term_pool *p, uint32_t a, unsigned low, unsigned width);
/* The same when the bits are extended: a quotient as wide as its operand. */
uint32_t term_shifted_quotient(struct term_pool *p, bool is_signed, uint32_t a, unsigned low,
			       unsigned width);

/* Works an operator on one or two operands, of which one is a choice among constants, into that
 * choice; 0 = there is no such operand. */
uint32_t term_of_choice(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a,
			uint32_t b);
/* The operator on constants; false = not all operands are constants. */
bool term_fold(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
	       uint32_t c, uint64_t value, uint32_t *out);

#endif
