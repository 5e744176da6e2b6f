/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in memory that library functions wrote: the cursor knows only what traced code loads and
 * stores.  Each byte is as the cursor has it, or as a copy left it, or nobody knows.
 */
#ifndef SOLVER_MEMORY_TEXTS_H
#define SOLVER_MEMORY_TEXTS_H

#include "solver/trace/run.h"

struct texts;

struct texts *texts_new(struct trace_run *run, const struct trace_cursor *cursor);
void texts_free(struct texts *t); /* NULL is fine */
/* Traced code loaded or stored these: the cursor knows them. */
void texts_seen(struct texts *t, uint64_t address, uint64_t size);
void texts_lost(struct texts *t, uint64_t address, uint64_t size);
void texts_copy(struct texts *t, uint64_t to, uint64_t from, uint64_t size);
void texts_fill(struct texts *t, uint64_t to, uint64_t size, uint8_t byte);
bool texts_byte(const struct texts *t, uint64_t address, uint8_t *byte);
/* Bytes before the NUL, at most most of them.  False when one of them is not known; *length: how
 * many were. */
bool texts_length(const struct texts *t, uint64_t address, uint64_t most, uint64_t *length);

#endif
