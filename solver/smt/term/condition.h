/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86 condition flags as terms.  libVEX keeps flags lazily: it keeps which operation
 * set them last (cc_op), that operation's operands or result (dep1, dep2) and, when an
 * operation leaves some flags alone, the older flags (ndep).  When cc_op is a constant,
 * which it nearly always is, a condition after a comparison becomes the comparison
 * itself: `cmp; jle' is a signed a <= b.
 */
#ifndef SOLVER_SMT_TERM_CONDITION_H
#define SOLVER_SMT_TERM_CONDITION_H

#include "solver/smt/term/term.h"

struct condition_thunk {
	uint64_t cc_op;
	uint32_t dep1, dep2, ndep; /* terms of width 64 */
};

/* Condition 0 to 15 (o no b ae e ne be a s ns p np l ge le g), of width 1; 0 when this cc_op is
 * not supported. */
uint32_t condition_holds(struct term_pool *p, unsigned condition, const struct condition_thunk *f);
/* The two values that l, ge, le or g compare after a `cmp'; false for all other operations. */
bool condition_compares_signed(struct term_pool *p, unsigned condition,
			       const struct condition_thunk *f, uint32_t values[2]);
/* Bit 0 = carry, width 64; 0 when it is not supported. */
uint32_t condition_carry(struct term_pool *p, const struct condition_thunk *f);
/* C P Z S O (and A as 0) at their places in rflags, width 64; 0 when it is not supported. */
uint32_t condition_flags(struct term_pool *p, const struct condition_thunk *f);

#endif
