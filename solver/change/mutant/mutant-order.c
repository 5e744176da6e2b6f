/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mutant of a line that is executed behind the next one. */
#include "solver/change/mutant/instruction-mutants.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/image/variable/variable.h"

static unsigned line_at(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement)->line : 0;
}

static bool goes_straight_on(const struct trace_insn *insn)
{
	return insn && (insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_CALL);
}

/* Where the code of the line that begins there ends, if nothing leads out of it and no other code
 * stands in it; 0: it is not so. */
static uint64_t end_of_line_code(const struct image *im, uint64_t from)
{
	const unsigned line = line_at(im, from);
	const struct trace_insn *insn = image_insn_at(im, from);

	while (goes_straight_on(insn) && line_at(im, insn->addr) == line) {
		from = insn->addr + insn->length;
		insn = image_insn_at(im, from);
	}
	return insn && line && line_at(im, from) != line ? from : 0;
}

/* No compiler takes a variable that is used before it is declared. */
static bool declares_variable(const struct image *im, const struct image_function *f, uint64_t addr)
{
	const struct image_variable *const *variables;
	const size_t n = image_variables_at(im, addr, &variables);
	const unsigned line = line_at(im, addr);

	for (size_t i = 0; i < n; i++)
		if (variables[i]->function && variables[i]->line == line &&
		    g_strcmp0(variables[i]->file, f->file) == 0)
			return true;
	return false;
}

static bool write_code(const struct image *im, struct code_piece *c, uint64_t from, uint64_t to)
{
	const struct trace_insn *insn = image_insn_at(im, from);

	for (; insn && insn->addr < to; insn = image_insn_at(im, insn->addr + insn->length)) {
		size_t avail = 0;
		const uint8_t *now = image_bytes(im, insn->addr, &avail);

		if (!now || avail < insn->length ||
		    !code_piece_insns(c, now, insn->length, insn->addr))
			return false;
	}
	return true;
}

/* `return 0;' gives a value only if it is executed last. */
static bool leaves_sequence(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;
	const char *text = s && s->file ? image_source_line(im, s->file, s->line) : NULL;

	return text &&
	       g_regex_match_simple("^\\s*(return|goto|break|continue|throw)\\b", text, 0, 0);
}

void mutant_of_order(const struct image *im, const GArray *addrs, GPtrArray *kept, GArray *all)
{
	const uint64_t from = addrs->len ? g_array_index(addrs, uint64_t, 0) : 0;
	const struct image_function *f = image_function_at(im, from);
	const uint64_t middle = f ? end_of_line_code(im, from) : 0;
	const uint64_t end = middle ? end_of_line_code(im, middle) : 0;
	const uint8_t jump[] = { 0xe9 };
	struct mutant made = { .kind = MUTANT_ORDER,
			       .addr = from,
			       .words = "this line and the next one exchanged" };
	struct code_piece *piece;

	/* control comes from nowhere else to the second */
	if (!end || f->moving || leaves_sequence(im, middle) || declares_variable(im, f, from) ||
	    g_array_index(addrs, uint64_t, addrs->len - 1) >= middle ||
	    image_block_at(im, f, from) != image_block_at(im, f, middle))
		return;
	made.piece = piece = g_new0(struct code_piece, 1);
	made.length = image_insn_at(im, from)->length;
	g_ptr_array_add(kept, piece);
	if (!write_code(im, piece, middle, end) || !write_code(im, piece, from, middle))
		return;
	piece->in_place = piece->size == end - from;
	if (piece->in_place || code_piece_jump(piece, jump, sizeof jump, end))
		g_array_append_vals(all, &made, 1);
}
