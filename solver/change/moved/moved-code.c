/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/moved/moved-code.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/mutant-insn.h"

#include <string.h>

const struct trace_insn *moved_insn_behind(const struct image *im, const struct trace_insn *insn)
{
	return image_insn_at(im, insn->addr + insn->length);
}

/* Is it a branch to a place of the moved code, or to its end? */
static bool stays_in_moved(const struct trace_insn *insn, const struct moved *m)
{
	return (insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP) &&
	       insn->target >= m->from && insn->target <= m->to;
}

/* Control leaves it at its end only. */
static bool is_in_one_piece(const struct image *im, const struct moved *m)
{
	const struct trace_insn *insn = image_insn_at(im, m->from);

	for (; insn && insn->addr < m->to; insn = moved_insn_behind(im, insn))
		if (insn->flow != TRACE_FLOW_NONE && insn->flow != TRACE_FLOW_CALL &&
		    !stays_in_moved(insn, m))
			return false;
	return insn && insn->addr == m->to && m->to > m->from;
}

/* A branch in the piece that leads to a place of it. */
struct inner_branch {
	unsigned at; /* its four bytes of distance */
	uint64_t target;
};

static bool put_inner_branch(struct code_piece *c, const struct trace_insn *insn,
			     const uint8_t *now, GArray *branches)
{
	const uint8_t jump[] = { 0xe9 },
		      branch[] = { 0x0f, (uint8_t)(0x80 | (now[now[0] == 0x0f] & 15)) };
	const struct inner_branch b = { c->size + (insn->flow == TRACE_FLOW_JUMP ? 1 : 2),
					insn->target };
	const uint8_t distance[4] = { 0 };

	g_array_append_val(branches, b);
	return (insn->flow == TRACE_FLOW_JUMP ? code_piece_bytes(c, jump, sizeof jump)
					      : code_piece_bytes(c, branch, sizeof branch)) &&
	       code_piece_bytes(c, distance, sizeof distance);
}

/* The instruction with the one variable where it has the other. */
static bool put_with_exchanged(struct code_piece *c, const struct image *im, const struct moved *m,
			       uint64_t addr)
{
	struct insn in;
	uint8_t bytes[16];
	int64_t disp;

	if (!mutant_decode(im, addr, &in))
		return false;
	memcpy(bytes, in.bytes, in.i.length);
	disp = in.i.raw.disp.value;
	for (unsigned i = 0; i < in.i.operand_count_visible; i++)
		for (unsigned k = 0; k < G_N_ELEMENTS(m->exchanged); k++) {
			const int64_t into = disp - m->exchanged[k],
				      to = m->exchanged[1 - k] + into;

			if (in.o[i].type != ZYDIS_OPERAND_TYPE_MEMORY ||
			    in.o[i].mem.base != ZYDIS_REGISTER_RBP || into < 0 ||
			    (uint64_t)into >= m->size)
				continue;
			if (in.i.raw.disp.size == 8 && to != (int8_t)to)
				return false;
			memcpy(bytes + in.i.raw.disp.offset, &to, in.i.raw.disp.size / 8);
		}
	return code_piece_insns(c, bytes, in.i.length, addr);
}

/* Appends the moved code. */
static bool put_moved(struct code_piece *c, const struct image *im, const struct moved *m)
{
	g_autoptr(GArray) branches = g_array_new(FALSE, FALSE, sizeof(struct inner_branch));
	g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
	const struct trace_insn *insn = image_insn_at(im, m->from);

	for (; insn && insn->addr < m->to; insn = moved_insn_behind(im, insn)) {
		size_t avail = 0;
		const uint8_t *now = image_bytes(im, insn->addr, &avail);

		g_hash_table_insert(places, GSIZE_TO_POINTER(insn->addr),
				    GUINT_TO_POINTER(c->size));
		if (!now || avail < insn->length ||
		    !(stays_in_moved(insn, m) ? put_inner_branch(c, insn, now, branches)
		      : m->size		      ? put_with_exchanged(c, im, m, insn->addr)
					      : code_piece_insns(c, now, insn->length, insn->addr)))
			return false;
	}
	g_hash_table_insert(places, GSIZE_TO_POINTER(m->to), GUINT_TO_POINTER(c->size));
	for (guint i = 0; i < branches->len; i++) {
		const struct inner_branch *b = &g_array_index(branches, struct inner_branch, i);
		gpointer to;
		int32_t distance;

		if (!g_hash_table_lookup_extended(places, GSIZE_TO_POINTER(b->target), NULL, &to))
			return false;
		distance = (int32_t)GPOINTER_TO_UINT(to) - (int32_t)(b->at + 4);
		memcpy(c->bytes + b->at, &distance, sizeof distance);
	}
	return true;
}

struct mutant moved_mutant_at(const struct trace_insn *insn, struct code_piece *piece,
			      const char *words)
{
	return (struct mutant){ .kind = MUTANT_ORDER,
				.addr = insn->addr,
				.length = insn->length,
				.piece = piece,
				.words = words };
}

bool moved_execute_before(struct mutant_maker *x, const struct moved *m, uint64_t where,
			  const char *words, struct mutant *out)
{
	const struct trace_insn *at = image_insn_at(x->im, where);
	struct code_piece *piece = mutant_maker_piece(x);
	size_t avail = 0;
	const uint8_t *now = at ? image_bytes(x->im, where, &avail) : NULL;

	if (!now || avail < at->length || !is_in_one_piece(x->im, m) ||
	    !put_moved(piece, x->im, m) || !code_piece_insns(piece, now, at->length, at->addr))
		return false;
	*out = moved_mutant_at(at, piece, g_string_chunk_insert_const(x->words, words));
	return true;
}

unsigned moved_line_at(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement)->line : 0;
}

static bool is_code_of(struct mutant_maker *x, uint64_t addr, const struct moved *m)
{
	size_t at;

	return mutant_maker_source(x, addr, &at) == m->source && at >= m->span.from &&
	       at < m->span.to;
}

bool moved_find_code(struct mutant_maker *x, struct moved *m)
{
	const struct trace_insn *insn = image_insn_at(x->im, m->from);

	m->first = m->last = moved_line_at(x->im, m->from);
	for (; insn && insn->addr < m->function->hi && is_code_of(x, insn->addr, m);
	     insn = moved_insn_behind(x->im, insn))
		m->last = MAX(m->last, moved_line_at(x->im, insn->addr));
	m->to = insn ? insn->addr : 0;
	return m->to > m->from && m->to < m->function->hi;
}
