/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A check of a test framework that failed, although the program went on: before its call the
 * condition should have held, or the call should not have come.  The formula ends there, and
 * checks that were made before have to hold still.  What a
 * run does afterwards only the run tells: it meets the requirement when it fails no check but those
 * that failed before, and this one not.
 */
#ifndef SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_CHECK_H
#define SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_CHECK_H

#include "solver/formula/requirement.h"

/* Does a run, made with these actions, pass the check and fail no other one than before? */
typedef bool requirement_check_judge_fn(void *arg, const struct run_result *result,
					const struct run_request *request);

/* What a run is about to do. */
enum requirement_check_here {
	REQUIREMENT_NO_CHECK,
	REQUIREMENT_CHECK_HOLDS,
	REQUIREMENT_CHECK_FAILS,
	REQUIREMENT_CHECK_FAILED, /* as it did in the first run, after the one that is asked about
				   */
};
/* *condition: what the check requires, in C with registers; NULL = not to be made.  The caller
 * frees it. */
typedef enum requirement_check_here requirement_check_at_fn(void *arg, const struct run_walker *l,
							    char **condition);

struct requirement_check_options {
	struct requirement *condition; /* at the call, of requirement_new_condition; taken */
	bool may_stay_away;	       /* a run that does not come to the call is an answer, too */
	bool is_only_one;     /* it is met by runs that pass the whole test, and no others */
	const char *sentence; /* "cmocka: 7 is not 12" */
	/* explanation_failure.kind and .requirement; NULL = those of a check */
	const char *kind, *wanted;
	bool is_assertion;    /* .wanted is a condition in C */
	const char *compared; /* an expression whose operands are told with their values; NULL =
			       * there is none */
	requirement_check_judge_fn *judge;
	requirement_check_at_fn *check_at;
	void *arg;
};

/* Strings and .arg must outlive it.  Free it with requirement_free. */
struct requirement *requirement_new_check(const struct requirement_end *end,
					  const struct requirement_check_options *options);

#endif
