/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grades as text, and as what other programs read. */
#ifndef GDBEXT_LESSON_GRADE_RESULTS_H
#define GDBEXT_LESSON_GRADE_RESULTS_H

#include "gdbext/lesson/grade/grade.h"

enum lesson_format {
	LESSON_TEXT,
	LESSON_JSON,
	LESSON_TAP,	   /* Test Anything Protocol, version 13 */
	LESSON_JUNIT,	   /* the XML that CI servers read */
	LESSON_GRADESCOPE, /* results.json of Gradescope's autograder */
	LESSON_CSV,	   /* a row a submission */
	LESSON_HTML,	   /* of reports and hand-outs */
};

/* One student's result in a class. */
struct lesson_row {
	char *student;		    /* the name of the folder */
	struct lesson_grade *grade; /* NULL = it could not be graded */
	char *problem;		    /* why not; NULL = it was */
	char *remark;		    /* for the instructor: "same seed as anna"; NULL = none */
};

/* One grade, in any format but HTML; free it. */
char *lesson_result(const struct lesson_grade *g, enum lesson_format format);
/* A class: TEXT (a table, and what was hard), JSON, CSV, JUNIT; free it. */
char *lesson_results(const GArray *rows, enum lesson_format format);

#endif
