/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folders with the files of a version: what is in them, and copies that keep the times of files,
 * so that `make' sees what is up to date and what is not.
 */
#ifndef GDBEXT_REGRESS_WORKSHOP_FOLDERS_H
#define GDBEXT_REGRESS_WORKSHOP_FOLDERS_H

#include <glib.h>
#include <stdbool.h>

#define REGRESS_ERROR regress_error_quark()
GQuark regress_error_quark(void);
enum regress_error {
	REGRESS_ERROR_VERSION, /* no such folder or revision */
	REGRESS_ERROR_SYSTEM,  /* files cannot be read or written */
};

struct regress_entry {
	char *path;    /* relative to the folder */
	unsigned mode; /* as git has them: 0100644, 0100755, 0120000 */
	gint64 mtime;  /* ns */
};

/* All files and symbolic links below, but .git and what CMake keeps; sorted by path.  Free with
 * g_ptr_array_unref (struct regress_entry *). */
GPtrArray *regress_folder_list(const char *folder, GError **error);
/* Their contents; a symbolic link's is where it points. */
GBytes *regress_folder_read(const char *folder, const struct regress_entry *entry, GError **error);
/* A source file as the tree in the folder calls it, by the name that debug information has for it:
 * below the folder itself, or where the objects of the tree were made before it was copied.  NULL =
 * it is not of the tree.  Free it. */
char *regress_folder_find(const char *folder, const char *file);
/* Did a build make it: an object file, a library, a program, a log of `configure'? */
bool regress_is_built(const char *path, GBytes *bytes);

bool regress_folder_make(const char *folder, GError **error);
/* Copies all of it but .git, with modes and times, to a folder that is made.  root: files that say
 * how all is built and hold this text are left out; their number and one of them go to *left_out
 * and *example (free it).  NULL = nothing is left out. */
bool regress_folder_copy(const char *from, const char *to, const char *root, unsigned *left_out,
			 char **example, GError **error);
/* Writes one file in it, with the folders above; what was there under that name goes first, and so
 * does an empty folder.  time: the file's, ns. */
bool regress_folder_write(const char *folder, const char *path, unsigned mode, GBytes *bytes,
			  gint64 time, GError **error);
void regress_folder_delete(const char *folder, const char *path);
void regress_folder_touch(const char *folder, const char *path, gint64 time);

#endif
