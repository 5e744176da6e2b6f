/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requirement that a test prints what is expected: --expect, --expect-stderr,
 * --expect-status, or what another program prints for the same test (--golden).
 */
#ifndef GDBEXT_QUESTION_WRONG_OUTPUT_H
#define GDBEXT_QUESTION_WRONG_OUTPUT_H

#include "gdbext/question/question.h"

/* Reads what is expected, or runs the golden program, and compares: q->wrong, NULL when nobody
 * said what is expected.  False with error. */
bool wrong_output_begin(struct question *q, GError **error);
void wrong_output_free(struct wrong_output *w); /* NULL is fine */

/* False with error when the run ended by itself and has not written the file that takes the place
 * of standard output. */
bool wrong_output_has_file(const struct replay_failing *f, const char *file, GError **error);
/* What the test has to print; NULL = nobody said. */
const struct expected_output *wrong_output_expected(const struct question *q);
/* Looks anew at what q's run printed; q->wrong is there. */
void wrong_output_look(struct question *q);
/* Has a run that goes on printed far more than is expected? */
bool wrong_output_is_exceeded(struct question *q, const struct replay_failing *so_far);
/* Has q's run, which did not end, printed something wrong, with all of its line?  at_end: no more
 * is to come, so all of the line need not be there.  q->wrong is there. */
bool wrong_output_is_over(const struct question *q, bool at_end);
/* How far q's run came with that; q->wrong is there. */
const struct expected_progress *wrong_output_progress(const struct question *q);
/* Adds to end what the test has to print, and how far it came. */
void wrong_output_add(const struct wrong_output *w, struct requirement_end *end);
/* Does the test fail by what it printed, or by a status that is not the expected one, or not
 * at all? */
enum wrong_output_verdict {
	WRONG_OUTPUT_NOT_ASKED, /* it failed otherwise, or nobody said what is expected */
	WRONG_OUTPUT_PASSED,
	WRONG_OUTPUT_STATUS,
	WRONG_OUTPUT_TEXT,
};
enum wrong_output_verdict wrong_output_verdict(const struct question *q);
/* TEXT: fills q's .point, .index and .requirement.  0, or the exit status with error. */
int wrong_output_require(struct question *q, GError **error);

/* What the search may start from: where the first wrong value lies, and what it should be. */
struct wrong_output_start {
	bool known;
	struct reverse_index_place place;
	bool has_place, has_value;
	bool is_text; /* the place is the first wrong character */
	uint64_t value;
	bool lacks_text;       /* something else should have been printed before that */
	const GArray *missing; /* uint64_t: what could print it; NULL = nothing is known to */
};
struct wrong_output_start wrong_output_start(const struct question *q);
/* From now on only the first difference is required; false when it was so already. */
bool wrong_output_first_only(struct question *q);

#endif
