/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The student's folder:
 *
 *     program.c   the program with its fault: the student's own variant
 *     Makefile    `make' builds it, `make test' runs the failing test
 *     task.md     what to do
 *     expected.txt  what the failing test should print, where that is what is judged
 *     suite.txt   a part of the suite, where the lesson is about one
 *     old/        a version that worked, where the lesson is about a regression
 *     .lesson     which lesson and seed it is
 *     .journal    what was done when: a line each, time, what and details between tabs
 *
 * Nothing in it says where the fault is.
 */
#ifndef GDBEXT_LESSON_STUDENT_H
#define GDBEXT_LESSON_STUDENT_H

#include "gdbext/lesson/variant.h"

/* What is allowed in a student's folder; each allows less than the one before. */
enum lesson_allow {
	LESSON_ALL,	/* it is no examination */
	LESSON_SLICES,	/* GDB, and where a value came from; no explanation, no hint */
	LESSON_GDB,	/* GDB's own commands */
	LESSON_READING, /* nothing but to read and run the program */
	LESSON_N_ALLOWS,
};
/* "slices"; "all" where it is no examination. */
const char *lesson_allow_word(enum lesson_allow a);

struct lesson_entry {
	char *time; /* "2026-11-22T10:00:00Z" */
	char *what; /* "start", "hint", "answer", "because", "check", "expected", "saw" */
	char *text;
};

struct lesson_student {
	char *folder; /* absolute */
	char *word;   /* as lesson_find takes it */
	char *seed;   /* NULL = none */
	enum lesson_allow allows;
	GArray *journal; /* struct lesson_entry, in the order of time */
};

/* Makes the folder (new or empty) for a student.  expected: what the test that the student sees
 * should print; suite: the text of suite.txt, NULL = there is none. */
bool lesson_student_start(const struct lesson_variant *v, const char *folder, const char *expected,
			  const char *suite, enum lesson_allow allows, GError **error);
/* folder: NULL = here. */
struct lesson_student *lesson_student_open(const char *folder, GError **error);
void lesson_student_free(struct lesson_student *s);

/* Adds an entry, in the file, too. */
bool lesson_student_note(struct lesson_student *s, const char *what, const char *text,
			 GError **error);
/* The text of the latest entry of this kind, NULL = there is none; s's. */
const char *lesson_student_latest(const struct lesson_student *s, const char *what);
/* How many hints were given. */
unsigned lesson_student_hints(const struct lesson_student *s);

/* What is allowed where the program lies, or in the directory (NULL = here): LESSON_ALL outside of
 * examinations.  program: as the user named it, NULL = none. */
enum lesson_allow lesson_allows(const char *program, const char *directory);

/* The best result so far for each lesson, in $XDG_DATA_HOME/gdb-why/lessons.ini. */
void lesson_progress_note(const char *lesson, const char *folder, int points);
/* -1 = never checked, -2 = never started; *folder, free it. */
int lesson_progress_of(const char *lesson, char **folder);

#endif
