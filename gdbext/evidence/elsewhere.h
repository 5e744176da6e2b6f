/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that no explanation names, in the light of a suite: where nothing that is named has a
 * small change that mends all failing tests and breaks no passing one, the other lines that all
 * failing tests execute are tried, those first that the fewest passing tests execute.
 */
#ifndef GDBEXT_EVIDENCE_ELSEWHERE_H
#define GDBEXT_EVIDENCE_ELSEWHERE_H

#include "gdbext/evidence/mutation.h"
#include "gdbext/question/question.h"
#include "gdbext/suite/run.h"
#include "solver/explanation.h"

struct elsewhere;

/* Nothing is owned; all must outlive it. */
struct elsewhere *elsewhere_new(const struct question *first, struct mutation *m,
				const struct neighbours *tests, const struct suite_result *r,
				const struct limits *limits);
void elsewhere_free(struct elsewhere *x);

/* Adds what is found as suspects and lines of e, an answer about n failing tests; the lines are
 * tried once, whatever number of answers they are added to.  False with error: interrupted. */
bool elsewhere_add(struct elsewhere *x, struct explanation *e, unsigned n, GError **error);

#endif
