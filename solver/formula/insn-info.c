/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an instruction's place: its statement, its selector, its role. */
#include "solver/source/failing-lines.h"
#include "solver/formula/requirement.h"
#include "solver/library/library.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

#include <string.h>

static char *selector_key(struct walk *w, const struct image_statement *s)
{
	switch (w->options->granularity) {
	case WALK_BY_FUNCTION:
		return g_strdup_printf("%s:%s", s->file, s->function);
	case WALK_BY_LINE:
		return failing_lines_key(s);
	default:
		return g_strdup_printf("%s:%u:%u:%s", s->file, s->line, s->column, s->function);
	}
}

/* Takes the key over. */
static uint32_t selector_of_key(struct walk *w, const struct image_statement *s, char *key,
				uint32_t execution)
{
	struct selector_table *t = w->options->selectors;
	gpointer old = g_hash_table_lookup(t->numbers, key);

	if (old) {
		g_free(key);
		return GPOINTER_TO_UINT(old) - 1;
	}
	g_ptr_array_add(t->statements, (gpointer)s);
	g_array_append_val(t->executions, execution);
	g_hash_table_insert(t->numbers, key, GUINT_TO_POINTER(t->statements->len));
	return t->statements->len - 1;
}

/* Executions that the failing run has are counted in it; others in the first run that has them.
 * So they keep their selector when runs are added. */
void insn_info_choose_selector(struct walk *w, struct insn_info *s)
{
	const struct image_statement *st = s->statement;
	uint64_t nth = 0;
	unsigned run = 0;

	if (w->options->granularity != WALK_BY_INSTANCE || !st)
		return;
	for (guint i = w->active->len; i > 0; i--) {
		struct run_walker *l = w->active->pdata[i - 1];

		nth = walker_execution(l, st);
		run = l->number;
	}
	if (s->selector != SELECTOR_HARD)
		s->selector = selector_of_key(
			w, st,
			g_strdup_printf("%s:%u:%u:%s #%" G_GUINT64_FORMAT " of %u", st->file,
					st->line, st->column, st->function, nth, run),
			(uint32_t)MIN(nth, UINT32_MAX));
}

/* The selector of all executions.  When each execution has its own, it is chosen at each
 * (insn_info_choose_selector), unless this one is hard. */
static uint32_t selector_of(struct walk *w, const struct image_statement *s)
{
	if (w->options->granularity == WALK_BY_INSTANCE)
		return 0;
	return selector_of_key(w, s, selector_key(w, s), 0);
}

static void find_statement(struct walk *w, struct insn_info *s)
{
	const struct image *im = s->module->image;
	const struct image_row *row = image_row_at(im, s->link);
	const struct requirement *r = w->options->requirement;
	const struct image_statement *st;

	s->selector = SELECTOR_HARD;
	if (!row)
		return;
	if (g_hash_table_add(w->marked, (gpointer)im))
		failing_lines_add(w->asserting, im);
	st = image_statement(im, row->statement);
	s->statement = st;
	if (!row->prologue && !failing_lines_is_of_nobody(im, row) &&
	    !failing_lines_has(w->asserting, st) && !failing_lines_has(r->reporting, st) &&
	    (!r->only || failing_lines_has(r->only, st)) &&
	    !(r->inserted && g_hash_table_contains(r->inserted, s->insn)) &&
	    !image_moves_result(im, row, s->insn))
		s->selector = selector_of(w, st);
}

static bool has_stack_access(const struct trace_insn *insn, unsigned flag, int64_t at)
{
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & flag && insn->mem[i].base == TRACE_RSP &&
		    insn->mem[i].disp == at && insn->out_gpr & 1u << TRACE_RSP)
			return true;
	return false;
}

struct insn_info *insn_info_at(struct walk *w, uint64_t pc, const struct trace_module *module,
			       const struct trace_insn *insn)
{
	struct insn_info *s = g_hash_table_lookup(w->insn_infos, &pc);
	bool leave = insn->out_gpr == (1u << TRACE_RSP | 1u << TRACE_RBP);

	if (s)
		return s;
	s = g_new0(struct insn_info, 1);
	s->pc = pc;
	s->module = module;
	s->link = insn->addr;
	s->insn = insn;
	s->function = image_function_at(module->image, insn->addr);
	s->index = w->f->pcs->len;
	s->saves = has_stack_access(insn, TRACE_MEM_WRITE, -8);
	s->restores = leave || has_stack_access(insn, TRACE_MEM_READ, 0);
	g_array_append_val(w->f->pcs, pc);
	find_statement(w, s);
	g_hash_table_insert(w->insn_infos, &s->pc, s);
	return s;
}
