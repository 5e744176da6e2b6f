/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From counters to units. */
#include "gdbext/profile/private.h"

struct derivation {
	const struct code *code;
	struct units *units;
	const struct counts *counts;
	struct spectrum *s;
	guint64 *started;   /* each piece */
	guint64 *completed; /* each piece: to its last instruction */
	guint64 *in;	    /* of each block: along edges whose source tells */
	guint64 *out;	    /* of each block */
	guint64 *jumps;	    /* each piece that ends in a computed jump */
};

static guint64 faults_in(const struct derivation *d, uint32_t from, uint32_t to)
{
	guint64 n = 0;

	for (uint32_t i = from; d->counts->summary.faults && i < to; i++)
		n += d->counts->faults[i];
	return n;
}

static void sum_jumps(struct derivation *d)
{
	g_autofree guint64 *of_insn = g_new0(guint64, d->code->n_insns + 1);
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, d->counts->edges);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const guint64 *edge = value;

		of_insn[(edge[1] >> 32) - 1] += edge[0];
	}
	for (guint i = 0; i < d->code->pieces->len; i++)
		d->jumps[i] = of_insn[code_piece(d->code, i)->end - 1];
}

static void find_derived_pieces(struct derivation *d)
{
	for (guint i = 0; i < d->code->pieces->len; i++) {
		const struct piece *p = code_piece(d->code, i);
		const guint64 *counter = &d->counts->counters[p->counter];
		guint64 faults = faults_in(d, p->first, p->end);

		if (p->kind == PIECE_COUNTED) {
			d->started[i] = counter[0];
			d->completed[i] = counter[0] - MIN(counter[0], faults);
		} else {
			d->completed[i] =
				p->kind == PIECE_COND ? counter[0] + counter[1] : d->jumps[i];
			d->started[i] = d->completed[i] + faults;
		}
	}
}

/* ---- edges ---- */

static void go_along(struct derivation *d, unsigned edge, unsigned from, unsigned to, guint64 times)
{
	if (!times)
		return;
	spectrum_add(d->s, SPECTRUM_EDGE, edge, times);
	if (from != UNIT_NONE)
		d->out[from] += times;
	if (to != UNIT_NONE)
		d->in[to] += times;
}

/* Adds the edge to the block at this address, or the one that leaves the function. */
static void add_edge_to(struct derivation *d, unsigned from, uint64_t addr, guint64 times)
{
	const struct code_block *b = code_block(d->code, from);
	const struct code_function *f =
		&g_array_index(d->code->functions, struct code_function, b->function);
	unsigned edge;

	if (!times)
		return;
	for (uint32_t k = 0; k < b->image->n_succ; k++) {
		uint32_t id = b->image->succ[k];

		if (f->cfg->blocks[id].lo != addr)
			continue;
		edge = g_array_index(d->code->edges, unsigned, b->first_edge + k);
		go_along(d, edge, from, f->first_block + id, times);
		return;
	}
	edge = b->image->returns
		       ? g_array_index(d->code->edges, unsigned, b->first_edge + b->image->n_succ)
		       : units_edge(d->units, b->unit, f->unit_out);
	go_along(d, edge, from, UNIT_NONE, times);
}

/* A computed jump to a place that its table does not tell of. */
static void go_where_it_went(struct derivation *d, unsigned from, const guint64 *jump)
{
	const struct code_block *b = code_block(d->code, from);
	const struct code_function *f =
		&g_array_index(d->code->functions, struct code_function, b->function);
	uint32_t to = (uint32_t)jump[1];
	uint64_t addr = to ? d->code->insns[to - 1].addr : 0;
	const struct image_block *target =
		to ? image_block_at(d->code->image, f->cfg->function, addr) : NULL;

	for (uint32_t k = 0; k < b->image->n_succ; k++)
		if (target && b->image->succ[k] == target->id)
			target = NULL;
	if (target && target->lo == addr && jump[0])
		go_along(d,
			 units_edge(d->units, b->unit,
				    code_block(d->code, f->first_block + target->id)->unit),
			 from, f->first_block + target->id, jump[0]);
	else
		add_edge_to(d, from, addr, jump[0]);
}

static void follow_jumps(struct derivation *d, const unsigned *block_of_insn)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, d->counts->edges);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const guint64 *jump = value;
		unsigned from = block_of_insn[(jump[1] >> 32) - 1];

		if (from != UNIT_NONE)
			go_where_it_went(d, from, jump);
	}
}

