/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that no longer crashes goes on.  Where it is over before it came as far as the crash,
 * the change left out what the test is about: a script that is not read, the rest of the input.
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_SHORTER_RUN_H
#define GDBEXT_QUESTION_ANALYSIS_SHORTER_RUN_H

#include "gdbext/question/question.h"

/* Where a signal ended the test, runs it with what each of q's proven suspects changes, and gives
 * those their .is_shorter, unless all are.  The runs execute as many instructions together as the
 * limit shorter_insns says, or as there is time for. */
void shorter_run_note(struct question *q);

#endif
