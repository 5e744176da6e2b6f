/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several failing tests of one program, each a question of its own, on one struct
 * replay.  GDB sees the first one fail, the others are recorded without it.
 */
#ifndef GDBEXT_EVIDENCE_FAILING_H
#define GDBEXT_EVIDENCE_FAILING_H

#include "gdbext/evidence/consistency.h"
#include "gdbext/question/question.h"
#include "gdbext/suite/run.h"

struct failing;

/* consistency: is told each explanation (consistency_note); NULL = nobody wants that.  r: the
 * suite whose failing tests are meant, those that o->failing names; NULL: the test of the
 * command line.  weighting may be NULL.  Nothing is owned.  NULL with a sentence in error when
 * there is no such test, or none that can be explained. */
struct failing *failing_new(const struct options *o, const struct suite_result *r,
			    const struct weighting *weighting, struct consistency *consistency,
			    GError **error);
void failing_free(struct failing *f);

/* Explains them one after the other; tests that fail by no assertion are passed
 * over.  With o->joint one that changes which mended others mend, too (transfer.h), is not
 * explained itself; its explanation has only these.  es gets struct explanation *, f's.  0 when
 * there is one at least, else the exit status with error. */
int failing_explain(struct failing *f, GPtrArray *es, GError **error);
struct question *failing_first(struct failing *f);
unsigned failing_covered(const struct failing *f); /* how many were not explained themselves */
const char *failing_name(const struct failing *f, unsigned i); /* of the i-th explanation */

#endif
