/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several failing tests of one program, each a question of its own, on one struct
 * replay.  GDB sees the first one fail, the others are recorded without it.
 */
#ifndef GDBEXT_EVIDENCE_FAILING_H
#define GDBEXT_EVIDENCE_FAILING_H

#include "gdbext/evidence/evidence.h"
#include "gdbext/question/question.h"
#include "gdbext/suite/run.h"

struct failing;

/* Are failing tests of the suite meant, and not the one of the command line? */
bool failing_are_of_suite(const struct options *o);

/* consistency: is told each explanation (consistency_note); NULL = nobody wants evidence.  r: the
 * suite; of its failing tests those are meant that o->failing names, or none of them
 * (failing_are_of_suite).  weighting may be NULL.  Nothing is owned.  NULL with a sentence in error
 * when there is no such test, or none that can be explained. */
struct failing *failing_new(const struct options *o, const struct suite_result *r,
			    const struct weighting *weighting, struct consistency *consistency,
			    GError **error);
void failing_free(struct failing *f);

/* Explains them one after the other.  With consistency, the first look at one is short
 * (--limit first_look): when a small change of what it names mends all failing tests and breaks no
 * passing one, that is enough, and those after it get less, too (--limit next_look).  Else each
 * gets all that it takes; tests that fail by no assertion are passed
 * over; and of those that this change mends, too, only the first ones are explained (--limit
 * mended_each).  With o->joint one that changes which mended others mend, too (transfer.h), is not
 * explained itself; its explanation has only these.  es gets struct explanation *, f's.  0 when
 * there is one at least, else the exit status with error. */
int failing_explain(struct failing *f, GPtrArray *es, GError **error);
struct question *failing_first(struct failing *f);
/* What other tests say, for so many seconds from now; f's.  NULL when there is no consistency. */
struct evidence *failing_evidence(struct failing *f, double seconds);
/* With o->joint and after failing_explain: the first explanation becomes the answer about all of
 * them.  False when there were too many sets to look at all (limit joint_sets). */
bool failing_answer_jointly(struct failing *f);
/* How many sets may explain all of them, but not all were asked about these. */
unsigned failing_left_out(const struct failing *f);
unsigned failing_covered(const struct failing *f); /* how many were not explained themselves */
/* How many have no explanation, since a change that mends the others mends them, too. */
/* Was the time up before all were explained that should be? */
bool failing_is_late(const struct failing *f);
unsigned failing_mended(const struct failing *f);
const char *failing_name(const struct failing *f, unsigned i); /* of the i-th explanation */

#endif
