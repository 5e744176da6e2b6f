/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a whole test did, counted: the recorder's coverage mode, for suites.
 * A plan is made once for a program; then any number of tests is started as
 * they are (fork and exec, a shell command, a script), with an environment that
 * makes every process of the program add its counts to the test's file.
 *
 *     plan = profile_plan_new("./p", limits, &error);
 *     env = profile_environ(plan, environ, "/dev/shm/x/t1.profile");
 *     … posix_spawn of the test with env, wait for all of it …
 *     spectrum_begin(s, "t1", verdict);
 *     if (profile_read(plan, "/dev/shm/x/t1.profile", s, &summary, &error))
 *             spectrum_end(s);
 *     else
 *             spectrum_drop(s);
 *     …
 *     profile_plan_free(plan);
 *
 * What is counted are entries of basic blocks, returns of calls, and both
 * outcomes of conditional branches; all else is computed from these when a file
 * is read.  Nothing but the program is counted: the shell or the other programs
 * of a test are not.  Counts are exact with threads and forks; what a crash, a
 * signal or exit() ends keeps its counts.
 *
 * Units (solver/rank/units.h):
 *   statement  a run of a source row's instructions within one block; the line is the
 *              row's.  Its count: how often it was started.
 *   block      of a function's graph (solver/image/image.h), with a virtual block for
 *              the function's entry and one for its exit.
 *   edge       gone along so often.
 *   crash      a block entered and not left, so often: by a crash in it or in what it
 *              called, by exit() or by longjmp.
 *   predicate  a conditional branch; its outcomes are: taken, not taken.
 *   sequence   the branches of one source condition (the first one's predicate has the
 *              sequences) in the order of evaluation; T is taken.  Exact, so a part that
 *              can be reached in two ways (c in `a && b || c') begins sequences of its
 *              own, as does one on another line.
 */
#ifndef GDBEXT_PROFILE_PROFILE_H
#define GDBEXT_PROFILE_PROFILE_H

#include "solver/limits/limits.h"
#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

#include <glib.h>
#include <stdbool.h>

struct image;
struct profile_plan;

#define PROFILE_ERROR profile_error_quark()
GQuark profile_error_quark(void);
enum profile_error {
	PROFILE_ERROR_PROGRAM, /* it cannot be profiled */
	PROFILE_ERROR_SYSTEM,  /* a file cannot be made or read */
	PROFILE_ERROR_NONE,    /* no process of the program ran in this test */
	PROFILE_ERROR_FILE,    /* not a profile, not this program's, truncated or altered */
};

/* Opens the program and writes the plan file to a private temporary folder, which
 * profile_plan_free removes.  limits: NULL = the defaults; not owned.  Errors are
 * sentences, of PROFILE_ERROR or IMAGE_ERROR. */
struct profile_plan *profile_plan_new(const char *program, const struct limits *limits,
				      GError **error);
/* The same for tests that see the program under another (absolute) name, in a mount namespace. */
struct profile_plan *profile_plan_new_as(const char *program, const char *name,
					 const struct limits *limits, GError **error);
void profile_plan_free(struct profile_plan *plan);

/* Everything here belongs to the plan.  Only profile_read changes the units: it may add edges
 * (of computed jumps whose targets are not known beforehand). */
const struct units *profile_plan_units(const struct profile_plan *plan);
const struct image *profile_plan_image(const struct profile_plan *plan);
/* A hexadecimal key.  Two plans with the same key can read each other's files, so a cache can
 * use it: it is made of the program's contents, its build-id and the file's version. */
const char *profile_plan_build_id(const struct profile_plan *plan);

/* base (NULL-terminated; NULL = empty) and the variables that start the recorder, for a test
 * whose profile goes to out_file.  That is an absolute path and should not exist; when it does,
 * the counts are added to it.  Free with g_strfreev. */
char **profile_environ(const struct profile_plan *plan, char *const *base, const char *out_file);

struct profile_summary {
	unsigned sections;  /* threads, of all processes */
	unsigned processes; /* how many processes executed code of the program */
	unsigned faults;    /* SIGSEGV and the like in the program's own code */
	guint64 lost;	    /* how many transfers of computed jumps found no room to be counted */
};

/* Adds what the file counts to the test that was begun last in s; *summary may be NULL.  When
 * the file is refused, nothing is added. */
bool profile_read(struct profile_plan *plan, const char *out_file, struct spectrum *s,
		  struct profile_summary *summary, GError **error);

/* How often control came to each line of the units, as gcov counts: from another line, or round
 * a loop that is written on this line.  test: a test of s that profile_read has read.  Free
 * with g_free. */
guint64 *profile_lines(const struct profile_plan *plan, const struct spectrum *s, unsigned test);

#endif
