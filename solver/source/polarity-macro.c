/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polarity of a jump of a condition that stands in a macro: all its code is of one row, so only
 * where the jumps lead and what they compare tells. */
#include "solver/source/polarity-private.h"

#include "solver/source/macro-condition.h"

#include <string.h>

struct macro_asker {
	const struct image *im;
	const struct limits *limits;
	const struct macro_condition *condition;
	GArray *jumps; /* uint64_t: of the row, ascending */
};

static const struct trace_insn *jump_number(const struct macro_asker *a, guint k)
{
	return image_insn_at(a->im, g_array_index(a->jumps, uint64_t, k));
}

static const struct condition_atom *atom_number(const struct macro_asker *a, guint k)
{
	return &g_array_index(a->condition->text.atoms, struct condition_atom, k);
}

static bool is_in_row_of(const struct image_statement *a, const struct image_statement *b)
{
	return a && a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

static void find_jumps_of_macro(struct macro_asker *a, const struct image_statement *of,
				const struct image_function *f)
{
	const struct trace_insn *all, *insn = image_insn_at(a->im, f->lo);
	const size_t n = image_insns(a->im, &all);

	for (; insn && insn < all + n && insn->addr < f->hi; insn++) {
		const struct image_row *row =
			insn->flow == TRACE_FLOW_COND ? image_row_at(a->im, insn->addr) : NULL;

		if (row && is_in_row_of(image_statement(a->im, row->statement), of))
			g_array_append_val(a->jumps, insn->addr);
	}
}

static uint64_t side_of_macro(const struct trace_insn *jump, bool taken)
{
	return taken ? jump->target : jump->addr + jump->length;
}

static bool leads_to_next(const struct macro_asker *a, guint k, bool taken)
{
	return polarity_next_jump(a->im, a->limits, side_of_macro(jump_number(a, k), taken)) ==
	       g_array_index(a->jumps, uint64_t, k + 1);
}

/* Of a condition that is not the last one: does the side lead to the next one, as the source says?
 */
static enum polarity_meaning by_next(const struct macro_asker *a, guint k)
{
	const struct condition_atom *atom = atom_number(a, k);
	const bool taken = leads_to_next(a, k, true);

	if (taken == leads_to_next(a, k, false) ||
	    (atom->if_true == (int)k + 1) == (atom->if_false == (int)k + 1))
		return POLARITY_UNKNOWN;
	return polarity_taken_is(taken == (atom->if_true == (int)k + 1));
}

/* Of the last condition: does a side lead to where that of another one leads, which decides the
 * whole? */
static enum polarity_meaning by_outcome(const struct macro_asker *a, guint last)
{
	const struct trace_insn *jump = jump_number(a, last);

	for (guint k = 0; k < last; k++) {
		const struct condition_atom *atom = atom_number(a, k);
		const int out = atom->if_true < 0 ? atom->if_true : atom->if_false;
		const bool taken_is_out = !leads_to_next(a, k, true);
		const uint64_t place = side_of_macro(jump_number(a, k), taken_is_out);

		if (out >= 0 || by_next(a, k) == POLARITY_UNKNOWN)
			continue;
		for (int taken = 0; taken < 2; taken++)
			if (side_of_macro(jump, taken) == place)
				return polarity_taken_is((out == atom_number(a, last)->if_true) ==
							 (taken == 1));
	}
	return POLARITY_UNKNOWN;
}

/* `n == 2' of `!(n == 2)'; *negated: it is the opposite. */
static struct source_span bare_condition(const struct source *s, struct source_span in,
					 bool *negated)
{
	*negated = false;
	for (;;) {
		struct source_span inner = in;
		bool turns = false;

		while (inner.from < inner.to && s->code[inner.from] == '!' &&
		       s->code[inner.from + 1] != '=') {
			turns = !turns;
			inner = source_trim(s, inner.from + 1, inner.to);
		}
		if (inner.from >= inner.to || s->code[inner.from] != '(' ||
		    source_closing(s, inner.from) != inner.to - 1)
			return in;
		in = source_trim(s, inner.from + 1, inner.to - 1);
		*negated ^= turns;
	}
}

static enum polarity_meaning opposite_of(enum polarity_meaning meaning)
{
	return meaning == POLARITY_UNKNOWN ? meaning
					   : polarity_taken_is(meaning == POLARITY_TAKEN_IS_FALSE);
}

static void ask_about_number(const struct macro_asker *a, guint k, struct polarity *out)
{
	const struct source *s = a->condition->expanded;
	const guint n = a->condition->text.atoms->len;
	const struct trace_insn *jump = jump_number(a, k);
	bool negated;
	const struct source_span span = bare_condition(s, atom_number(a, k)->span, &negated);
	g_autofree char *code = g_strndup(s->code + span.from, span.to - span.from);
	const enum polarity_meaning compared = polarity_by_text(a->im, jump, code);
	enum polarity_meaning meaning = POLARITY_UNKNOWN;

	if (n > 1)
		meaning = k + 1 < n ? by_next(a, k) : by_outcome(a, k);
	if (negated)
		meaning = opposite_of(meaning);
	if (meaning == POLARITY_UNKNOWN)
		meaning = compared;
	out->clause = source_text(s, span);
	out->meaning =
		compared != POLARITY_UNKNOWN && compared != meaning ? POLARITY_UNKNOWN : meaning;
}

void polarity_of_macro(const struct image *im, struct sources *sources, const struct limits *limits,
		       const struct trace_insn *jump, struct polarity *out)
{
	const struct image_row *row = image_row_at(im, jump->addr);
	const struct image_statement *statement = row ? image_statement(im, row->statement) : NULL;
	const struct source *s = statement ? sources_get(sources, statement->file) : NULL;
	struct macro_condition condition;
	struct macro_asker a = { .im = im, .limits = limits, .condition = &condition };
	size_t at;

	if (!s || !source_place(s, statement->line, statement->column, &at) ||
	    !macro_condition_find(sources, statement->file, s, at, &condition))
		return;
	a.jumps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	find_jumps_of_macro(&a, statement, image_function_at(im, jump->addr));
	for (guint k = 0; k < condition.text.atoms->len; k++)
		if (a.jumps->len == condition.text.atoms->len + condition.more &&
		    jump_number(&a, k) == jump)
			ask_about_number(&a, k, out);
	g_array_unref(a.jumps);
	macro_condition_clear(&condition);
}
