/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predict, then ask: what a student expects of an explanation, and what it says. */
#ifndef GDBEXT_LESSON_PREDICT_H
#define GDBEXT_LESSON_PREDICT_H

#include "gdbext/lesson/student.h"
#include "solver/explanation.h"

/* The student's folder in which a program lies; NULL = it is in none. */
struct lesson_student *lesson_of_program(const char *program);
/* What was expected ("34 hours = 2": the first number is a line) beside the answer, in a sentence;
 * free it. */
char *lesson_compare(const char *expected, const struct explanation *e);

#endif
