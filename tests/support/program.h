/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs that a test compiles, and what other tools say of them. */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <glib.h>
#include <stdbool.h>

/* An empty folder of this test's own; free with test_folder_free, which removes it
 * with all that is in it. */
char *test_folder_new(void);
void test_folder_free(char *folder);

/* Ends the test program with status 77 and a reason where a tool is missing. */
void test_need(const char *tool);
bool test_has(const char *tool);

/* Writes source to folder/name.c (name.s, … when name has a suffix, which is then
 * cut off) and compiles it to folder/name, with `compiler flags`.  The program's
 * path; free it.  Fails the test when it does not compile. */
char *test_compile(const char *folder, const char *name, const char *source, const char *command);

/* What a shell command prints; fails the test unless it succeeds.  Free it. */
char *test_output(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif
