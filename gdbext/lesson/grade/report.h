/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages: what a student did when, and a hand-out for the class. */
#ifndef GDBEXT_LESSON_GRADE_REPORT_H
#define GDBEXT_LESSON_GRADE_REPORT_H

#include "gdbext/lesson/grade/results.h"

/* What was done when, in TEXT or HTML; free it. */
char *lesson_report(const struct lesson_variant *v, const struct lesson_student *s,
		    enum lesson_format format);
/* The lesson on paper: goal, task, the program with numbered lines, questions; with t (else NULL)
 * also the way from a fault to the failure, for the discussion afterwards.  TEXT or HTML, which
 * loads nothing and has the way as a picture where Graphviz is; free it. */
char *lesson_handout(const struct lesson_variant *v, const struct lesson_truth *t,
		     enum lesson_format format);

#endif
