/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requirement that a test's first failing check passes, and no other check fails for it. */
#ifndef GDBEXT_QUESTION_FAILING_CHECK_H
#define GDBEXT_QUESTION_FAILING_CHECK_H

#include "gdbext/question/question.h"

/* Looks for failing checks in the run; *found: there is one.  Then q has its .point, .index and
 * .requirement, and the others are in its notes.  0, or the exit status with error. */
int failing_check_require(struct question *q, bool *found, GError **error);
/* The same for an assertion that the program defines itself: q stands at the run's end, within the
 * call by which the program reports that it failed. */
int failing_check_require_own(struct question *q, bool *found, GError **error);
/* Is the check an assertion of the program's own? */
bool failing_check_is_own(const struct question *q);
/* Where the program decides about a check that it counts itself; NULL = it is none. */
const struct image_statement *failing_check_decided_at(const struct question *q);
/* What called the function that makes such a check; NULL = it is none, or main makes it. */
const struct image_statement *failing_check_called_at(const struct question *q);
void failing_check_free(struct failing_check_question *f); /* NULL is fine */
/* From now on the check alone is required; what the test does behind it is not.  False when it was
 * so already. */
bool failing_check_relax(struct question *q);
/* Says so, when that proved something. */
void failing_check_note(struct question *q);
/* Does a run, recorded with the code of these images, no longer come to the check that failed?
 * False, too, where that is not known: some checks make no call when they hold. */
bool failing_check_is_avoided(const struct question *q, const char *record,
			      struct image *const *images);
/* Makes a recorded run with these actions, at least one: does it pass the check, and fail no other
 * one than before?  *all: the whole test passes. */
bool failing_check_passes_with(const struct question *q, const struct trace_action *actions,
			       size_t n, bool *all);
/* Does the run of the whole test tell by its status whether a change mends it? */
bool failing_check_is_only_one(const struct question *q);

#endif
