/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns a branch the other way: in one of its executions, or in each. */
#include "solver/change/change-private.h"
#include "solver/base/ordinal.h"
#include "solver/source/polarity.h"

struct flip {
	struct change_walk walk;
	const struct change_of *of;
	const struct stop *stop;
	uint64_t nth; /* as in change_flip */
	bool in_line; /* the walk is looking through .line for a branch */
	struct change_line line;
	const struct trace_insn *branch; /* NULL: not found yet */
	const struct image *image;	 /* the image that it is in */
	const struct image_statement *statement;
	uint64_t n, passed; /* executions of the branch, and arrivals at the stop */
	GArray *actions;
};

/* When the jump is taken (or not), is the source's condition true? */
static bool truth_of(const struct polarity *s, bool taken)
{
	return (s->meaning == POLARITY_TAKEN_IS_TRUE) == taken;
}

static void look_for_branch(struct flip *f)
{
	uint64_t link = 0;
	const struct trace_module *m = change_module_here(&f->walk, &link);

	if (f->branch || !m)
		return;
	if (stop_is_at(f->stop, m->image, link)) {
		f->in_line = true;
		f->line = change_line_here(&f->walk);
		f->passed++;
	}
	f->in_line = f->in_line && change_whose_line(&f->walk, &f->line) != LINE_LEFT;
}

static void turn_branch(struct flip *f)
{
	struct trace_action a = { .kind = TRACE_ACTION_FORCE, .size = 1 };

	f->n++;
	if (f->nth != CHANGE_LAST && f->nth != CHANGE_ALL && f->n != f->nth)
		return;
	if (f->nth == CHANGE_LAST)
		g_array_set_size(f->actions, 0);
	if (f->actions->len >= limits_or_default(f->of->limits)->turned_branches)
		return;
	change_place(&f->walk, f->walk.step.pc, f->of->thread, &a);
	a.value[0] = !f->walk.step.taken;
	g_array_append_val(f->actions, a);
}

/* Once the branch is known, only its executions are counted. */
static bool step_to_branch(struct flip *f, GError **error)
{
	struct change_walk *w = &f->walk;
	gpointer pc = GSIZE_TO_POINTER(trace_cursor_pc(w->cursor));

	if (!f->branch)
		return change_walk_step(w, error);
	if (trace_cursor_step(w->cursor, &w->step, error) != 1)
		return false;
	if (w->step.insn == f->branch)
		g_hash_table_insert(
			w->counts, pc,
			GSIZE_TO_POINTER(GPOINTER_TO_SIZE(g_hash_table_lookup(w->counts, pc)) + 1));
	return true;
}

static bool walk_to_flip(struct flip *f, GError **error)
{
	GError *wrong = NULL;

	for (;;) {
		enum change_whose whose;

		look_for_branch(f);
		whose = f->in_line ? change_whose_line(&f->walk, &f->line) : LINE_LEFT;
		if (!step_to_branch(f, &wrong))
			break;
		if (!f->branch && whose == LINE_OURS &&
		    f->walk.step.insn->flow == TRACE_FLOW_COND) {
			f->branch = f->walk.step.insn;
			f->image = f->line.image;
			f->statement = f->line.statement;
		}
		if (f->branch && f->walk.step.insn == f->branch)
			turn_branch(f);
	}
	if (wrong)
		g_propagate_error(error, wrong);
	return !wrong;
}

static char *which_time(const struct flip *f)
{
	uint64_t nth = f->nth == CHANGE_LAST ? f->n : f->nth;

	if (f->n == 1)
		return g_strdup("");
	if (f->nth == CHANGE_ALL && f->actions->len < f->n)
		return g_strdup_printf(", the first %u of %" G_GUINT64_FORMAT
				       " times (--limit turned_branches=%" G_GUINT64_FORMAT
				       " turns all)",
				       f->actions->len, f->n, f->n);
	if (f->nth == CHANGE_ALL)
		return g_strdup_printf(", each of %u times", f->actions->len);
	return g_strdup_printf(", the %" G_GUINT64_FORMAT "%s of %" G_GUINT64_FORMAT " times", nth,
			       ordinal_ending(nth), f->n);
}

/* "`y < 5' goes false instead of true, the 2nd of 3 times" */
static char *words_of_flip(const struct flip *f)
{
	struct sources *sources = sources_new(f->image);
	struct polarity s = { 0 };
	g_autofree char *which = which_time(f);
	guint n_true = 0, n = f->actions->len;
	bool known;
	char *text;

	polarity_find(f->image, sources, f->of->limits, f->branch->addr, &s);
	known = s.clause &&
		(s.meaning == POLARITY_TAKEN_IS_TRUE || s.meaning == POLARITY_TAKEN_IS_FALSE);
	for (guint i = 0; i < n; i++)
		n_true += truth_of(&s, g_array_index(f->actions, struct trace_action, i).value[0]);
	if (known && (n_true == 0 || n_true == n))
		text = g_strdup_printf("`%s' goes %s instead of %s%s", s.clause,
				       n_true ? "true" : "false", n_true ? "false" : "true", which);
	else if (known)
		text = g_strdup_printf("`%s' goes the other way%s: %u true, %u false", s.clause,
				       which, n_true, n - n_true);
	else
		text = g_strdup_printf("the branch goes the other way%s", which);
	polarity_clear(&s);
	sources_free(sources);
	return text;
}

static bool check_flip(const struct flip *f, GError **error)
{
	const char *text = f->stop->text;

	if (!f->passed)
		return change_nothing(error, "The run never comes to %s.", text);
	if (!f->branch)
		return change_nothing(error, "The run executed no branch of %s at that time.",
				      text);
	if (!f->actions->len)
		return change_nothing(
			error, "The branch of %s is executed only %" G_GUINT64_FORMAT " time%s.",
			text, f->n, f->n == 1 ? "" : "s");
	return true;
}

bool change_flip(const struct change_of *run, const struct stop *stop, uint64_t nth,
		 struct change *out, GError **error)
{
	struct flip f = { .of = run, .stop = stop, .nth = nth };
	bool ok;

	f.actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	ok = change_walk_begin(&f.walk, run, run->record, error) && walk_to_flip(&f, error) &&
	     check_flip(&f, error);
	if (ok) {
		out->actions = g_array_ref(f.actions);
		out->file = f.statement ? g_strdup(f.statement->file) : NULL;
		out->line = f.statement ? f.statement->line : 0;
		out->text = words_of_flip(&f);
	}
	g_array_unref(f.actions);
	change_walk_clear(&f.walk);
	return ok;
}
