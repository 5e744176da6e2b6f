/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges an answer by its meaning.
 *
 * Lines are right when they are a set that the engine proved: with other values there, all hidden
 * tests pass.  A mended program is right when it does what golden.c does with all hidden tests and
 * still makes the checks that it made.  Lines on the way from the fault to the failure get a part
 * of the points.  Each answer that is not right gets a reason, with a value where there is one.
 */
#ifndef GDBEXT_LESSON_GRADE_GRADE_H
#define GDBEXT_LESSON_GRADE_GRADE_H

#include "gdbext/lesson/student.h"
#include "gdbext/lesson/truth.h"

enum lesson_verdict { LESSON_RIGHT, LESSON_PARTIAL, LESSON_WRONG, LESSON_EMPTY };

/* One thing that was looked at: an answered line, a hidden test. */
struct lesson_check {
	char *name;
	bool passed;
	char *said; /* why not; "" = nothing */
};

struct lesson_grade {
	char *lesson;
	char *seed;   /* NULL = none */
	char *answer; /* as it was given; "" = none */
	enum lesson_verdict verdict;
	unsigned points; /* of 100, without what hints cost */
	unsigned hints;
	GArray *checks; /* struct lesson_check */
	char *feedback; /* sentences; a line each */
};

struct lesson_grade *lesson_grade_new(const struct lesson_variant *v,
				      const struct lesson_student *s);
void lesson_grade_free(struct lesson_grade *g);
/* Adds a check; said: NULL = nothing. */
void lesson_grade_check(struct lesson_grade *g, const char *name, bool passed, const char *said);
/* Adds a line of feedback. */
void lesson_grade_say(struct lesson_grade *g, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* What is left when hints are paid. */
unsigned lesson_grade_points(const struct lesson_grade *g);
/* What hint number n, from 1, costs. */
unsigned lesson_hint_price(unsigned n);
const char *lesson_verdict_word(enum lesson_verdict v);

/* The lines that were answered, as numbers of the program as it was given out, ascending: "20
 * program.c:22".  A line of a program that was changed since is found by its text.  NULL with a
 * sentence; GArray of unsigned. */
GArray *lesson_answer_lines(const struct lesson_variant *v, const struct lesson_student *s,
			    const char *answer, GError **error);

/* Judges lines: *g is filled. */
void lesson_grade_lines(struct lesson_grade *g, const struct lesson_variant *v,
			const struct lesson_truth *t, const GArray *lines);
/* Judges the program in the student's folder, with so many seconds for a run. */
bool lesson_grade_mended(struct lesson_grade *g, struct lesson_runs *r,
			 const struct lesson_variant *v, const struct lesson_student *s,
			 const struct lesson_expected *x, double seconds, GError **error);

/* All of it: what was answered last in the student's folder. */
struct lesson_grade *lesson_grade(const struct lesson_student *s, const struct lesson_search *how,
				  double run_seconds, GError **error);

#endif
