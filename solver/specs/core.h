/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a constraint is violated, by its smallest proof (SAT-TAR): the input, the
 * trace formula of the run and the constraint cannot hold together, and a minimal unsatisfiable
 * core says which statements that rests on.  The specification's own code, and what the program
 * did before the checked call, are hard.
 *
 * The formula is of the one run.  Where a path leaves it, anything may follow, so that a decision
 * without which the constraint might hold is in the core.  A side that meets the run again may have
 * written, behind a pointer, what lies at the same distance from an address that the run used.
 */
#ifndef SOLVER_SPECS_CORE_H
#define SOLVER_SPECS_CORE_H

#include "solver/formula/requirement.h"
#include "solver/limits/limits.h"
#include "solver/smt/smt.h"
#include "solver/specs/extent.h"

struct core_question {
	struct trace_run *run; /* fails at the constraint */
	GHashTable *lines;     /* executed in the checked call: these are soft, … */
	uint64_t first;	       /* … from this step of the run on, its first one */
	const struct requirement *requirement; /* that it does not */
	enum smt_kind solver;
	const struct limits *limits;
	const struct deadline *until;
};

/* Keys of lines, as extent.h has them; the caller's.  Empty: the constraint cannot hold whatever
 * these statements do.  *is_minimal: no limit kept it from being made smaller.  NULL with error:
 * the formula allows the constraint to hold, or cannot be made. */
GHashTable *core_find(const struct core_question *q, struct lift *lift, bool *is_minimal,
		      GError **error);

#endif
