/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another run printed differently. */
#ifndef GDBEXT_COMMAND_TRY_DIFF_H
#define GDBEXT_COMMAND_TRY_DIFF_H

/* Lines to print, each with its newline: the first lines in which the two texts differ, or that
 * there is no difference; "" when both are empty.  name: "output".  Free it. */
char *try_diff(const char *name, const char *was, const char *is);

#endif
