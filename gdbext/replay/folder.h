/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The private temporary folder of one question: one folder with a run.NNNNNN
 * inside for each run (plan, record, the program's output).  Made with mode
 * 0700 in $GDB_WHY_TMPDIR or memory (/dev/shm) where there is room, else in
 * $XDG_RUNTIME_DIR, $TMPDIR or /tmp.  All names have the same length for every run, because they
 * end up on the program's stack.
 */
#ifndef GDBEXT_REPLAY_FOLDER_H
#define GDBEXT_REPLAY_FOLDER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Makes the folder.  *room: bytes free there.  Caller frees the path. */
char *folder_new(uint64_t *room, GError **error);

/* Makes path and nothing above it, mode 0700.  Caller frees the result,
 * "FOLDER/run.NNNNNN". */
char *folder_make_run(const char *folder, unsigned number, GError **error);

/* Removes path with all that is inside; does not follow symbolic links. What
 * cannot be removed stays. */
void folder_remove(const char *path);

#endif
