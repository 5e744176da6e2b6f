/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a test of a suite is started.  A line that needs no shell (words, quotes, at most
 * one `<FILE') is started directly, which is faster, and can be given to a debugger.
 * All others are started by `sh -c'.
 */
#ifndef GDBEXT_SUITE_COMMAND_H
#define GDBEXT_SUITE_COMMAND_H

#include "gdbext/suite/suite.h"

struct suite_command {
	char *path;	  /* what is executed, absolute */
	char **argv;	  /* NULL-terminated */
	char *stdin_file; /* absolute; NULL = nothing to read */
	bool direct;	  /* path is the program itself */
};

/* The command of test t for a program (absolute path), to be started in directory (absolute).
 * shown: what the program finds as its own name when it is started directly. */
void suite_command_init(struct suite_command *c, const struct suite_test *t, const char *program,
			const char *shown, const char *directory);
void suite_command_clear(struct suite_command *c);

/* The command as a person would type it, with {} for the program.  Free it. */
char *suite_command_text(const struct suite_test *t);

/* Regular files that the test's words name, absolute, the script included: its outcome may
 * depend on them, too.  Free with g_ptr_array_unref. */
GPtrArray *suite_command_files(const struct suite_test *t, const char *directory);

#endif
