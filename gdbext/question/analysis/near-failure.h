/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search that needs no formula: what is near the failure is changed, one executed instruction
 * at a time, and the test run with that (solver/search/nearby.h). */
#ifndef GDBEXT_QUESTION_ANALYSIS_NEAR_FAILURE_H
#define GDBEXT_QUESTION_ANALYSIS_NEAR_FAILURE_H

#include "gdbext/question/question.h"
#include "solver/answer/describe.h"

/* Is there anything to change, and may it be run?  runner: NULL = nothing is run. */
bool near_failure_can_change(const struct question *q, const struct search_options *s,
			     const struct runner *runner);
/* Where in the run the failure's nearest causes lie, those of them that may be at fault. */
struct near_failure_span {
	uint64_t oldest, latest; /* steps of the index; oldest > latest: there are none */
	/* There are no others, and none of them read memory that the program had not written, as
	 * code anywhere in the run should have done. */
	bool is_whole;
};

/* q has an index. */
struct near_failure_span near_failure_span(const struct question *q,
					   const struct search_options *s);
/* Does it come before the formula?  It does where the formula takes longer, or where the formula
 * knows less than a run does. */
bool near_failure_is_first(const struct question *q, const struct search_options *s);
/* Has a likely change met the failed check already? */
bool near_failure_check_is_met(const struct question *q);
/* Adds what lets the test pass to q's .e.  Takes a part of the time that is left (limit
 * nearby_share).  Returns false with error. */
bool near_failure_change(struct question *q, struct describer *describer, struct runner *runner,
			 const struct search_options *s, GError **error);
/* The same where the formula has proven something but was cut: turns branches of lines that no
 * proven suspect names.  What a library function returns on another way is not in the formula, so
 * that it may take one of them for refuted. */
bool near_failure_turn(struct question *q, struct describer *describer, struct runner *runner,
		       const struct search_options *s, GError **error);

#endif
