/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands, executed in the test's own process: what each prints, and its exit status. */
#ifndef TESTS_SUPPORT_COMMANDS_H
#define TESTS_SUPPORT_COMMANDS_H

#include <glib.h>
#include <stdbool.h>

struct command_case {
	const char *line; /* "gdb-why explain ./p 9" */
	int status;
	const char *says[4]; /* each stands in what it prints, on both streams; NULL ends them */
};

/* A new folder, which becomes the current one; free it by test_folder_free.  Ends the test with
 * status 77 where programs cannot be recorded. */
char *commands_begin(void);
/* Executes them one after the other, prints those that do otherwise, and fails the test when there
 * are any. */
void commands_expect(const struct command_case *all, size_t n);
/* Is the test program to be the gdb-why that a command of its own has started?  Then it is, and
 * *status is what it ends with. */
bool commands_is_child(int argc, char **argv, int *status);

#endif
