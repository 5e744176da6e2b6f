/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for what is counted. */
#include "gdbext/profile/private.h"

static void add_segments(struct code *code, struct units *u, struct code_block *b)
{
	const struct image_statement *before = NULL;

	b->first_segment = code->segments->len;
	for (unsigned k = 0; k < b->n_pieces; k++) {
		const struct piece *p = code_piece(code, b->first_piece + k);

		for (uint32_t i = p->first; i < p->end; i++) {
			const struct image_row *row =
				image_row_at(code->image, code->insns[i].addr);
			const struct image_statement *is =
				row ? image_statement(code->image, row->statement) : NULL;
			struct segment s = { .insn = i, .piece = b->first_piece + k };

			if (!is || is == before)
				continue;
			before = is;
			s.unit_line = units_line(u, is->file, is->line);
			s.unit = units_add_statement(u, s.unit_line, b->unit);
			g_array_append_val(code->segments, s);
		}
	}
	b->n_segments = code->segments->len - b->first_segment;
}

static void add_predicate(struct code *code, struct units *u, struct code_block *b)
{
	unsigned last = b->first_segment + b->n_segments;

	if (!b->n_segments ||
	    code_piece(code, b->first_piece + b->n_pieces - 1)->kind != PIECE_COND)
		return;
	b->predicate = units_add_predicate(
		u, g_array_index(code->segments, struct segment, last - 1).unit, 2);
}

static void add_unit_edge(struct code *code, struct units *u, unsigned from, unsigned to)
{
	unsigned edge = units_edge(u, from, to);

	g_array_append_val(code->edges, edge);
}

static void add_function_edges(struct code *code, struct units *u, const struct code_function *f)
{
	for (uint32_t i = 0; i < f->cfg->n_blocks; i++) {
		struct code_block *b = code_block(code, f->first_block + i);

		b->first_edge = code->edges->len;
		for (uint32_t k = 0; k < b->image->n_succ; k++)
			add_unit_edge(code, u, b->unit,
				      code_block(code, f->first_block + b->image->succ[k])->unit);
		if (b->image->returns)
			add_unit_edge(code, u, b->unit, f->unit_out);
	}
}

static void name_function(struct code *code, struct units *u, struct code_function *f)
{
	f->unit_in = units_add_block(u, true);
	for (uint32_t i = 0; i < f->cfg->n_blocks; i++) {
		struct code_block *b = code_block(code, f->first_block + i);

		b->unit = units_add_block(u, false);
		add_segments(code, u, b);
		add_predicate(code, u, b);
	}
	f->unit_out = units_add_block(u, true);
	if (f->cfg->n_blocks)
		f->edge_in = units_edge(u, f->unit_in, code_block(code, f->first_block)->unit);
	add_function_edges(code, u, f);
	code_sequences(code, u, f);
}

struct units *code_units(struct code *code)
{
	struct units *u = units_new();

	for (guint i = 0; i < code->functions->len; i++)
		name_function(code, u, &g_array_index(code->functions, struct code_function, i));
	return u;
}
