/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile of a test: what the agent counts when the plan says TRACE_COUNT,
 * and the file it counts in.  Counts are of the processor's instructions in the
 * plan's order; what they mean for a source is the reader's business
 * (gdbext/profile).
 *
 * The file is mapped shared, so what was counted survives the process.  It
 * begins with a page with struct counts_head; then come .n_sections sections of
 * .section bytes each, one for each thread of each process (a thread may take
 * over that of one that has ended).  A section has a part for each
 * module of the plan, in its order, each of whole pages:
 *
 *     struct counts_section            in the first part only
 *     uint64_t counters[n_counters]
 *     struct count_edge edges[n_edges] a hash table: by counts_place, then linearly
 *
 * A section is written by one thread without a lock.
 */
#ifndef SOLVER_FORMAT_COUNTS_H
#define SOLVER_FORMAT_COUNTS_H

#include <stdint.h>

#define COUNTS_MAGIC "gwcount"
#define COUNTS_VERSION 1
#define COUNTS_ENV "GDB_WHY_PROFILE" /* the file, absolute */

enum { COUNTS_PAGE = 4096, COUNTS_KEY = 64, COUNTS_FAULTS = 30 };

/* For each instruction of a module, in the plan.  Counters are numbers + 1; 0 =
 * none. */
struct count_insn {
	uint32_t enter; /* counts how often it was started */
	uint32_t leave; /* TRACE_FLOW_COND: how often it was taken; the counter after it, not
			 * taken.  TRACE_FLOW_JUMP_IND: not 0, its targets are counted as edges */
};

/* A computed jump.  from 0 = a free place; to 0 = to code that is not traced,
 * or of another module. */
struct count_edge {
	uint32_t from, to; /* numbers of instructions + 1 */
	uint64_t count;
};

struct count_fault {
	uint32_t module, insn; /* number + 1; 0 = a free place */
	uint64_t count;
};

struct counts_head {
	char magic[8];
	uint32_t version;
	uint32_t n_sections;
	char key[COUNTS_KEY]; /* the plan's; padded with zeros */
	uint64_t section;     /* bytes */
};

struct counts_section {
	uint32_t pid, tid; /* of the thread that had it first */
	uint64_t lost;	   /* computed jumps that found no place in .edges */
	uint64_t faults_lost;
	uint64_t pad;
	/* Instructions that were started and did not complete. */
	struct count_fault faults[COUNTS_FAULTS];
};
_Static_assert(sizeof(struct counts_section) == 512, "layout");

static inline uint64_t counts_part(uint32_t n_counters, uint32_t n_edges, int first)
{
	uint64_t size = (first ? sizeof(struct counts_section) : 0) + 8ull * n_counters +
			(uint64_t)n_edges * sizeof(struct count_edge);

	return (size + COUNTS_PAGE - 1) & ~(uint64_t)(COUNTS_PAGE - 1);
}

/* n_edges is not 0. */
static inline uint32_t counts_place(uint32_t from, uint32_t to, uint32_t n_edges)
{
	return (from * 0x9e3779b1u ^ to * 0x85ebca6bu) % n_edges;
}

#endif
