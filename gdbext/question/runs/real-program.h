/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which program really failed, when the test is a script or starts other programs. */
#ifndef GDBEXT_QUESTION_RUNS_REAL_PROGRAM_H
#define GDBEXT_QUESTION_RUNS_REAL_PROGRAM_H

#include "gdbext/options/options.h"
#include "solver/base/deadline.h"

/* Runs the test once more and says which program failed first that can be explained, and with which
 * command: "sort-test, which failed (SIGSEGV): gdb-why explain ..."; when none failed, the first
 * one that can be explained.  NULL = there is none.  Caller frees. */
char *real_program_find(const struct options *o, const struct deadline *until);
/* Adds that to an error that says that the program itself cannot be explained. */
void real_program_add(const struct options *o, const struct deadline *until, GError **error);

#endif
