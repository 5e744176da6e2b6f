/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine "jit": blocks of traced code are copied into a code cache of the
 * thread, with what trace.h has recorded written in between, and linked to each
 * other.  All that is not simple (struct trace_insn without TRACE_INSN_COPY,
 * repetitions, calls of untraced code, actions, the last instructions before a
 * limit) is left to step.c, one instruction at a time, and the record is the
 * same as if it had all been done there.
 *
 * While control is in the cache the guest's registers are in the processor, but
 * for three that the copies need: two general ones (the least used ones of
 * traced code: "log", where the stream goes on, and "scratch") and xmm15, which
 * counts instructions.  What the guest has there is in struct jit_data, which
 * the code reaches relative to itself.  Nothing of ours touches the guest's
 * stack or changes its flags: additions are lea and paddq, comparisons are made
 * where flags are dead, or with lahf.
 *
 * A block starts by comparing "log" with .limit: that is the end of the mapped
 * stream, or 0 when a signal waits.  So signals are taken after one block.
 *
 *     block of   mov -4(%rbp),%eax; cmp $5,%eax; jle 1f
 *
 *         cmp    %r11,limit(%rip)
 *         jbe    leave with this block's first instruction
 *         mov    -4(%rbp),%eax
 *         mov    %eax,0(%r11)             the load
 *         cmp    $5,%eax
 *         jle    taken
 *         movb   $0,4(%r11)               the outcome
 *         …                               goes on with what follows
 *     taken:
 *         movb   $1,4(%r11)
 *         lea    5(%r11),%r11
 *         paddq  three(%rip),%xmm15
 *         jmp    block of 1f, or leave with its number
 *
 * A fault is the guest's own, so the handler finds out which instruction it was
 * (struct jit_insn), takes the registers from the kernel's frame, and step.c
 * executes the instruction once more.
 */
#ifndef GDBEXT_AGENT_JIT_JIT_H
#define GDBEXT_AGENT_JIT_JIT_H

#include "gdbext/agent/agent.h"

enum {
	JIT_BLOCK_INSNS = 64,
	JIT_BLOCK_LOG = 2048, /* bytes that a block can log, but for misses: */
	JIT_BLOCK_MISSES = JIT_BLOCK_INSNS * (TRACE_MISS_SIZE + 8),
	JIT_BLOCK_CODE = 64 << 10,  /* more than its code takes */
	JIT_TABLE = 1 << 16,	    /* places for targets of computed transfers */
	JIT_FLAGS_STACK = 32 << 10, /* a handler may be called on it */
	JIT_BEAT = 1 << 20,	    /* instructions after which loops leave the cache */
	JIT_STEP = 1,		    /* instead of a block: to be left to step.c */
};

/* A page boundary lies between this and the code. */
struct jit_data {
	uint64_t limit, stop;
	uint64_t home_log, home_scratch; /* the guest's */
	uint64_t saved_log;
	uint64_t rax, rcx; /* while they are borrowed */
	uint64_t table;
	uint64_t miss, missed; /* as in struct agent_thread, on entering and leaving */
	uint64_t miss_done, miss_back, miss_log; /* for jit_region.misses */
	uint64_t exit;				 /* number of the exit through which control left */
	uint64_t log;				 /* on entering and leaving */
	uint64_t host_rsp, target;
	_Alignas(16) uint64_t xmm15[2]; /* the guest's */
	uint64_t count[2];		/* on entering and leaving */
	uint64_t counts[JIT_BLOCK_INSNS + 1][2];
	uint8_t flags_stack[JIT_FLAGS_STACK];
	uint64_t flags_top[2];
};

struct jit_target {
	uint64_t minus_addr, code;
};

/* How control leaves a block for good. */
struct jit_exit {
	uint32_t insn; /* number of the one that comes next */
	uint32_t jump; /* where a rel32 stands that can be directed to it, 0 = none */
	bool step;     /* that one is for step.c */
	bool onward;   /* control goes on to a higher address */
	bool planted;  /* is_planted_at() it */
};

enum { JIT_RAX_BORROWED = 1, JIT_RCX_BORROWED = 2 };

/* Ascending .at: for faults, and for GDB, which may stop anywhere.  Where nothing
 * can fault there may be more of them than instructions. */
struct jit_insn {
	uint32_t at; /* where its copy starts, from the region's start */
	uint32_t insn;
	uint16_t log; /* bytes logged and instructions completed in the block before it */
	uint8_t done;
	bool saved_log : 1;   /* "log" is in struct jit_data meanwhile */
	uint8_t borrowed : 2; /* JIT_..._BORROWED: likewise */
	int32_t stack;	      /* to be added to rsp for what it is before the instruction */
};

