/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that the test writes and that takes the place of its standard output: what is in it
 * after a run stands as "out" in the run's folder.  The first run writes the file itself, and it
 * is copied then; a caged run gets "out" when it opens the file (cage/cage-open.h).
 */
#ifndef GDBEXT_REPLAY_RUN_OUTPUT_FILE_H
#define GDBEXT_REPLAY_RUN_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

struct output_file {
	char *path;   /* absolute; NULL = there is none, and all below does nothing */
	char *before; /* a file with what was in it; NULL = there was no such file */
	bool there;   /* when it was looked at last; then: */
	struct stat was;
};

/* path: relative to here.  Keeps what is in it in folder.  False with error when it is no file. */
bool output_file_begin(struct output_file *f, const char *path, const char *folder, GError **error);
void output_file_end(struct output_file *f);
/* Before a run that is not caged. */
void output_file_look(struct output_file *f);
/* After it: has it been written?  Then its text; the caller frees it. */
GString *output_file_text(const struct output_file *f);
/* The same, as "out" in the run's folder; when it was not written, there is no "out". */
bool output_file_take(const struct output_file *f, const char *folder, GError **error);

#endif
