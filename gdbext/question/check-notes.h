/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failing checks in words: of a framework, or of the program's own. */
#ifndef GDBEXT_QUESTION_CHECK_NOTES_H
#define GDBEXT_QUESTION_CHECK_NOTES_H

#include "gdbext/question/question.h"
#include "solver/check/check-look.h"

/* The check in the framework's words or, when they are not known, in the source's.  Free it. */
char *check_notes_sentence(const struct failing_check *c);
/* Says which call of the function that checks is asked about, where the program counts. */
void check_notes_call(struct question *q, const struct failing_check *c);
/* Names those that failed behind the first one. */
void check_notes_others(struct question *q, const struct checks_seen *seen);
/* Says so where a framework made no check, as where it runs tests in processes that execute a
 * program anew, and what a sanitizer reports. */
void check_notes_none_made(struct question *q, const struct checks_seen *seen);

#endif
