/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The private temporary folder of one question: one folder with a run.NNNNNN inside for
 * each run (plan, record, the program's output).  It is made with mode 0700 in
 * $GDB_WHY_TMPDIR or in memory (/dev/shm) when there is room, else in $XDG_RUNTIME_DIR,
 * $TMPDIR or /tmp.  All names have the same length for every run, because they end up
 * on the program's stack.
 */
#ifndef GDBEXT_REPLAY_FOLDER_H
#define GDBEXT_REPLAY_FOLDER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct folder {
	char *path;
	uint64_t room; /* bytes free there when it was made */
	pid_t guard;   /* the process that removes the folder when we vanish */
	int alive;     /* the guard sees this end close */
};

/* Makes the folder.  A process that was there before the folder removes it when we vanish, even
 * by SIGKILL.  Caller frees the result. */
struct folder *folder_new(GError **error);
/* Removes the folder with all that is inside.  NULL is fine. */
void folder_free(struct folder *f);

/* False with error when it has become full: then a write that failed is not the program's
 * failure, and what it printed may be cut. */
bool folder_check_room(const struct folder *f, GError **error);

/* Makes path and nothing above it, mode 0700.  Caller frees the result,
 * "FOLDER/run.NNNNNN". */
char *folder_make_run(const char *folder, unsigned number, GError **error);

/* Removes path with all that is inside; does not follow symbolic links. What
 * cannot be removed stays. */
void folder_remove(const char *path);
/* The same of what is inside, but for these names (NULL-terminated). */
void folder_empty(const char *path, const char *const *kept);

#endif
