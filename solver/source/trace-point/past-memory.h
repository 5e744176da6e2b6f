/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory as it was before a step of the run, for words about a value of that time: a pointer's
 * `the item with count 0' is about the item as it was when the pointer got its value.  Only what
 * traced code stored or loaded is known, until untraced code may have written it, or the function
 * returns in whose frame it lies.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_PAST_MEMORY_H
#define SOLVER_SOURCE_TRACE_POINT_PAST_MEMORY_H

#include "solver/source/trace-point/foreign-memory.h"
#include "solver/trace/index/reverse-index.h"

struct past_memory {
	const struct trace_run *run;
	struct reverse_index *index; /* NULL = only what cannot change is known */
	const struct foreign_memory *foreign;
	uint64_t stack; /* the stack pointer when the record begins */
};

/* Does the memory hold what a function left there that has returned since? */
bool past_memory_is_leftover(const struct past_memory *p, uint64_t before, uint64_t address,
			     unsigned size);
/* What traced code found there since untraced code may have written it: a load that finds what was
 * there before says so, too.  Only the last instructions are looked at (limit reread_insns). */
bool past_memory_found(const struct past_memory *p, uint64_t before, uint64_t address,
		       unsigned size, uint8_t *out);
/* False when any of the bytes is not known.  size: at most 8. */
bool past_memory_read(const struct past_memory *p, uint64_t before, uint64_t address, unsigned size,
		      uint64_t *value);

/* The same where the cursor stands, by what the next instructions read there before code that is
 * not traced runs again. */
bool past_memory_ahead(const struct trace_cursor *at, uint64_t address, unsigned size,
		       uint8_t *bytes);

#endif
