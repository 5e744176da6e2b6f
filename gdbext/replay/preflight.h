/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be found out about a test before it runs: where the program is,
 * whether it may be run, where the agent is.  Each failure is one sentence.
 */
#ifndef GDBEXT_REPLAY_PREFLIGHT_H
#define GDBEXT_REPLAY_PREFLIGHT_H

#include "solver/base/deadline.h"

#include <glib.h>

/* Has this process what every question needs: /proc, and enough descriptors? */
bool preflight_system(GError **error);

/* The absolute path of the program, symbolic links resolved.  A name without a slash is looked
 * up in PATH, others are relative to directory (NULL = here).  Fails with REPLAY_ERROR_PROGRAM
 * when the program is missing, is no regular file, is not executable, or would run with other
 * rights than ours (the loader then ignores LD_PRELOAD). */
char *preflight_program(const char *program, const char *directory, GError **error);

/* Absolute path of a directory to run in; NULL gives NULL without error. */
char *preflight_directory(const char *directory, GError **error);

/* Absolute path of a shared object named by --trace-lib; directory as above. */
char *preflight_library(const char *library, const char *directory, GError **error);

/* Absolute path of gdb-why-agent.so: agent if given, else $GDB_WHY_AGENT,
 * beside our own executable, or in ../lib/gdb-why from there. */
char *preflight_agent(const char *agent, GError **error);

/* A file that every run can read from its start: path itself (directory as above),
 * or, when it is a pipe or a terminal, a copy of what comes out of it in folder.
 * NULL gives "/dev/null". */
char *preflight_stdin(const char *path, const char *directory, const char *folder,
		      const struct deadline *until, GError **error);

#endif
