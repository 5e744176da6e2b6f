/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mirror (trace.h): what the thread's stream need not tell of loads. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <sys/mman.h>

/* In reach of an absolute address of 32 bits. */
enum { MIRRORS_START = 0x60000000, MIRROR_STEP = 2 * TRACE_MIRROR_SIZE };
enum { MIRROR_MAPPED = TRACE_MIRROR_SIZE + 4096 }; /* an operand may lie across its end */

bool mirror_map(struct agent_thread *t)
{
	uint64_t slot = ((uint64_t)head_of(t) - BLOCKS_START) / BLOCK_STEP;

	if (!t->mirror)
		t->mirror = sys_map_at(MIRRORS_START + slot * MIRROR_STEP, MIRROR_MAPPED,
				       PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return t->mirror;
}

static void mirror_put_number(uint8_t *at, uint64_t number)
{
	uint32_t low = (uint32_t)number;
	uint16_t high = (uint16_t)(number >> 32);

	__builtin_memcpy(at, &low, 4);
	__builtin_memcpy(at + 4, &high, 2);
}

/* The number that stands at the end of the stream is the next one to be filled in. */
static void mirror_leave_number(struct agent_thread *t, uint8_t *at)
{
	mirror_put_number(at, TRACE_MISS_NONE);
	t->miss = at;
}

void mirror_begin(struct agent_thread *t)
{
	if (!t->mirrors)
		return;
	sys3(SYS_madvise, (long)t->mirror, MIRROR_MAPPED, MADV_DONTNEED);
	missed_of(t)->offset = ~0ull;
	t->missed = head_of(t)->insns;
	mirror_leave_number(t, t->at);
	t->at += TRACE_MISS_SIZE;
	head_of(t)->length = (uint64_t)t->at - t->base;
}

static bool mirror_has(const uint8_t *here, const void *value, unsigned size)
{
	uint64_t x = 0, y = 0;

	if (size == 4) {
		__builtin_memcpy(&x, here, 4);
		__builtin_memcpy(&y, value, 4);
	} else {
		__builtin_memcpy(&x, here, 8);
		__builtin_memcpy(&y, value, 8);
	}
	return x == y;
}

void mirror_store(struct agent_thread *t, uint64_t address, const void *value, unsigned size)
{
	uint8_t *here = t->mirror + address % TRACE_MIRROR_SIZE;

	if (size == 4)
		__builtin_memcpy(here, value, 4);
	else
		__builtin_memcpy(here, value, 8);
}

uint8_t *mirror_load(struct agent_thread *t, uint64_t address, const void *value, unsigned size,
		     uint8_t *at)
{
	uint64_t number = head_of(t)->insns;

	if (mirror_has(t->mirror + address % TRACE_MIRROR_SIZE, value, size))
		return at;
	mirror_store(t, address, value, size);
	mirror_put_number(t->miss, number - t->missed);
	t->missed = number;
	mirror_leave_number(t, at);
	__builtin_memcpy(at + TRACE_MISS_SIZE, value, 8);
	return at + TRACE_MISS_SIZE + size;
}

void mirror_flushed(struct agent_thread *t)
{
	struct trace_missed *missed = missed_of(t);

	if (!t->mirrors || !t->miss || t->miss == (uint8_t *)&missed->next)
		return;
	missed->next = ~0ull;
	__asm__ volatile("" : : : "memory");
	missed->offset = (uint64_t)t->miss - t->base;
	t->miss = (uint8_t *)&missed->next;
}
