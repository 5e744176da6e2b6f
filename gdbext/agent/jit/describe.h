/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the agent tells GDB of the code that it makes (__jit_debug_descriptor),
 * for gdbext/jitreader.  One entry for all of it, registered once, before there
 * is any: the symbol file is a struct describe, which says where the live tables
 * are.  The reader takes from them what it needs when a stack is unwound, so
 * making code costs nothing more.  Reader and agent share the structures
 * of agent.h and jit.h and must be of one build.
 */
#ifndef GDBEXT_AGENT_JIT_DESCRIBE_H
#define GDBEXT_AGENT_JIT_DESCRIBE_H

#include "gdbext/agent/jit/jit.h"

#define DESCRIBE_MAGIC "gwcode1"
#define DESCRIBE_SIZES                                                                          \
	{                                                                                       \
		sizeof(struct agent), sizeof(struct agent_module), sizeof(struct agent_thread), \
			sizeof(struct trace_head), sizeof(struct jit_region),                   \
			sizeof(struct jit_data), sizeof(struct jit_insn),                       \
			sizeof(struct trace_insn)                                               \
	}

struct describe_range {
	uint64_t from, to;
};

struct describe {
	char magic[8];
	uint32_t sizes[8];    /* DESCRIBE_SIZES */
	uint64_t agent;	      /* struct agent */
	uint8_t log, scratch; /* jit_log(), jit_scratch(); unused without the engine "jit" */
	uint8_t pad[6];
	struct describe_range threads;			  /* blocks of threads, BLOCK_STEP apart */
	struct describe_range modules[TRACE_MAX_MODULES]; /* code near them; empty = none */
};

#endif
