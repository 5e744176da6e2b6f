/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of which file a call read. */
#ifndef SOLVER_CAUSE_CAUSE_FILE_H
#define SOLVER_CAUSE_CAUSE_FILE_H

#include "solver/cause/cause-reading.h"

/* "standard input", "words.txt", or "a file" where nobody knows.  Free it. */
char *cause_file_name(struct finder *f, const struct reading *r);
/* How many bytes the call read. */
uint64_t cause_bytes_read(const struct reading *r);
/* "byte 2 of what the 2nd `fgets' read from standard input".  byte: of what the call read, from 0,
 * or UINT64_MAX of the pointer that getline() sets; step: what read the byte.  Free it. */
char *cause_file_words(struct finder *f, const struct reading *r, uint64_t byte, uint64_t step);

#endif
