/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said about a test that did not fail in a way that can be explained. */
#ifndef GDBEXT_QUESTION_ENDING_H
#define GDBEXT_QUESTION_ENDING_H

#include "gdbext/options/options.h"
#include "gdbext/replay/replay.h"

/* Does that signal end a program because it cannot go on, and not because somebody else sends
 * it? */
bool ending_is_crash(int signo);
/* 0 for a failing assertion, a crash or an exit status that is not 0, when the run was recorded
 * to its end, and for a run that did not end (endless.h); otherwise the exit status, with one
 * sentence in *error.  program: as the user called it. */
int ending_check(const char *program, const struct replay_failing *failing, GError **error);

/* What a program does with its own code, when the code does not stay as it is in the file: a
 * verb and its object.  NULL = it stays. */
const char *ending_own_code(enum trace_own_code what);

/* The exit status that an error means. */
int ending_status(const GError *error);

/* Takes away an error that only says that the time was up, because what was found until then
 * stands.  Returns whether it did. */
bool ending_forgive_time(GError **error);

#endif
