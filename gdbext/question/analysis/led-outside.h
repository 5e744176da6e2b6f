/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a change of the code keep the run from the check that failed?  Then it shows nothing.
 * Does a change of the code lead the run out of an object?  A larger step may read what happens to
 * lie behind a table; that the test passes then shows nothing of the program.  The search asks the
 * same of changed values and turned branches (solver/search/candidate-run.c).
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_LED_OUTSIDE_H
#define GDBEXT_QUESTION_ANALYSIS_LED_OUTSIDE_H

#include "gdbext/question/question.h"

/* Does the run with these n actions, all of kind TRACE_ACTION_CODE, touch memory outside of an
 * object, unless the failing run does so, too?  Or does it no longer come to the check that
 * failed?  The answer is also no where such a run cannot be recorded or is too long. */
bool led_outside(const struct question *q, const struct trace_action *actions, size_t n);

#endif
