/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/notes.h"

void notes_printf(struct explanation *e, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(e->notes, (gpointer)explanation_string(e, text));
}

/* " of calc.c:30, 97, lexer.c:12, ..."; free it. */
static char *taken_places(const struct explanation *e)
{
	GString *out = g_string_new(NULL);
	const char *file = NULL;

	for (unsigned i = 0; i < EXPLANATION_TAKEN && e->stats.taken[i].file; i++) {
		const struct explanation_taken *t = &e->stats.taken[i];
		g_autofree char *name = g_path_get_basename(t->file);

		if (i == EXPLANATION_TAKEN - 1)
			g_string_append(out, " ...");
		else if (g_strcmp0(file, t->file) == 0)
			g_string_append_printf(out, ", %u", t->line);
		else
			g_string_append_printf(out, "%s %s:%u", i ? "," : " of", name, t->line);
		file = t->file;
	}
	return g_string_free(out, FALSE);
}

static void add_concretized(struct explanation *e)
{
	const guint64 n = e->stats.concretized;
	g_autofree char *places = taken_places(e);

	if (n)
		notes_printf(e,
			     "%" G_GUINT64_FORMAT
			     " value%s%s count%s as input: not searched for faults",
			     n, n == 1 ? "" : "s", places, n == 1 ? "s" : "");
}

static void add_limit(struct explanation *e, const struct options *o, const struct deadline *until)
{
	struct limit_counts cut = e->reached;
	g_autofree char *said = NULL;
	bool together;

	if (o->max_suspects && e->suspects->len >= o->max_suspects)
		notes_printf(e,
			     "the search stopped at %u explanations; --max-suspects 0 asks for all",
			     o->max_suspects);
	if (e->complete)
		return;
	cut.times[LIMIT_patience_percent] = 0;
	together = e->stopped_early && limits_cut(&cut);
	if (e->stopped_early && !together)
		notes_printf(e, "not all harder ones were tried (limit `patience_percent'); "
				"--thorough does");
	else if (!together && deadline_is_over(until) && !e->reached.times[LIMIT_slip_enough_ms] &&
		 !e->reached.times[LIMIT_slip_enough_check_ms] &&
		 !e->reached.times[LIMIT_short_formula_ms] &&
		 !e->reached.times[LIMIT_slip_later_percent] && !e->reached.times[LIMIT_slip_rest])
		notes_printf(e, "the time of --timeout %g s was up; there may be more explanations",
			     o->timeout);
	cut.times[LIMIT_patience_percent] = together;
	said = limits_sentence(&o->limits, &cut);
	if (said)
		notes_printf(e, "%s%s", said, together ? ", or --thorough" : "");
}

void notes_started(struct explanation *e, const struct replay *r)
{
	if (r && replay_started(r))
		notes_printf(e,
			     "a changed run starts no other programs: each that it would start is "
			     "taken to print nothing and to end with status 0");
	if (r && replay_lacks_children(r))
		notes_printf(e, "a changed run makes no child processes: each is taken to do "
				"nothing, and to end as it did in the first run");
}

void notes_limits(struct explanation *e, const struct options *o)
{
	g_array_set_size(e->stats.limits, 0);
	for (unsigned i = 0; i < N_LIMITS; i++) {
		struct explanation_limit l = { limit_rows[i].name, o->limits.value[i],
					       limit_rows[i].standard, e->reached.times[i],
					       limit_rows[i].kind == LIMIT_CUT };

		if (l.value != l.standard || l.reached)
			g_array_append_val(e->stats.limits, l);
	}
}

static void note_kept_window(struct explanation *e, uint64_t left_out)
{
	if (left_out)
		notes_printf(e,
			     "the run was %s: only the last %" G_GUINT64_FORMAT
			     " instructions up to here were kept, %" G_GUINT64_FORMAT
			     " were before; what they did counts as input, and a fault there is "
			     "not found",
			     e->reached.times[LIMIT_whole_run_a_second]
				     ? "too long for all of it to be looked at"
				     : "longer than --window",
			     (guint64)e->stats.instructions, (guint64)left_out);
}

void notes_add(struct explanation *e, const struct options *o, unsigned threads, uint64_t left_out,
	       const struct deadline *until)
{
	note_kept_window(e, left_out);
	if (e->not_run)
		notes_printf(e, "nothing was run, so nothing is proven: %s", e->not_run);
	add_concretized(e);
	add_limit(e, o, until);
	if (threads > 1)
		notes_printf(e,
			     "the program ran %u threads; only the one that failed is explained, "
			     "what the others wrote counts as input, and a race may vanish while "
			     "it is recorded or changed",
			     threads);
}

void notes_paths(struct explanation *e, struct search_paths p, unsigned unroll)
{
	notes_printf(e,
		     "all paths: %u side%s of branches %s gone down from the code alone, %u by a "
		     "run, because the code does not tell what is there",
		     p.by_code, p.by_code == 1 ? "" : "s", p.by_code == 1 ? "was" : "were",
		     p.by_run);
	if (p.looping)
		notes_printf(e,
			     "the bound --max-unroll %u was hit: %u path%s through loops end%s "
			     "there, and what comes behind is not in this answer",
			     unroll, p.looping, p.looping == 1 ? "" : "s",
			     p.looping == 1 ? "s" : "");
	if (p.open)
		notes_printf(e,
			     "%u path%s end%s where the code does not tell what comes next, and no "
			     "run was made there",
			     p.open, p.open == 1 ? "" : "s", p.open == 1 ? "s" : "");
}
