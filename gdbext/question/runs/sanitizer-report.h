/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What AddressSanitizer says of the test.  Its runtime and the recorder run together by an option
 * that gdb-why adds (solver/image/shadow.h).  Where they do not, the program runs by itself once
 * more, and the report is told with the advice to build it without.
 */
#ifndef GDBEXT_QUESTION_RUNS_SANITIZER_REPORT_H
#define GDBEXT_QUESTION_RUNS_SANITIZER_REPORT_H

#include "gdbext/options/options.h"
#include "solver/memory/memory.h"

/* "heap-buffer-overflow at list.c:12 in append" of a report; NULL = it holds none.  The place is
 * that of the first frame with a source that is there.  Caller frees. */
char *sanitizer_report_of(const char *text, const char *directory);
/* The access of a report that AddressSanitizer wrote into a file, or the block of a second free,
 * with size 0; false = there is none. */
bool sanitizer_report_access(const char *path, struct memory_reported *access);
/* Adds that to an error that says that the program cannot be recorded for that reason. */
void sanitizer_report_add(const struct options *o, GError **error);

#endif
