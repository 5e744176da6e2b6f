/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cutting a group of changed lines at the ends of C statements.
 */
#ifndef SOLVER_REGRESS_SPLIT_H
#define SOLVER_REGRESS_SPLIT_H

#include <glib.h>
#include <stdbool.h>

/* Cuts n lines (GBytes *, each with its end of line) so that each piece is one or more whole
 * statements or declarations: the result holds the number of lines of each piece (unsigned), or is
 * NULL when the lines do not parse as whole statements.  No line is shared by two pieces; blank
 * lines and comments go with what follows them.
 *
 *     a = 1;            if (x)            for (;;
 *     b = 2;                  y = 2;            i++)
 *     -> 1, 1           -> 2              -> NULL
 */
GArray *regress_split_statements(GBytes *const *lines, guint n);

#endif
