/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that the outcome of a test visibly depends on, as one number: the program
 * and its libraries, the test's command, where and for how long it may run, and the
 * size and time of change of each file that the command names.
 */
#ifndef GDBEXT_SUITE_KEY_H
#define GDBEXT_SUITE_KEY_H

#include "gdbext/suite/cache.h"
#include "gdbext/suite/suite.h"

struct suite_conditions {
	char *build;	       /* any text that only this program has */
	const char *shown;     /* as in suite_command_init */
	const char *directory; /* absolute */
	double timeout;
	bool output; /* what it writes is looked at */
};

void suite_key(const struct suite_conditions *c, const struct suite_test *t, guint8 *key);

/* The build of a program that is executed as it is: its contents. */
char *suite_build_of_file(const char *program, GError **error);
/* The build-id, the recorder (absolute path) and the libraries that the loader would take for
 * the program, each with size and time of change. */
char *suite_build_of_program(const char *program, const char *build_id, const char *recorder);

#endif
