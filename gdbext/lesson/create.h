/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An instructor's own lesson: from a program with a fault, one without, and tests. */
#ifndef GDBEXT_LESSON_CREATE_H
#define GDBEXT_LESSON_CREATE_H

#include "gdbext/lesson/lesson.h"

struct lesson_sources {
	const char *program; /* files: with the fault, */
	const char *golden;  /* without it, */
	const char *tests;   /* the suite, as tests.txt */
	const char *cflags;  /* NULL = "" */
};

/* Makes the folder (new or empty) with all that a lesson needs; what only a teacher can say stands
 * there as a question to be replaced.  The test that the student sees is the first that fails.
 * False with a sentence; what was made by then stays. */
bool lesson_create(const char *folder, const struct lesson_sources *from, GError **error);

#endif
