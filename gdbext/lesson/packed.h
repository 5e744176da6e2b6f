/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts that tell an answer are kept packed, as gzip does it: a student who looks through folders,
 * or searches them for a line of the program, does not come upon it.  That is no lock: whoever
 * unpacks them reads them, as whoever has the program's source does.
 */
#ifndef GDBEXT_LESSON_PACKED_H
#define GDBEXT_LESSON_PACKED_H

#include <glib.h>
#include <stdbool.h>

/* The text of a file, or, where it is not there, of path.gz.  NULL with a sentence; free it. */
char *packed_read(const char *path, GError **error);
/* Writes path.gz, which only its owner can read. */
bool packed_write(const char *path, const char *text, gsize n, GError **error);
/* Is there such a file, packed or not? */
bool packed_exists(const char *path);

#endif
