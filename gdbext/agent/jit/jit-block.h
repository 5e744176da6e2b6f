/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For jit-block.c and jit-flow.c: a block while it is made. */
#ifndef GDBEXT_AGENT_JIT_JIT_BLOCK_H
#define GDBEXT_AGENT_JIT_JIT_BLOCK_H

#include "gdbext/agent/jit/emit.h"
#include "gdbext/agent/jit/jit.h"

enum { MOST_COLD = JIT_BLOCK_INSNS + 4 };

/* What comes behind the block's straight way. */
enum cold_kind {
	COLD_BRANCH, /* a conditional branch's side: outcome, then .insn */
	COLD_LEAVE,  /* leaves with .insn next */
	COLD_STEP,   /* likewise, which is for step.c */
	COLD_BREAK,  /* likewise, where a debugger has planted something */
	COLD_VALUE,  /* eight bytes */
	COLD_MISS,   /* a load is not what the mirror has */
};

struct miss {
	uint8_t value, place; /* registers: what was loaded, and from where in the mirror */
	uint8_t size;
	bool saved;    /* "log" is .place, and in struct jit_data */
	uint8_t *back; /* where control goes on */
};

struct cold {
	uint8_t *from; /* rel32 that leads here */
	enum cold_kind kind;
	uint32_t insn;
	unsigned log, done;
	uint8_t outcome;
	bool told; /* BRANCH: the outcome is recorded */
	bool onward;
	const uint64_t *counter; /* BRANCH: NULL = none */
	bool flags_borrowed;
	uint64_t value;
	struct miss miss;
};

struct block {
	struct jit_emit e;
	const struct agent_module *m;
	unsigned log, done; /* bytes and instructions so far */
	struct cold cold[MOST_COLD];
	unsigned n_cold;
};

static inline const struct trace_insn *block_insn(const struct block *b, uint32_t number)
{
	return &b->m->insns[number];
}

static inline bool block_is_pinned(unsigned reg)
{
	return reg == jit_log() || reg == jit_scratch();
}

static inline bool block_touches(const struct trace_insn *insn, unsigned reg)
{
	return (insn->use_gpr | insn->out_gpr) >> reg & 1;
}

/* Number of the instruction at a link-time address; false: not traced. */
static inline bool block_find(const struct block *b, uint64_t link, uint32_t *number)
{
	uint32_t found = module_insn(b->m, link + b->m->bias);

	*number = found - 1;
	return found;
}

/* A rel32 follows that leads there. */
static inline struct cold *block_cold(struct block *b, enum cold_kind kind, uint32_t insn)
{
	struct cold *c = &b->cold[b->n_cold++];

	*c = (struct cold){
		.from = b->e.at, .kind = kind, .insn = insn, .log = b->log, .done = b->done
	};
	put4(&b->e.at, 0);
	return c;
}

/* From here on, up to the next one, the guest stands at this instruction. */
static inline void block_stands_at(struct block *b, uint32_t number)
{
	struct jit_region *r = b->e.r;

	r->insns[r->n_insns++] = (struct jit_insn){ .at = (uint32_t)(b->e.at - r->base),
						    .insn = number,
						    .log = (uint16_t)b->log,
						    .done = (uint8_t)b->done };
}

/* The module's counter; NULL for 0. */
static inline const uint64_t *block_counter(const struct block *b, uint32_t counter)
{
	return counter ? &b->e.t->counters[b->m - agent.modules][counter - 1] : NULL;
}

static inline const struct count_insn *block_counts(const struct block *b, uint32_t number)
{
	static const struct count_insn none;

	return agent.counting ? &b->m->counts[number] : &none;
}

/* jit-block.c */
/* Does whatever runs from here on write the flags before it reads them? */
HIDDEN bool block_flags_dead(const struct block *b, uint32_t number);
/* Control leaves before the instruction when it has come to .stop.  All is advanced. */
HIDDEN void block_put_beat(struct block *b, uint32_t number);
/* Before the instruction: what it reads, and its addresses. */
HIDDEN void block_log_operands(struct block *b, const struct trace_insn *insn);

/* jit-mirror.c */
/* Does the code for the mirror need "log" for itself, which is in struct jit_data meanwhile? */
HIDDEN bool block_mirror_takes_log(const struct block *b, const struct trace_insn *insn);
/* Before the instruction, which reads what is mirrored. */
HIDDEN void block_put_mirror_look(struct block *b, const struct trace_insn *insn, uint32_t number);
/* The same around it, where it loads into a register; false: use the other one. */
HIDDEN bool block_mirrors_load(const struct block *b, const struct trace_insn *insn);
HIDDEN void block_put_mirror_place(struct block *b, const struct trace_insn *insn);
HIDDEN void block_put_mirror_load(struct block *b, const struct trace_insn *insn, uint32_t next);
/* After the instruction, which writes it. */
HIDDEN void block_put_mirror_store(struct block *b, const struct trace_insn *insn);
HIDDEN void block_put_miss(struct block *b, const struct cold *c);

/* jit-flow.c */
/* Before the instruction. */
HIDDEN void block_put_count(struct block *b, const uint64_t *counter, uint32_t number);
/* True when the block goes on with *next. */
HIDDEN bool block_put_cond(struct block *b, uint32_t number, uint32_t *next);
HIDDEN void block_put_call(struct block *b, const struct trace_insn *insn);
/* Returns, computed jumps and calls. */
HIDDEN void block_put_indirect(struct block *b, uint32_t number);
/* The block ends with what is at next; onward: at a higher address. */
HIDDEN void block_put_end(struct block *b, uint32_t next, bool onward);
/* The same, to an address that is not higher: once in a while control leaves there, so that the
 * record tells of loops that add nothing to it. */
HIDDEN void block_put_back(struct block *b, uint32_t next);
HIDDEN void block_put_cold(struct block *b, const struct cold *c);
/* rax and the flags are the guest's again. */
HIDDEN void block_put_flags_back(struct jit_emit *e);

#endif
