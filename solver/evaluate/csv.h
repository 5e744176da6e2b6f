/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated values as RFC 4180 has them: a field with a comma, a quote or a line's end
 * stands in quotes, and a quote in it is doubled. */
#ifndef SOLVER_EVALUATE_CSV_H
#define SOLVER_EVALUATE_CSV_H

#include <glib.h>

/* Adds a field, after a comma unless it begins the line. */
void csv_field(GString *line, const char *text);

/* The next record of *at, which is moved behind it; the fields are NULL-terminated, free them
 * with g_strfreev.  NULL: there is none.  A quote that is never closed ends with the text. */
char **csv_record(const char **at);

#endif
