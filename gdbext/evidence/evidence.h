/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer's lines in the light of the suite's other tests: what small changes of
 * them do to these (mutation.h), and whether passing ones speak against what was
 * found (consistency.h). */
#ifndef GDBEXT_EVIDENCE_EVIDENCE_H
#define GDBEXT_EVIDENCE_EVIDENCE_H

#include "gdbext/evidence/consistency.h"
#include "gdbext/suite/run.h"
#include "solver/explanation.h"

struct evidence;

/* Is it wanted, and can it be had?  What a test writes is not looked at, so the suite has
 * to be judged by the exit status. */
bool evidence_is_wanted(const struct options *o);

/* c: was told of all explanations.  first: the test that GDB saw fail; its replay is
 * turned to other tests.  Nothing is looked for any more after so many seconds from now.
 * Nothing is owned. */
struct evidence *evidence_new(const struct question *first, struct consistency *c,
			      const struct suite_result *r, double seconds);
void evidence_free(struct evidence *v);

/* Looks for evidence about each line of a finished answer about n failing tests, once, and
 * brings the answer in the order of solver/evidence.h.  False with error: interrupted. */
bool evidence_gather(struct evidence *v, struct explanation *e, unsigned n, GError **error);

#endif
