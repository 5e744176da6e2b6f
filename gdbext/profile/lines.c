/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of source lines: transitions between lines, not executions of pieces of code. */
#include "gdbext/profile/private.h"

struct lines {
	const struct code *code;
	const struct units *units;
	bool *has_code; /* lines with more than jumps */
	guint64 *times;
};

static guint64 *row_of_spectrum(const struct spectrum *s, unsigned test, enum spectrum_kind kind,
				unsigned n)
{
	struct spectrum_row row = spectrum_row(s, test, kind);
	guint64 *times = g_new0(guint64, n + 1);

	while (spectrum_next(&row))
		if (row.unit < n)
			times[row.unit] = row.times;
	return times;
}

static const struct segment *block_segment_at(const struct lines *l, const struct code_block *b,
					      unsigned k)
{
	return &g_array_index(l->code->segments, struct segment, b->first_segment + k);
}

/* Blocks by unit; NULL for virtual ones. */
static const struct code_block **blocks_by_unit(const struct lines *l)
{
	const struct code_block **by = g_new0(const struct code_block *, l->units->blocks->len + 1);

	for (guint i = 0; i < l->code->blocks->len; i++) {
		const struct code_block *b = code_block(l->code, i);

		by[b->unit] = b;
	}
	return by;
}

static bool is_jump(const struct lines *l, const struct segment *g)
{
	return l->code->insns[g->insn].flow == TRACE_FLOW_JUMP;
}

static void find_lines_with_code(struct lines *l)
{
	for (guint i = 0; i < l->code->segments->len; i++) {
		const struct segment *g = &g_array_index(l->code->segments, struct segment, i);

		if (!is_jump(l, g))
			l->has_code[g->unit_line] = true;
	}
}

/* Compilers give the jump that ends a branch or an endless loop the line of the
 * if, or of the loop's first statement: nobody executes that line there.  A
 * `break' on a line of its own is something else. */
static bool is_glue(const struct lines *l, const struct code_block *b, unsigned k)
{
	const struct segment *g = block_segment_at(l, b, k);

	return is_jump(l, g) && l->has_code[g->unit_line] &&
	       !(k && g[-1].unit_line == g->unit_line);
}

/* Has the line of segment k had its turn in the same piece?  A statement on several
 * lines goes to and fro between them. */
static bool is_line_again(const struct lines *l, const struct code_block *b, unsigned k)
{
	const struct segment *g = block_segment_at(l, b, k), *before = g;

	while (k--) {
		before--;
		if (before->unit_line == g->unit_line)
			return true;
		if (before->piece != g->piece)
			return false;
	}
	return false;
}

/* Lines that follow each other inside of a block. */
static void add_insides(struct lines *l, const guint64 *statements)
{
	for (guint i = 0; i < l->code->blocks->len; i++) {
		const struct code_block *b = code_block(l->code, i);

		for (unsigned k = 1; k < b->n_segments; k++) {
			const struct segment *g = block_segment_at(l, b, k);

			if (!is_line_again(l, b, k) && !is_glue(l, b, k))
				l->times[g->unit_line] += statements[g->unit];
		}
	}
}

/* The line that a block ends on.  *round: an edge back to the same line is a loop
 * on it. */
static unsigned line_left(const struct lines *l, const struct code_block *b, bool *round)
{
	unsigned k = b ? b->n_segments : 0;

	*round = k && !is_glue(l, b, k - 1);
	if (k && !*round)
		k--;
	return k ? block_segment_at(l, b, k - 1)->unit_line : UNIT_NONE;
}

static void add_line_edge(struct lines *l, const struct code_block *from,
			  const struct code_block *to, guint64 times)
{
	unsigned line, line_before;
	bool round;

	if (!to || !to->n_segments || is_glue(l, to, 0))
		return;
	line = block_segment_at(l, to, 0)->unit_line;
	line_before = line_left(l, from, &round);
	if (line != line_before || (round && to->image->lo <= from->image->lo))
		l->times[line] += times;
}

guint64 *profile_lines(const struct profile_plan *plan, const struct spectrum *s, unsigned test)
{
	const struct units *u = plan->units;
	g_autofree guint64 *statements =
		row_of_spectrum(s, test, SPECTRUM_STATEMENT, u->statements->len);
	g_autofree bool *has_code = g_new0(bool, u->lines->len + 1);
	struct lines l = { plan->code, u, has_code, g_new0(guint64, u->lines->len + 1) };
	g_autofree const struct code_block **blocks = blocks_by_unit(&l);
	struct spectrum_row row = spectrum_row(s, test, SPECTRUM_EDGE);

	find_lines_with_code(&l);
	add_insides(&l, statements);
	while (spectrum_next(&row)) {
		const struct unit_edge *e = &g_array_index(u->edges, struct unit_edge, row.unit);

		add_line_edge(&l, blocks[e->from], blocks[e->to], row.times);
	}
	return l.times;
}
