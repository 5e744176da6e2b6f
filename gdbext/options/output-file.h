/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that -o names. */
#ifndef GDBEXT_OPTIONS_OUTPUT_FILE_H
#define GDBEXT_OPTIONS_OUTPUT_FILE_H

#include <glib.h>
#include <stdbool.h>

/* Writes the text to the file, or to standard output where path is NULL.  A link stays what it is:
 * g_file_set_contents would put a file in the place of /dev/stdout.  False with error
 * (G_FILE_ERROR). */
bool output_file_write(const char *path, const char *text, GError **error);

#endif
