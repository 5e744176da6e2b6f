/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's memory as far as the record tells: each byte is known or not.  A byte
 * is fresh when traced code has read or written it since the last time that anybody
 * else could have changed it (shadow_others_ran).
 */
#ifndef SOLVER_TRACE_SHADOW_H
#define SOLVER_TRACE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shadow;

struct shadow *shadow_new(void);
void shadow_free(struct shadow *s);
/* A copy that goes its own way. Pages that neither has written since are shared. */
struct shadow *shadow_copy(const struct shadow *s);
/* How many bytes were shared and had to be copied. */
uint64_t shadow_copied(const struct shadow *s);

/* False when a byte is not known. */
bool shadow_read(struct shadow *s, uint64_t address, size_t size, uint8_t *out);
/* The same, but also false when a byte is not fresh. */
bool shadow_read_fresh(struct shadow *s, uint64_t address, size_t size, uint8_t *out);
/* The same for 1, 2, 4 or 8 bytes, as a word. */
bool shadow_fetch(struct shadow *s, uint64_t address, unsigned size, uint64_t *out);
/* Are they fresh and hold this? */
bool shadow_holds(struct shadow *s, uint64_t address, unsigned size, uint64_t value);
void shadow_write(struct shadow *s, uint64_t address, size_t size, const uint8_t *bytes,
		  bool known);

/* What a load found in the place of bytes that were known. */
struct shadow_change {
	bool known; /* something else than one of them */
	bool fresh; /* the same, of one that is fresh */
};

/* The program read these bytes (size <= 64).  Bit i of the result: byte i was
 * not known, or was something else.  change: its members are set to true where they hold, never
 * to false; NULL = the caller does not ask. */
uint64_t shadow_observe(struct shadow *s, uint64_t address, size_t size, const uint8_t *bytes,
			struct shadow_change *change);

void shadow_others_ran(struct shadow *s);

#endif
