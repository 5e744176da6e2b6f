/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the source that report a failure: they call assert's function, abort and the
 * like.  No change there is an explanation. */
#ifndef SOLVER_SOURCE_FAILING_LINES_H
#define SOLVER_SOURCE_FAILING_LINES_H

#include "solver/image/image.h"

#include <glib.h>

/* "file:line"; caller frees. */
char *failing_lines_key(const struct image_statement *s);
/* Adds the keys of those of the image to a set of strings that it owns. */
void failing_lines_add(GHashTable *lines, const struct image *im);
/* Adds the keys of all statements of the image except those in `except' (NULL = none). */
void failing_lines_add_all(GHashTable *lines, const struct image *im, GHashTable *except);
/* Is the statement's line, or its whole file, among them?  lines: NULL = there are none. */
bool failing_lines_has(GHashTable *lines, const struct image_statement *s);

/* Is it code that the user did not write: a library's header, or what the compiler adds behind a
 * block's last statement to end objects of C++? */
bool failing_lines_is_of_nobody(const struct image *im, const struct image_row *row);

#endif