/* The cache of one thread for one module. */
struct jit_region {
	struct agent_module *module;
	uint8_t *base, *first, *at, *end; /* the code starts at first */
	struct jit_data *data;
	void (*enter)(uint64_t *state);
	uint8_t *leave;
	uint8_t *misses[2]; /* a load of 4 or 8 bytes is not what the mirror has */
	uint32_t *blocks;   /* by number of the instruction: offset of its block, 0, or JIT_STEP */
	uint8_t *heads;	    /* counting: size of the block's comparison with .limit, which may be
			     * left out on the way onward: that comes to an end */
	struct jit_target *table;
	struct jit_exit *exits;
	struct jit_insn *insns;
	uint32_t n_exits, max_exits, n_insns, max_insns;
	uint32_t generation; /* how often it was cleared */
};

/* jit-emit.c */
struct jit_emit {
	uint8_t *at;
	struct agent_thread *t;
	struct jit_region *r;
};

_Static_assert(JIT_BLOCK_LOG + JIT_BLOCK_MISSES < MOST_OF_ONE, "room behind a window's limit");

/* From here on the last struct jit_insn goes on with these. */
static inline void jit_mark(struct jit_emit *e, unsigned borrowed, int32_t stack)
{
	struct jit_region *r = e->r;
	struct jit_insn now = r->insns[r->n_insns - 1];

	now.at = (uint32_t)(e->at - r->base);
	now.borrowed = borrowed & 3;
	now.stack = stack;
	r->insns[r->n_insns++] = now;
}

/* The pinned registers; numbers. */
static inline unsigned jit_log(void)
{
	return agent.jit_log;
}
static inline unsigned jit_scratch(void)
{
	return agent.jit_scratch;
}

/* mov between a general register and a word of struct jit_data */
HIDDEN void jit_put_get(struct jit_emit *e, unsigned reg, const uint64_t *from);
HIDDEN void jit_put_set(struct jit_emit *e, unsigned reg, const uint64_t *to);
/* opcode (with /reg) on a word of struct jit_data, 64 bits */
HIDDEN void jit_put_on(struct jit_emit *e, unsigned opcode, unsigned reg, const void *at);
/* The size low bytes of a general register to the stream, off bytes on. */
HIDDEN void jit_put_log(struct jit_emit *e, unsigned reg, unsigned size, unsigned off);
HIDDEN void jit_put_log_byte(struct jit_emit *e, uint8_t value, unsigned off);
HIDDEN void jit_put_log_vector(struct jit_emit *e, unsigned reg, unsigned size, unsigned off);
HIDDEN void jit_put_log_flags(struct jit_emit *e, unsigned off);
/* The operand's address, or size bytes skip bytes into it, to the scratch register.
 * What the guest has in the pinned registers is taken from its home. */
HIDDEN void jit_put_operand(struct jit_emit *e, const struct trace_mem *m, bool address,
			    unsigned size, unsigned skip);
HIDDEN void jit_put_move(struct jit_emit *e, unsigned to, unsigned from);
HIDDEN void jit_put_advance(struct jit_emit *e, unsigned log, unsigned insns);
/* lea delta(%rsp),%rsp */
HIDDEN void jit_put_stack(struct jit_emit *e, int32_t delta);
/* "scratch" holds a guest address: its code there instead, or, when it is not in
 * the table with key added, to miss (a rel32 at the result, to be filled in). */
HIDDEN uint8_t *jit_put_lookup(struct jit_emit *e, uint64_t key);
/* times more in the counter.  flags_dead: nobody wants them. */
HIDDEN void jit_put_count(struct jit_emit *e, const uint64_t *counter, int times, bool flags_dead);
/* The operand of a jump to where a word of struct jit_data says. */
HIDDEN void jit_put_target(struct jit_emit *e, const uint64_t *at);
HIDDEN void jit_put_rel32(uint8_t *at, const uint8_t *to);
/* The code for entering and leaving. */
HIDDEN void jit_put_frame(struct jit_emit *e);
/* jit-mirror.c: the code for a miss. */
HIDDEN void jit_put_misses(struct jit_emit *e);

/* The targets of a computed jump are counted under keys of its own: this number is added to
 * their addresses.  0 = the jump's targets cannot be counted. */
static inline uint64_t jit_key(uint32_t number)
{
	return number < 0xffff ? (uint64_t)(number + 1) << 48 | (number * 0x9e35 & 0xffff) : 0;
}

/* jit-block.c, jit-flow.c: makes the block that starts with this instruction; what .blocks
 * then says.  Needs room. */
HIDDEN uint32_t jit_translate(struct agent_thread *t, struct jit_region *r, uint32_t number);
/* Code that counts and goes on there.  Needs room. */
HIDDEN uint32_t jit_put_edge(struct agent_thread *t, struct jit_region *r, const uint64_t *counter,
			     uint32_t code);

#endif
