/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lesson as its author wrote it: a folder with
 *
 *     lesson.ini   what it is called, its faults, their hints, what may be varied
 *     golden.c     the program without a fault
 *     tests.txt    the hidden suite: arguments, a line a test; `?' is what golden.c prints for
 *                  the words before it
 *     task.md      what the student is told
 *     README.md    the instructor's page
 *     difficulty.txt  how difficult each variant is (difficulty.h); it may be missing
 *
 * Installed lessons have lesson.ini, golden.c and tests.txt packed (packed.h).
 *
 * A fault is a line of golden.c and what stands there instead.  Example:
 *
 *     [fault.1]
 *     right=if (b > a)
 *     wrong=if (b < a)
 *     question=What does the comparison say for 1 and 2?
 *     reason=...
 *
 * right2 and wrong2 are a second line of the same fault, and so on.  A lesson that `lesson new'
 * made has `file=faulty.c' instead: the whole faulty program.
 */
#ifndef GDBEXT_LESSON_LESSON_H
#define GDBEXT_LESSON_LESSON_H

#include <glib.h>
#include <stdbool.h>

#define LESSON_ERROR lesson_error_quark()
GQuark lesson_error_quark(void);
/* Each message is a sentence that says what to do. */
enum lesson_error {
	LESSON_ERROR_COURSE, /* the lesson is not there, or its files are not as they should be */
	LESSON_ERROR_FOLDER, /* the student's folder */
	LESSON_ERROR_ANSWER, /* what was answered cannot be read */
	LESSON_ERROR_SYSTEM, /* no compiler, no cage … */
};

enum { LESSON_HINTS = 3, LESSON_LINES_MOST = 4 };

struct lesson_fault {
	char *name;			/* "1" */
	unsigned n_lines;		/* how many of these pairs */
	char *right[LESSON_LINES_MOST]; /* a line of golden.c, without the blanks around it */
	char *wrong[LESSON_LINES_MOST]; /* what stands in its place; "" = nothing */
	char *file;			/* the whole program; NULL = golden.c with these lines */
	char *fails;			/* arguments of the test that the student sees */
	char *question, *reason;	/* hints; the place between them is computed */
};

/* What differs from seed to seed: the first value is that of golden.c. */
struct lesson_choice {
	char *name;
	char **values; /* NULL-terminated, at least one */
};

struct lesson {
	char *folder, *name;
	char *title, *goal, *shows, *cannot, *final; /* .final: the question at its end */
	char *cflags;				     /* beside -g -O0; "" = none */
	char *program;				     /* golden.c's text */
	char *old;	   /* a version that worked, for the student, NULL = none */
	char *task;	   /* task.md's text */
	char *suite;	   /* tests.txt's text */
	char *measured;	   /* difficulty.txt's text, NULL = nobody measured */
	unsigned minutes;  /* how long it should take */
	unsigned order;	   /* its place in the course */
	unsigned visible;  /* so many tests of the suite are shown to the student, in suite.txt */
	bool by_output;	   /* a test is judged by what it prints, not by the program's assertions */
	GPtrArray *faults; /* struct lesson_fault *, at least one */
	GArray *names;	   /* struct lesson_choice: identifiers that may be called otherwise */
	GArray *constants; /* struct lesson_choice: macros with another value */
};

/* Reads the lesson in a folder. */
struct lesson *lesson_read(const char *folder, GError **error);
void lesson_free(struct lesson *l);

/* The folder of the lessons that come with gdb-why: $GDB_WHY_LESSONS, or where they were
 * installed or built.  NULL with a sentence; free it. */
char *lesson_course(GError **error);
/* All lessons of the course, in its order: struct lesson *, owned. */
GPtrArray *lesson_all(GError **error);
/* A lesson by its name in the course, or by its folder where the word has a slash. */
struct lesson *lesson_find(const char *word, GError **error);

#endif
