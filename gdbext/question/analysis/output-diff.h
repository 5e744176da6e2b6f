/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another run printed differently.  A run may print a gibibyte, so the texts are gone
 * through once, only the first lines in which they differ are compared line by line, and the time
 * that the question has is obeyed.
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_OUTPUT_DIFF_H
#define GDBEXT_QUESTION_ANALYSIS_OUTPUT_DIFF_H

#include "solver/base/deadline.h"
#include "solver/trace/runner.h"

/* Any bytes; they belong to the caller. */
struct output_text {
	const char *bytes;
	gsize n;
};

/* Lines to print, each with its newline, clean for a terminal: the first lines in which the two
 * texts differ, or that there is no difference; "" when both are empty.  name: "output".  NULL
 * with error when the time is up.  Free it. */
char *output_diff(const char *name, struct output_text was, struct output_text is,
		  const struct deadline *until, GError **error);
/* The same of what two runs wrote to standard output and standard error. */
char *output_diff_of_runs(const struct run_result *was, const struct run_result *is,
			  const struct deadline *until, GError **error);

#endif
