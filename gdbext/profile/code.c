/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the counters are. */
#include "gdbext/profile/private.h"

enum { EDGES_AT_LEAST = 64, EDGES_OF_JUMP = 16 };

unsigned code_insn(const struct code *code, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(code->image, addr);

	return insn ? (unsigned)(insn - code->insns) : UNIT_NONE;
}

static bool is_call_in_profile(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

static void count_piece(struct code *code, struct piece *p)
{
	const struct trace_insn *last = &code->insns[p->end - 1];

	p->counter = code->n_counters;
	switch (last->flow) {
	case TRACE_FLOW_COND:
		p->kind = PIECE_COND;
		code->counts[p->end - 1].leave = p->counter + 1;
		code->n_counters += 2;
		break;
	case TRACE_FLOW_JUMP_IND:
		p->kind = PIECE_JUMP;
		code->counts[p->end - 1].leave = 1;
		break;
	default:
		p->kind = PIECE_COUNTED;
		code->counts[p->first].enter = p->counter + 1;
		code->n_counters++;
		break;
	}
}

static void add_code_piece(struct code *code, uint32_t first, uint32_t end)
{
	struct piece p = { .lo = code->insns[first].addr,
			   .last = code->insns[end - 1].addr,
			   .first = first,
			   .end = end };

	count_piece(code, &p);
	g_array_append_val(code->pieces, p);
}

static void add_code_pieces(struct code *code, struct code_block *b)
{
	uint32_t first = code_insn(code, b->image->lo), at = first;

	b->first_piece = code->pieces->len;
	while (at < code->n_insns && code->insns[at].addr < b->image->hi) {
		if (!is_call_in_profile(&code->insns[at++]))
			continue;
		add_code_piece(code, first, at);
		first = at;
	}
	if (at > first)
		add_code_piece(code, first, at);
	b->n_pieces = code->pieces->len - b->first_piece;
}

static void add_profiled_function(struct code *code, const struct image_function *f)
{
	struct code_function made = { .cfg = image_cfg(code->image, f),
				      .first_block = code->blocks->len };

	for (uint32_t i = 0; i < made.cfg->n_blocks; i++) {
		struct code_block b = { .image = &made.cfg->blocks[i],
					.function = code->functions->len,
					.predicate = UNIT_NONE,
					.sequence = { UNIT_NONE, UNIT_NONE } };

		add_code_pieces(code, &b);
		g_array_append_val(code->blocks, b);
	}
	g_array_append_val(code->functions, made);
}

/* Room for the targets of computed jumps in their hash table. */
static void make_code_edges(struct code *code)
{
	const uint64_t *targets;
	uint64_t table, size;
	size_t n = 0, jumps = 0;

	for (size_t i = 0; i < code->n_insns; i++)
		if (code->counts[i].leave && code->insns[i].flow == TRACE_FLOW_JUMP_IND) {
			n += 2 * image_jump_targets(code->image, code->insns[i].addr, &targets,
						    &table, &size);
			jumps++;
		}
	code->n_edges = jumps ? (uint32_t)(n + EDGES_OF_JUMP * jumps + EDGES_AT_LEAST) : 0;
}

struct code *code_new(const struct image *im, const struct limits *limits)
{
	struct code *code = g_new0(struct code, 1);
	const struct image_function *functions;
	size_t n = image_functions(im, &functions);

	code->limits = limits;
	code->image = im;
	code->n_insns = image_insns(im, &code->insns);
	code->counts = g_new0(struct count_insn, code->n_insns + 1);
	code->functions = g_array_new(FALSE, FALSE, sizeof(struct code_function));
	code->blocks = g_array_new(FALSE, FALSE, sizeof(struct code_block));
	code->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	code->segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	code->edges = g_array_new(FALSE, FALSE, sizeof(unsigned));
	for (size_t i = 0; i < n; i++)
		if (!functions[i].parent)
			add_profiled_function(code, &functions[i]);
	make_code_edges(code);
	return code;
}

void code_free(struct code *code)
{
	if (!code)
		return;
	g_array_unref(code->functions);
	g_array_unref(code->blocks);
	g_array_unref(code->pieces);
	g_array_unref(code->segments);
	g_array_unref(code->edges);
	g_free(code->counts);
	g_free(code);
}
