/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the term pool share. */
#ifndef SOLVER_SMT_TERM_PRIVATE_H
#define SOLVER_SMT_TERM_PRIVATE_H

#include "solver/smt/term.h"

/* The number of this node, new or old; no simplification. */
uint32_t term_intern(struct term_pool *p, const struct term_node *node);
uint32_t term_plain(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
		    uint32_t c, uint64_t value);
/* What an operator was simplified to before, 0 = not yet; node: the operator on
 * its operands as given.  Terms are shared: without this, what is pushed down
 * into them would be done once a path. */
uint32_t term_rewritten(const struct term_pool *p, const struct term_node *node);
void term_remember(struct term_pool *p, const struct term_node *node, uint32_t result);
/* A constant of any width. */
bool term_const_bits(const struct term_pool *p, uint32_t t, term_bits *value);
term_bits term_mask(unsigned width);

/* Bits [low + width - 1 : low] of a as a quotient by a constant, 0 = they are
 * none. */
uint32_t term_quotient(struct term_pool *p, uint32_t a, unsigned low, unsigned width);
/* The same for the bits' extension: a quotient as wide as its operand. */
uint32_t term_shifted_quotient(struct term_pool *p, bool is_signed, uint32_t a, unsigned low,
			       unsigned width);

/* An operator on one or two operands worked into a choice among constants that
 * is one of them; 0 = there is none. */
uint32_t term_of_choice(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a,
			uint32_t b);
/* The operator on constants; false = they are not all. */
bool term_fold(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
	       uint32_t c, uint64_t value, uint32_t *out);

#endif
