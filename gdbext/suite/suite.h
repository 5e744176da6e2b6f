/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test suite as people have them: a file with one test a line, or a folder of
 * scripts.
 *
 *     # a comment; blank lines count for nothing
 *     {} --fast 1 2 <inputs/a.txt     a shell command, {} is the program
 *     3 4                             no {}: the program's arguments, as a shell reads them
 *     zero: 0 0                       named; else a test's name is its line's number
 *
 * In a folder, executable files and those that end in .sh are tests, in natural
 * order (2.sh before 10.sh); other files are taken for their data.  A test's
 * name is the file's without .sh; it is given the program as $PROG and as $1.
 *
 * One bad line or file costs that test alone: a sentence in .wrong names it.
 */
#ifndef GDBEXT_SUITE_SUITE_H
#define GDBEXT_SUITE_SUITE_H

#include <glib.h>
#include <stdbool.h>

#define SUITE_ERROR suite_error_quark()
GQuark suite_error_quark(void);
enum suite_error {
	SUITE_ERROR_READ,      /* the suite is missing, unreadable or has no test */
	SUITE_ERROR_EXPECT,    /* what is to be compared with is missing */
	SUITE_ERROR_SYSTEM,    /* no test could be started */
	SUITE_ERROR_CANCELLED, /* interrupted before anything was measured */
};

/* No system takes a longer argument (MAX_ARG_STRLEN). */
enum { SUITE_LINE_MOST = (128 << 10) - 1 };

struct suite_test {
	char *name;    /* no other test of the suite has it; no slash */
	char *place;   /* how sentences name it: "suite.txt:17", "suite/zero.sh" */
	char *command; /* for a shell, with {} for the program; NULL: .script */
	char *script;  /* absolute; NULL: .command */
	bool sh;       /* the script is no executable file: sh reads it */
};

struct suite {
	char *path;	  /* as it was named */
	GPtrArray *tests; /* struct suite_test *, owned */
	GPtrArray *wrong; /* char *, owned: "suite.txt:17: …; this test is left out" */
};

/* The lines of a file; path: as sentences name it. */
struct suite *suite_parse(const char *path, const char *text, gsize length);
/* A file or folder, looked for in directory (NULL = here).  Fails when it has no
 * test, with the first of its wrong lines if there is one. */
struct suite *suite_read(const char *path, const char *directory, GError **error);
void suite_free(struct suite *s);

/* Adds "PLACE: WHAT; this test is left out" to s->wrong. */
void suite_leave_out(struct suite *s, const char *place, const char *what);

#endif
