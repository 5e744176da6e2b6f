/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real GDB and small programs for it, for tests of the MI connection. */
#ifndef TESTS_SUPPORT_MI_GDB_H
#define TESTS_SUPPORT_MI_GDB_H

#include "mi/cmd.h"

/* Ends the test program with status 77 and a reason where there is no GDB, no C
 * compiler, or no leave to trace. */
void test_gdb_or_skip(void);

/* Makes a folder for the test program, and removes it with what is in it. */
char *test_gdb_folder_new(void);
void test_gdb_folder_free(char *folder);

/* Compiles source (debug information, no optimization) to folder/name; free the path. */
char *test_gdb_compile(const char *folder, const char *name, const char *source);

/* Starts GDB, with options or none, and loads a program (NULL: none). */
struct mi_conn *test_gdb_start(const struct mi_options *options, const char *program);

/* Fails unless error is this one; clears it. */
void test_gdb_assert_error(GError **error, enum mi_error code);

/* Is a process of this session alive? */
bool test_gdb_session_lives(pid_t session);

/* Fails when a living process has this session id. */
void test_gdb_assert_nothing_left(pid_t session);

#endif
