/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recorder, without its part that takes over a process (start, signals, the unwinder), in a
 * test program: it records functions that stand in a piece of memory, and the test calls them.
 * Only tests in tests/gdbext/agent are linked with it.
 *
 *     hosted_new(code, size, flags)       the code, as a module of a plan
 *     hosted_function(h, from, to) ...    which of it is traced, in ascending order
 *     hosted_start(h)                     entries lead to the recorder
 *     hosted_free(h)
 */
#ifndef TESTS_SUPPORT_HOSTED_H
#define TESTS_SUPPORT_HOSTED_H

#include "gdbext/agent/agent.h"

#include <glib.h>

enum { HOSTED_LINK = 0x1000, HOSTED_MOST = 1 << 16 };

struct hosted {
	char *folder;  /* of the record */
	uint8_t *code; /* where the program has it; link-time address HOSTED_LINK */
	uint8_t *file; /* the same as in its file */
	size_t size;
	struct trace_plan plan;
	struct trace_plan_module module;
	GArray *insns;	 /* struct trace_insn */
	GArray *entries; /* uint64_t */
	uint32_t *index;
	GArray *counts;	 /* struct count_insn, filled by the test */
	GArray *actions; /* struct trace_action, filled by the test */
};

/* flags: TRACE_RECORD and the like.  There is one at a time. */
struct hosted *hosted_new(const uint8_t *code, size_t size, uint32_t flags);
/* Bytes [from, to) are a traced function. */
void hosted_function(struct hosted *h, size_t from, size_t to);
/* The modules are known to the agent; nothing is patched. */
void hosted_load(struct hosted *h);
/* The same, and entries are patched. */
void hosted_start(struct hosted *h);
void hosted_free(struct hosted *h);

/* The instruction that stands there. */
const struct trace_insn *hosted_insn(const struct hosted *h, size_t at);
static inline uint64_t hosted_address(const struct hosted *h, size_t at)
{
	return (uint64_t)(uintptr_t)h->code + at;
}

/* A thread that has run nothing yet; its record is made. */
struct agent_thread *hosted_thread(void);
/* Writes bytes into the stream, as an instruction does. */
void hosted_put(struct agent_thread *t, const void *bytes, size_t size);
/* What the stream has, in files and in its window, from the part at that offset in its file. */
GByteArray *hosted_stream(const struct hosted *h, const struct agent_thread *t);

/* How often the agent has given up since hosted_new, instead of ending the process. */
extern unsigned hosted_gave_up;

#endif
