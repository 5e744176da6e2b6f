/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of source lines: transitions between lines, not executions of pieces of code. */
#include "gdbext/profile/private.h"

static guint64 *row_of(const struct spectrum *s, unsigned test, enum spectrum_kind kind, unsigned n)
{
	struct spectrum_row row = spectrum_row(s, test, kind);
	guint64 *times = g_new0(guint64, n + 1);

	while (spectrum_next(&row))
		if (row.unit < n)
			times[row.unit] = row.times;
	return times;
}

static const struct segment *segment_at(const struct code *code, unsigned i)
{
	return &g_array_index(code->segments, struct segment, i);
}

/* Blocks by unit; NULL for virtual ones. */
static const struct code_block **blocks_by_unit(const struct profile_plan *plan)
{
	const struct code_block **by = g_new0(const struct code_block *, plan->units->blocks->len);

	for (guint i = 0; i < plan->code->blocks->len; i++) {
		const struct code_block *b = code_block(plan->code, i);

		by[b->unit] = b;
	}
	return by;
}

/* Lines that follow each other inside of a block. */
static void add_insides(const struct code *code, const guint64 *statements, guint64 *lines)
{
	for (guint i = 0; i < code->blocks->len; i++) {
		const struct code_block *b = code_block(code, i);

		for (unsigned k = 1; k < b->n_segments; k++) {
			const struct segment *g = segment_at(code, b->first_segment + k);

			if (g->unit_line != g[-1].unit_line)
				lines[g->unit_line] += statements[g->unit];
		}
	}
}

static void add_edge(const struct code *code, const struct code_block *from,
		     const struct code_block *to, guint64 times, guint64 *lines)
{
	unsigned line, line_before = UNIT_NONE;

	if (!to || !to->n_segments)
		return;
	line = segment_at(code, to->first_segment)->unit_line;
	if (from && from->n_segments)
		line_before =
			segment_at(code, from->first_segment + from->n_segments - 1)->unit_line;
	if (line != line_before || to->image->lo <= from->image->lo)
		lines[line] += times;
}

guint64 *profile_lines(const struct profile_plan *plan, const struct spectrum *s, unsigned test)
{
	const struct units *u = plan->units;
	g_autofree guint64 *statements = row_of(s, test, SPECTRUM_STATEMENT, u->statements->len);
	g_autofree const struct code_block **blocks = blocks_by_unit(plan);
	struct spectrum_row row = spectrum_row(s, test, SPECTRUM_EDGE);
	guint64 *lines = g_new0(guint64, u->lines->len + 1);

	add_insides(plan->code, statements, lines);
	while (spectrum_next(&row)) {
		const struct unit_edge *e = &g_array_index(u->edges, struct unit_edge, row.unit);

		add_edge(plan->code, blocks[e->from], blocks[e->to], row.times, lines);
	}
	return lines;
}
