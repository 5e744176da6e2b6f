/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small changes of the code with which no access to memory is invalid, or with which one of several
 * failed checks passes.  How a program ends then tells little, since it may pass in spite of an
 * invalid access, and fails by the other checks: each change that may help is a recorded run, whose
 * record is looked at anew (gdbext/question/memory-error.h, failing-check.h).
 *
 * The lines that are tried are those of the error's story (where the block was freed, where it was
 * allocated) and those of the dynamic slice, nearest first; of all their changes the likeliest come
 * first.  A change with which the program prints something else than it did is less likely, where
 * it is about memory, and so is one with which other checks still fail.
 */
#ifndef GDBEXT_EVIDENCE_SLIPS_RECORDED_SLIPS_H
#define GDBEXT_EVIDENCE_SLIPS_RECORDED_SLIPS_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/question/analysis/near-lines.h"

struct recorded_slip {
	struct near_line line;
	const GArray *actions; /* struct trace_action */
	char *words;	       /* who is told takes it */
	double effort;
	bool of_one; /* of several failed checks, it mends the first alone */
};
typedef void recorded_slip_found(void *arg, const struct recorded_slip *slip);

/* Calls found for each line that a change mends, with the likeliest one.  m: of the question's
 * test, with whose native runs those changes are left out soon with which the test ends badly;
 * limits: m's. False with error: interrupted. */
bool recorded_slips_search(const struct question *q, struct mutation *m,
			   const struct limits *limits, recorded_slip_found *found, void *arg,
			   GError **error);

#endif
