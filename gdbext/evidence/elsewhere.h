/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that no explanation names, in the light of a suite: where nothing that is named has a
 * small change that mends all failing tests and breaks no passing one, the other lines that all
 * failing tests execute are tried, those first that the fewest passing tests execute.
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

/* Before the search is over: tries plain changes of the lines that e, an answer about the first
 * failing test, does not name, for limits.elsewhere_runs runs, where the suite has
 * limits.elsewhere_tests tests that execute a line.  False with error: interrupted. */
bool elsewhere_look_first(struct elsewhere *x, const struct explanation *e, GError **error);
/* The lines that were found so far: struct mended_line *, x's. */
const GPtrArray *elsewhere_found(const struct elsewhere *x);
/* The lines that are found (struct mended_line *, x's), where e, an answer about n failing tests,
 * names others; they are looked for at the first call, whatever number of answers comes later.
 * NULL with error: interrupted. */
const GPtrArray *elsewhere_look(struct elsewhere *x, const struct explanation *e, unsigned n,
				GError **error);
/* Adds declarations: with another initial value, which the failing run q read, all failing tests
 * pass, and no passing one fails.  Looked for at the first call, in suites as above.  False with
 * error: interrupted. */
bool elsewhere_look_at_data(struct elsewhere *x, const struct question *q, GError **error);
/* Adds lines of the failing tests before or behind which a statement is missing: with it they all
 * pass, and no passing one fails.  Looked for at the first call, in suites as above.  False with
 * error: interrupted. */
bool elsewhere_look_inserted(struct elsewhere *x, GError **error);

#endif
