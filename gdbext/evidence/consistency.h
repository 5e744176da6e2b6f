/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do passing tests speak against an explanation?  An explanation changes the value that
 * a statement computes in the failing run.  A passing run may have executed the same
 * statement with the same operands (solver/trace/operands.h).  If the passing test
 * fails when the value is changed there, too, then no expression over these operands
 * serves both tests: whatever mends the failing test breaks the passing one.
 *
 *     c = consistency_new(limits);
 *     consistency_note(c, record, ...)       for each failing test, while its record is there
 *     consistency_check(c, replay, tests, most, ...)
 *     consistency_of(c, file, line)
 */
#ifndef GDBEXT_EVIDENCE_CONSISTENCY_H
#define GDBEXT_EVIDENCE_CONSISTENCY_H

#include "solver/limits/limits.h"
#include "gdbext/evidence/mutation/neighbours.h"
#include "gdbext/question/question.h"

struct consistency;

struct consistency *consistency_new(const struct limits *limits);
void consistency_free(struct consistency *c);

/* Notes the explanations of a failing test.  q has its explanation in .e, and its record still
 * exists.  Returns false with error. */
bool consistency_note(struct consistency *c, const struct question *q, GError **error);
/* Records passing tests, at most so many, and runs them with the changes of the explanations that
 * were noted, until the deadline (monotonic microseconds).  Afterwards the replay is turned to
 * other tests. False: interrupted. */
bool consistency_check(struct consistency *c, struct replay *replay, const struct neighbours *tests,
		       uint64_t most, gint64 deadline, GError **error);
/* The name of a passing test that speaks against the explanations that change this line alone;
 * NULL = none is known. */
const char *consistency_of(const struct consistency *c, const char *file, unsigned line);
/* Do the explanations that change only this line give it, each time, the values that it has in
 * passing tests?  At least limits.consistency_usual of the recorded passing tests have to
 * execute the line. */
bool consistency_is_usual(const struct consistency *c, const char *file, unsigned line);
/* How many runs were made for it. */
unsigned consistency_runs(const struct consistency *c);

#endif
