/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory where the test failed that its record does not tell, because untraced code wrote it:
 *
 *     snprintf(text, sizeof text, "%d", n);
 *     if (strcmp(text, "12") != 0)
 *             fails++;                           text = "13"
 *
 * A native run of the test notes it there.  It is believed when the registers that calls keep, the
 * stack's among them, are those of the record.
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_NATIVE_MEMORY_H
#define GDBEXT_QUESTION_ANALYSIS_NATIVE_MEMORY_H

#include "gdbext/question/question.h"

struct native_memory;

/* q: with its point, and outlives it.  NULL: the test took too long, or has several threads or
 * processes, so that no run is made. */
struct native_memory *native_memory_new(const struct question *q);
void native_memory_free(struct native_memory *m); /* NULL is fine */
/* trace_point_memory_fn; memory: a struct native_memory.  The first call makes a run, and so does
 * one for memory that is not near to what was asked for before, a few times. */
bool native_memory_read(void *memory, uint64_t address, unsigned size, uint64_t *value);

#endif
