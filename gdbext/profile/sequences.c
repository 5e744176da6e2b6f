/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short-circuit evaluation: the branches of `a && b || c' are a chain of blocks,
 * each of which has the other way out in common with those before it:
 *
 *     a: je c        chain a, b: both lead to c when false
 *     b: jne body    sequences FF (to c), FT (to the body) …
 *     c: je else     … has two ways in
 *
 * As each block of a chain has one way in, the sequence that ends with one of its outcomes
 * was gone through as often as that outcome was met.
 */
#include "gdbext/profile/private.h"

struct chain {
	struct code *code;
	const struct code_function *f;
	bool *done;					 /* blocks that are in a chain */
	const unsigned *n_in;				 /* edges into each block of the function */
	uint32_t blocks[LIMIT_MOST_sequence_conditions]; /* ids */
	unsigned from[LIMIT_MOST_sequence_conditions];	 /* the condition before, and its outcome */
	unsigned outcome[LIMIT_MOST_sequence_conditions];
	unsigned n;
};

enum { NOWHERE = -1 };

static struct code_block *block_of(const struct chain *c, uint32_t id)
{
	return code_block(c->code, c->f->first_block + id);
}

/* Id of the block that an outcome (0 = taken) leads to, NOWHERE = out of the function. */
static int64_t way_out(const struct chain *c, uint32_t id, unsigned outcome)
{
	const struct code_block *b = block_of(c, id);
	const struct trace_insn *last =
		&c->code->insns[code_piece(c->code, b->first_piece + b->n_pieces - 1)->end - 1];
	uint64_t to = outcome ? last->addr + last->length : last->target;

	for (uint32_t k = 0; k < b->image->n_succ; k++)
		if (c->f->cfg->blocks[b->image->succ[k]].lo == to)
			return b->image->succ[k];
	return NOWHERE;
}

static unsigned line_of_outcome(const struct chain *c, const struct code_block *b, unsigned k)
{
	return g_array_index(c->code->segments, struct segment, b->first_segment + k).unit_line;
}

/* Does the block belong to the chain?  It ends in a branch, all of it is on the chain's line, it
 * is reached from one block only, and no other chain has it yet. */
static bool is_branch_of_chain(const struct chain *c, uint32_t id)
{
	const struct code_block *b = block_of(c, id), *first = block_of(c, c->blocks[0]);
	unsigned line = line_of_outcome(c, first, first->n_segments - 1);

	if (b->predicate == UNIT_NONE || c->done[id] || c->n_in[id] != 1)
		return false;
	for (unsigned k = 0; k < b->n_segments; k++)
		if (line_of_outcome(c, b, k) != line)
			return false;
	return true;
}

/* Has block id, or a condition that can only follow it, a way out in common with
 * conditions 0 … i?  In `a && (b || c)' it is c that has. */
static bool shares_way(const struct chain *c, unsigned i, uint32_t id, unsigned depth)
{
	for (unsigned k = 0; k < 2; k++) {
		int64_t way = way_out(c, id, k);

		for (unsigned n = 0; n <= i; n++)
			for (unsigned outcome = 0; outcome < 2; outcome++)
				if (way >= 0 && c->blocks[n] != id &&
				    way == way_out(c, c->blocks[n], outcome))
					return true;
		if (way > 0 && depth && is_branch_of_chain(c, (uint32_t)way) &&
		    shares_way(c, i, (uint32_t)way, depth - 1))
			return true;
	}
	return false;
}

/* The chain goes on through condition i's outcome. */
static bool leads_on(const struct chain *c, unsigned i, unsigned outcome, uint32_t *id)
{
	int64_t next = way_out(c, c->blocks[i], outcome),
		other = way_out(c, c->blocks[i], !outcome);

	if (next <= 0 || next == other || c->n >= c->code->limits->sequence_conditions ||
	    !is_branch_of_chain(c, (uint32_t)next))
		return false;
	for (unsigned n = 0; n < c->n; n++)
		if (c->blocks[n] == next)
			return false;
	*id = (uint32_t)next;
	return shares_way(c, i, *id, (unsigned)c->code->limits->sequence_depth);
}

static void grow_chain(struct chain *c)
{
	for (unsigned i = 0; i < c->n; i++)
		for (unsigned outcome = 0; outcome < 2; outcome++) {
			uint32_t id;

			if (!leads_on(c, i, outcome, &id))
				continue;
			c->from[c->n] = i;
			c->outcome[c->n] = outcome;
			c->blocks[c->n++] = id;
		}
}

static unsigned name_way(const struct chain *c, struct units *u, unsigned i, unsigned outcome)
{
	char text[LIMIT_MOST_sequence_conditions + 1] = "";

	for (unsigned n = 0; n < c->n; n++)
		text[n] = '-';
	text[i] = outcome ? 'F' : 'T';
	for (; i; i = c->from[i])
		text[c->from[i]] = c->outcome[i] ? 'F' : 'T';
	return units_sequence(u, block_of(c, c->blocks[0])->predicate, text);
}

static bool goes_on_in_chain(const struct chain *c, unsigned i, unsigned outcome)
{
	for (unsigned n = 1; n < c->n; n++)
		if (c->from[n] == i && c->outcome[n] == outcome)
			return true;
	return false;
}

static void name_chain(struct chain *c, struct units *u)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct code_block *b = block_of(c, c->blocks[i]);

		c->done[c->blocks[i]] = true;
		for (unsigned outcome = 0; outcome < 2; outcome++)
			if (!goes_on_in_chain(c, i, outcome))
				b->sequence[outcome] = name_way(c, u, i, outcome);
	}
}

void code_sequences(struct code *code, struct units *u, const struct code_function *f)
{
	uint32_t n = f->cfg->n_blocks;
	g_autofree unsigned *n_in = g_new0(unsigned, n + 1);
	g_autofree bool *done = g_new0(bool, n + 1);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < f->cfg->blocks[i].n_succ; k++)
			n_in[f->cfg->blocks[i].succ[k]]++;
	for (uint32_t i = 0; i < n; i++) {
		struct chain c = {
			.code = code, .f = f, .done = done, .n_in = n_in, .blocks = { i }, .n = 1
		};

		if (done[i] || block_of(&c, i)->predicate == UNIT_NONE)
			continue;
		grow_chain(&c);
		name_chain(&c, u);
	}
}
