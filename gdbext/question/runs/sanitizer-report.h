/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What AddressSanitizer says of the test.  A program that is built with it cannot be recorded, so
 * it runs by itself once more, and its report is told with the advice to build it without.
 */
#ifndef GDBEXT_QUESTION_RUNS_SANITIZER_REPORT_H
#define GDBEXT_QUESTION_RUNS_SANITIZER_REPORT_H

#include "gdbext/options/options.h"

/* "heap-buffer-overflow at list.c:12 in append" of a report; NULL = it holds none.  The place is
 * that of the first frame with a source that is there.  Caller frees. */
char *sanitizer_report_of(const char *text, const char *directory);
/* Adds that to an error that says that the program cannot be recorded for that reason. */
void sanitizer_report_add(const struct options *o, GError **error);

#endif
