/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hints: a question to look at, the place, the reason.  Each costs more than the one before. */
#ifndef GDBEXT_LESSON_GRADE_HINT_H
#define GDBEXT_LESSON_GRADE_HINT_H

#include "gdbext/lesson/student.h"

/* Hint number n, from 1 to LESSON_HINTS; free it. */
char *lesson_hint(const struct lesson_variant *v, unsigned n);

/* Gives a student the next hint, or an earlier one again (n = 0: the next one), and notes that it
 * was taken.  NULL with a sentence; free it. */
char *lesson_take_hint(struct lesson_student *s, unsigned n, GError **error);

#endif
