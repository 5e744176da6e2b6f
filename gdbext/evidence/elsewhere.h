/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that no explanation names, judged by a suite.  When no line that is named has a small
 * change that mends all failing tests and breaks no passing one, the other lines that all
 * failing tests execute are tried.  Those come first that the fewest passing tests execute.
 */
#ifndef GDBEXT_EVIDENCE_ELSEWHERE_H
#define GDBEXT_EVIDENCE_ELSEWHERE_H

#include "gdbext/evidence/mutation/mutation.h"
#include "gdbext/suite/run.h"
#include "solver/explanation.h"

struct elsewhere;
struct question;

/* Nothing is owned; all must outlive it. */
struct elsewhere *elsewhere_new(struct mutation *m, const struct neighbours *tests,
				const struct suite_result *r, const struct limits *limits);
void elsewhere_free(struct elsewhere *x);

/* Tries the commonest changes of all lines before the search goes on: of those that e, the answer
 * about the first failing test, does not name so far.  Makes at most limits.quick_runs runs, in
 * suites as below.  Returns false with error when it was interrupted. */
bool elsewhere_look_quickly(struct elsewhere *x, const struct explanation *e, GError **error);
/* Tries plain changes while the search still goes on: of lines that e, the answer about the
 * first failing test, does not name.  Makes at most limits.elsewhere_runs runs, and none in a
 * suite with fewer than limits.elsewhere_tests tests that execute a line.  Returns false with
 * error when it was interrupted. */
bool elsewhere_look_first(struct elsewhere *x, const struct explanation *e, GError **error);
/* The lines that were found so far: struct mended_line *, x's. */
const GPtrArray *elsewhere_found(const struct elsewhere *x);
/* Looks for further lines after the search: e, the answer about n failing tests, names other
 * ones.  The first call does the work, and later calls return the same lines, whatever n is.
 * struct mended_line *, owned by x; NULL with error when it was interrupted. */
const GPtrArray *elsewhere_look(struct elsewhere *x, const struct explanation *e, unsigned n,
				GError **error);
/* Adds other lines that the commonest changes mend as well as a named one: which of them is wrong,
 * the tests do not tell.  e, n: as above; the first call looks for them, in suites as above, with
 * limits.beside_runs runs.  Returns false with error when it was interrupted. */
bool elsewhere_look_beside(struct elsewhere *x, const struct explanation *e, unsigned n,
			   GError **error);
/* Adds declarations whose variable, with another initial value that the failing run q read, lets
 * all failing tests pass and breaks no passing one.  The first call looks for them, in suites as
 * above.  Returns false with error when it was interrupted. */
bool elsewhere_look_at_data(struct elsewhere *x, const struct question *q, GError **error);
/* Adds lines next to which a statement is missing: with that statement all failing tests pass,
 * and no passing one fails.  The first call looks for them, in suites as above, but not in the file
 * of the test itself, which e tells.  Returns false with error when it was interrupted. */
bool elsewhere_look_inserted(struct elsewhere *x, const struct explanation *e, GError **error);

#endif
