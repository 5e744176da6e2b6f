/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the answer's lines by the suite's other tests: what small changes of these lines do to
 * the tests (mutation.h), and whether passing tests contradict an explanation (consistency.h). */
#ifndef GDBEXT_EVIDENCE_EVIDENCE_H
#define GDBEXT_EVIDENCE_EVIDENCE_H

#include "gdbext/evidence/consistency.h"
#include "gdbext/suite/run.h"
#include "solver/explanation.h"

struct evidence;

/* Does the user want it, and is it possible? */
bool evidence_is_wanted(const struct options *o);

/* c: every explanation was noted there.  first: the test that GDB saw fail; its replay is turned
 * to other tests.  What is found is kept for later calls.  The search for evidence ends so many
 * seconds from now.  Nothing is owned. */
struct evidence *evidence_new(struct question *first, struct consistency *c,
			      const struct suite_result *r, double seconds);
void evidence_free(struct evidence *v);

void evidence_go_on(struct evidence *v, double seconds); /* …, from now */

/* Does a change of a line that the answer about the first test names mend all failing tests and
 * break none?  quick: only the commonest changes are tried.  False with error: interrupted. */
bool evidence_look(struct evidence *v, const struct explanation *e, bool quick, bool *mends,
		   GError **error);
/* Is one of those that it saw a common slip (--limit first_look_effort)? */
bool evidence_saw_common(const struct evidence *v);
/* Does it know any such change? */
bool evidence_saw_any(const struct evidence *v);
/* Does such a change mend this failing test, too? */
bool evidence_mends(struct evidence *v, const struct neighbour *t);
/* Looks for evidence about each line of a finished answer about n failing tests, once, and puts
 * the answer into the order of solver/answer/order/evidence.h.  False with error: interrupted. */
bool evidence_gather(struct evidence *v, struct explanation *e, unsigned n, GError **error);

#endif
