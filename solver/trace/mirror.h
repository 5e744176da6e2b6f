/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mirror of a record (solver/format/trace.h), which a cursor keeps as the recorder did: what
 * loads found that are not in the record.  Cursors share one until one of them changes it.
 */
#ifndef SOLVER_TRACE_MIRROR_H
#define SOLVER_TRACE_MIRROR_H

#include "solver/format/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct mirror {
	unsigned owners;
	uint64_t next; /* number of the instruction whose load is recorded; ~0 = none is */
	uint8_t bytes[TRACE_MIRROR_SIZE + 8];
};

/* All 0; nothing is recorded. */
struct mirror *mirror_new(void);
struct mirror *mirror_share(struct mirror *m);
void mirror_free(struct mirror *m);
/* Makes *m one that nobody shares. */
void mirror_own(struct mirror **m);

/* The number at *at, which is counted from the instruction `number`.  *at moves behind it; false
 * when the stream ends at end before that. */
static inline bool mirror_take_next(struct mirror *m, uint64_t number, const uint8_t **at,
				    const uint8_t *end)
{
	uint64_t distance = 0;

	if (end - *at < TRACE_MISS_SIZE)
		return false;
	memcpy(&distance, *at, TRACE_MISS_SIZE);
	m->next = distance == TRACE_MISS_NONE ? UINT64_MAX : number + distance;
	*at += TRACE_MISS_SIZE;
	return true;
}

/* What the instruction `number` loads, size bytes (4 or 8) at the address: from the mirror, or
 * from the stream as above.  NULL when that ends. */
static inline const uint8_t *mirror_take_load(struct mirror *m, uint64_t number, uint64_t address,
					      unsigned size, const uint8_t **at, const uint8_t *end)
{
	uint8_t *here = m->bytes + address % TRACE_MIRROR_SIZE;

	if (number != m->next)
		return here;
	if (!mirror_take_next(m, number, at, end) || end - *at < (ptrdiff_t)size)
		return NULL;
	memcpy(here, *at, size);
	*at += size;
	return here;
}

/* It stores the low size bytes (4 or 8) of a value. */
static inline void mirror_put(struct mirror *m, uint64_t address, unsigned size,
			      const uint8_t *bytes)
{
	if (size == 4)
		memcpy(m->bytes + address % TRACE_MIRROR_SIZE, bytes, 4);
	else
		memcpy(m->bytes + address % TRACE_MIRROR_SIZE, bytes, 8);
}

#endif
