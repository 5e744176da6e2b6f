/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another run printed differently.  A run may print a gibibyte, so the texts are gone
 * through once, only the first lines in which they differ are compared line by line, and the time
 * that the question has is obeyed.
 */
#ifndef GDBEXT_COMMAND_TRY_TRY_DIFF_H
#define GDBEXT_COMMAND_TRY_TRY_DIFF_H

#include "solver/base/deadline.h"

/* Any bytes; they belong to the caller. */
struct try_text {
	const char *bytes;
	gsize n;
};

/* Lines to print, each with its newline, clean for a terminal: the first lines in which the two
 * texts differ, or that there is no difference; "" when both are empty.  name: "output".  NULL
 * with error when the time is up.  Free it. */
char *try_diff(const char *name, struct try_text was, struct try_text is,
	       const struct deadline *until, GError **error);

#endif
