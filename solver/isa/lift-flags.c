/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift.h"

/* libVEX's helpers for generated code: pure, exported by the library, declared
 * in none of its public headers. */
unsigned long long amd64g_calculate_rflags_all(unsigned long long cc_op, unsigned long long dep1,
					       unsigned long long dep2, unsigned long long ndep);
unsigned long long amd64g_calculate_condition(unsigned long long cond, unsigned long long cc_op,
					      unsigned long long dep1, unsigned long long dep2,
					      unsigned long long ndep);

/* The highest value of cc_op.  With a higher one, or a higher condition, the helpers abort the
 * process, so they are not called. */
enum { LAST_CC_OP = 64 };

uint64_t lift_flags(uint64_t cc_op, uint64_t dep1, uint64_t dep2, uint64_t ndep)
{
	if (cc_op > LAST_CC_OP)
		return 0;
	return amd64g_calculate_rflags_all(cc_op, dep1, dep2, ndep);
}

bool lift_condition(unsigned cond, uint64_t cc_op, uint64_t dep1, uint64_t dep2, uint64_t ndep)
{
	if (cc_op > LAST_CC_OP || cond > 15)
		return false;
	return amd64g_calculate_condition(cond, cc_op, dep1, dep2, ndep) & 1;
}
