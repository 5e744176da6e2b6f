/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts that give an answer away are kept packed by gzip, so a student who looks through folders,
 * or searches them for a line of the program, does not find them by chance.  This is no lock:
 * everybody can unpack them, as everybody can read this program's source.
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
