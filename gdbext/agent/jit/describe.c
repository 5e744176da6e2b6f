/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GDB's JIT interface ("JIT Compilation Interface" in its manual). */
#include "gdbext/agent/jit/describe.h"

enum { MOST_NEAR = 1 << 30 }; /* bytes of code near a module that GDB has a name for */

struct jit_code_entry {
	struct jit_code_entry *next, *prev;
	const void *symfile;
	uint64_t size;
};

enum { JIT_NO_ACTION, JIT_REGISTER };

/* GDB finds both by their names. They are hidden, because a program that is a compiler itself
 * has its own and must go on to use them. */
HIDDEN void __jit_debug_register_code(void);
extern HIDDEN struct jit_descriptor {
	uint32_t version, action;
	struct jit_code_entry *relevant, *first;
} __jit_debug_descriptor;

struct jit_descriptor __jit_debug_descriptor = { .version = 1 };

__attribute__((noinline)) void __jit_debug_register_code(void)
{
	__asm__ volatile("" : : : "memory");
}

static struct describe_range range_near_module(const struct agent_module *m)
{
	struct describe_range r = { m->entry_stubs, m->entry_stubs + MOST_NEAR };

	if (!m->size)
		return (struct describe_range){ 0 };
	if (r.from < m->lo && r.to > m->lo)
		r.to = m->lo & ~4095ull;
	return r;
}

void agent_describe(void)
{
	static struct describe symfile = { .magic = DESCRIBE_MAGIC, .sizes = DESCRIBE_SIZES };
	static struct jit_code_entry entry;

	symfile.agent = (uint64_t)&agent;
	symfile.log = agent.jit_log;
	symfile.scratch = agent.jit_scratch;
	symfile.threads =
		(struct describe_range){ BLOCKS_START, BLOCKS_START + MAX_THREADS * BLOCK_STEP };
	for (uint32_t i = 0; i < agent.n_modules; i++)
		symfile.modules[i] = range_near_module(&agent.modules[i]);
	entry = (struct jit_code_entry){ .symfile = &symfile, .size = sizeof symfile };
	__jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &entry;
	__jit_debug_descriptor.action = JIT_REGISTER;
	__jit_debug_register_code();
	__jit_debug_descriptor.action = JIT_NO_ACTION;
}
