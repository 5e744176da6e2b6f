/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of record/ share; for them only. */
#ifndef GDBEXT_RECORD_INTERNAL_H
#define GDBEXT_RECORD_INTERNAL_H

#include "gdbext/record/record.h"

/* The limit for all source files together, in bytes, because they are held in memory. */
enum { MOST_SOURCES = 4096, MOST_SOURCE_BYTES = 256 << 20 };

/* SHA-256 of a file, hex; free it. */
char *record_sum_of(const char *path, GError **error);

#endif
