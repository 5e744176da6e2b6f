/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that come with the program: beside it where it was built, or where it was installed.
 */
#ifndef SOLVER_BASE_INSTALLED_H
#define SOLVER_BASE_INSTALLED_H

/* The absolute path of the file: beside the running program, else in ../kind/gdb-why, whether or
 * not it is there.  kind: "lib" or "share".  Free it. */
char *installed_file(const char *kind, const char *name);

#endif
