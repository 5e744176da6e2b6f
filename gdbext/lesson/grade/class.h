/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of submissions, graded. */
#ifndef GDBEXT_LESSON_GRADE_CLASS_H
#define GDBEXT_LESSON_GRADE_CLASS_H

#include "gdbext/lesson/grade/results.h"

/* Each folder in `folder' is a submission, whatever is in it; it is only read.  A
 * submission says which lesson of the course it is of; it cannot name one elsewhere, because that
 * could be the student's own.  lesson: they are of this one, as lesson_find takes it (NULL = as
 * they say).  GArray of struct lesson_row in the order of names, NULL with a sentence. */
GArray *lesson_class(const char *folder, const char *lesson, const struct lesson_search *how,
		     double run_seconds, GError **error);

#endif
