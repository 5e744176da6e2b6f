/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the tests that run real programs through gdbext/replay. */
#ifndef TESTS_SUPPORT_REPLAY_H
#define TESTS_SUPPORT_REPLAY_H

#include "gdbext/replay/replay.h"

#include <sys/types.h>

/* Skips the test (exit 77) where GDB, a compiler, the agent or ptrace is missing. */
void support_need_replay(void);

/* Compiles tests/gdbext/replay/programs/SOURCE with these flags; the program's absolute path,
 * $BUILD/tests/gdbext/replay/programs/NAME. Fails the test when that does not work. Free it. */
char *support_compile(const char *source, const char *name, const char *flags);

/* An empty folder of this test's own, where the temporary folders are made from
 * now on (GDB_WHY_TMPDIR). Free it; support_forget_folder removes it. */
char *support_folder(void);
void support_forget_folder(char *folder);

/* Names in folder, without . and .. */
unsigned support_count_entries(const char *folder);

/* Processes with word among their arguments or their environment ("NAME=value"),
 * zombies not counted. */
unsigned support_count_processes(const char *word);
/* The same, after waiting for there to be so many for up to five seconds. */
unsigned support_wait_processes(const char *word, unsigned wanted);

/* A word that no other process has among its arguments. Free it. */
char *support_marker(void);

/* Contents of a file in a folder. Free it. */
char *support_read(const char *folder, const char *name);

/* Options for running argv: the agent and a time limit are set. */
struct replay_options support_options(char *const *argv);

#endif