static bool is_call_edge(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

static const struct trace_insn *last_insn_of_block(const struct derivation *d,
						   const struct code_block *b)
{
	return &d->code->insns[code_piece(d->code, b->first_piece + b->n_pieces - 1)->end - 1];
}

/* All edges but those of computed jumps and of calls that come back to another
 * block. */
static void follow_block(struct derivation *d, unsigned i)
{
	const struct code_block *b = code_block(d->code, i);
	unsigned last_piece = b->first_piece + b->n_pieces - 1;
	const struct piece *p = code_piece(d->code, last_piece);
	const struct trace_insn *last = last_insn_of_block(d, b);
	guint64 times = d->completed[last_piece];

	if (p->kind == PIECE_COND) {
		const guint64 *outcomes = &d->counts->counters[p->counter];

		add_edge_to(d, i, last->target, outcomes[0]);
		add_edge_to(d, i, last->addr + last->length, outcomes[1]);
	} else if (last->flow == TRACE_FLOW_JUMP) {
		add_edge_to(d, i, last->target, times);
	} else if (last->flow == TRACE_FLOW_RET) {
		add_edge_to(d, i, 0, times);
	} else if (last->flow == TRACE_FLOW_NONE && !b->image->stops) {
		add_edge_to(d, i, last->addr + last->length, times);
	}
}

/* What came into the block behind a call's but by no other way, came back from the call. */
static void follow_return(struct derivation *d, unsigned i)
{
	const struct code_block *b = code_block(d->code, i);
	unsigned to;

	if (!is_call_edge(last_insn_of_block(d, b)) || b->image->n_succ != 1)
		return;
	to = g_array_index(d->code->functions, struct code_function, b->function).first_block +
	     b->image->succ[0];
	if (d->started[code_block(d->code, to)->first_piece] > d->in[to])
		add_edge_to(d, i, code_block(d->code, to)->image->lo,
			    d->started[code_block(d->code, to)->first_piece] - d->in[to]);
}

static unsigned *blocks_of_jumps(const struct code *code)
{
	unsigned *of = g_new(unsigned, code->n_insns + 1);

	for (size_t i = 0; i < code->n_insns; i++)
		of[i] = UNIT_NONE;
	for (guint i = 0; i < code->blocks->len; i++) {
		const struct code_block *b = code_block(code, i);
		const struct piece *p = code_piece(code, b->first_piece + b->n_pieces - 1);

		if (p->kind == PIECE_JUMP)
			of[p->end - 1] = i;
	}
	return of;
}

static void follow_all(struct derivation *d)
{
	const struct code *code = d->code;
	g_autofree unsigned *block_of_insn = NULL;

	for (guint i = 0; i < code->blocks->len; i++)
		follow_block(d, i);
	if (g_hash_table_size(d->counts->edges)) {
		block_of_insn = blocks_of_jumps(code);
		follow_jumps(d, block_of_insn);
	}
	for (guint i = 0; i < code->blocks->len; i++)
		follow_return(d, i);
	for (guint i = 0; i < code->functions->len; i++) {
		const struct code_function *f =
			&g_array_index(code->functions, struct code_function, i);
		guint64 times = f->cfg->n_blocks
					? d->started[code_block(code, f->first_block)->first_piece]
					: 0;

		if (times > d->in[f->first_block])
			go_along(d, f->edge_in, UNIT_NONE, f->first_block,
				 times - d->in[f->first_block]);
	}
}

/* ---- what is in a block ---- */

static void add_derived_block(struct derivation *d, unsigned i)
{
	const struct code_block *b = code_block(d->code, i);
	guint64 times = d->started[b->first_piece];

	if (times)
		spectrum_add(d->s, SPECTRUM_BLOCK, b->unit, times);
	if (times > d->out[i])
		spectrum_add(d->s, SPECTRUM_CRASH, b->unit, times - d->out[i]);
	for (unsigned k = 0; k < b->n_segments; k++) {
		const struct segment *g =
			&g_array_index(d->code->segments, struct segment, b->first_segment + k);
		const struct piece *p = code_piece(d->code, g->piece);
		guint64 before = faults_in(d, p->first, g->insn);

		if (d->started[g->piece] > before)
			spectrum_add(d->s, SPECTRUM_STATEMENT, g->unit,
				     d->started[g->piece] - before);
	}
}

static void add_outcomes(struct derivation *d, const struct code_block *b)
{
	const struct piece *p = code_piece(d->code, b->first_piece + b->n_pieces - 1);
	const guint64 *outcomes = &d->counts->counters[p->counter];
	unsigned first;

	if (b->predicate == UNIT_NONE)
		return;
	first = g_array_index(d->units->predicates, struct unit_predicate, b->predicate).first;
	for (unsigned k = 0; k < 2; k++) {
		if (!outcomes[k])
			continue;
		spectrum_add(d->s, SPECTRUM_OUTCOME, first + k, outcomes[k]);
		if (b->sequence[k] != UNIT_NONE)
			spectrum_add(d->s, SPECTRUM_SEQUENCE, b->sequence[k], outcomes[k]);
	}
}

void counts_derive(const struct code *code, struct units *u, const struct counts *counts,
		   struct spectrum *s)
{
	guint n_pieces = code->pieces->len + 1, n_blocks = code->blocks->len + 1;
	g_autofree guint64 *started = g_new0(guint64, n_pieces);
	g_autofree guint64 *completed = g_new0(guint64, n_pieces);
	g_autofree guint64 *jumps = g_new0(guint64, n_pieces);
	g_autofree guint64 *in = g_new0(guint64, n_blocks), *out = g_new0(guint64, n_blocks);
	struct derivation d = { .code = code,
				.units = u,
				.counts = counts,
				.s = s,
				.started = started,
				.completed = completed,
				.in = in,
				.out = out,
				.jumps = jumps };

	if (g_hash_table_size(counts->edges))
		sum_jumps(&d);
	find_derived_pieces(&d);
	follow_all(&d);
	for (guint i = 0; i < code->blocks->len; i++) {
		add_derived_block(&d, i);
		add_outcomes(&d, code_block(code, i));
	}
}
