/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips/slip.h"
#include "solver/answer/order/evidence.h"

#include <string.h>

void slip_free(gpointer slip)
{
	struct slip *s = slip;

	if (s->actions)
		g_array_unref(s->actions);
	g_free(s->change);
	g_free(s);
}

void slip_forget(struct slip *s)
{
	g_clear_pointer(&s->change, g_free);
	g_clear_pointer(&s->actions, g_array_unref);
}

/* Control may come from several lines to where a `break' is missing: the one that it would stand
 * behind is named.  What is executed behind a loop, too, is missing there. */
static void name_line_of_word(struct slip *s, const struct mutant *mutant, const struct image *im)
{
	const struct image_row *row = image_row_at(im, mutant->addr);
	const struct image_statement *st = row ? image_statement(im, row->statement) : NULL;

	if (((mutant->kind == MUTANT_MISSING && strstr(mutant->words, "`break'")) ||
	     (mutant->kind == MUTANT_MIRRORED &&
	      g_str_has_suffix(mutant->words, " put before it"))) &&
	    st && st->file)
		s->line.statement = st;
}

void slip_take_mutant(struct slip *s, const struct mutation *m, const struct mutation_verdict *v,
		      const struct image *im)
{
	const struct mutant *mutant = &v->best;

	s->change = mutation_told(m, mutant);
	s->effort = mutation_effort(m, mutant) + v->more;
	s->is_unmeant = mutation_is_unmeant(m, mutant);
	s->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	mutant_actions(mutant, s->actions);
	name_line_of_word(s, mutant, im);
}

void slip_take_condition(struct slip *s, const struct mutation_verdict *v)
{
	slip_forget(s);
	s->change = g_strdup(v->change);
	s->effort = v->effort;
	s->actions = g_array_copy((GArray *)v->actions);
}

void slip_add_evidence(struct explanation *e, const struct slip *slip, bool several,
		       const char *file, unsigned line)
{
	const struct explanation_evidence found = {
		.failing = 1,
		.mended = 1,
		.change = slip->change,
		.effort = slip->effort,
		.whole = several && !slip->is_of_one,
	};

	if (slip->change)
		evidence_add(e, file, line, &found);
}
