/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small changes of lines, for the answer about a single failing test: does the test pass when a
 * common slip of the programmer (another operator, a constant one off, another variable) is
 * undone?  Each change is run, natively and caged; where an access to memory is
 * invalid, it is recorded and checked (recorded-slips.h).
 *
 *     struct slips *s = slips_new(q, seconds);
 *     slips_search(s, &error);                  lines near the failure
 *     analysis_explain(q, &error);
 *     slips_gather(s, &error);                  lines that the answer names; the order
 *
 * Their effort is counted in runs, so that the answer does not depend on load.
 */
#ifndef GDBEXT_EVIDENCE_SLIPS_SLIPS_H
#define GDBEXT_EVIDENCE_SLIPS_SLIPS_H

#include "gdbext/question/question.h"

struct slips;

/* q: begun (analysis.h), and outlives it.  seconds: what is left of --timeout. */
struct slips *slips_new(struct question *q, double seconds);
void slips_free(struct slips *s);

/* Where the test is judged by all that it prints, or an access to memory is invalid, looks for
 * slips in the lines that it executed, nearest to the failure first: what does not depend on the
 * formula (values that went through a library, say) is found that way.  False with error:
 * interrupted. */
bool slips_search(struct slips *s, GError **error);
bool slips_found(const struct slips *s); /* anything */
/* Was it a check that failed, and does a likely change meet it, outside of the test's own file?
 * A crash is dodged by those, too. */
bool slips_meet_check(const struct slips *s);
/* Should some time be kept for slips_gather, which goes on where nothing likely mends a failed
 * check? */
bool slips_want_time(const struct slips *s);
/* Did the test execute fewer instructions than the limit slip_rest_from says?  False where an
 * access to memory is invalid. */
bool slips_are_of_short_run(const struct slips *s);
/* Were there lines near the failure for which slips_search had no time? */
bool slips_are_cut(const struct slips *s);
/* Are changes judged by all that the test prints, or by each of its accesses to memory?  A check
 * alone is met by many changes by chance. */
bool slips_are_judged_by_all(const struct slips *s);
/* Adds to each proven suspect of a single line the small change of that line that lets the test
 * pass.  Adds as new suspects what slips_search found elsewhere, and orders the answer by
 * plausibility.  Returns false with error when it was interrupted. */
bool slips_gather(struct slips *s, GError **error);

#endif
