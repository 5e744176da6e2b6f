/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formula of all runs that are known, what is made of it when it is needed, and a new one with
 * each run that teaches something. */
#include "solver/search/search-private.h"
#include "solver/formula/model/replay-check.h"

struct incremental *search_incremental(struct search *s)
{
	if (!s->incremental)
		s->incremental = incremental_new(s->formula);
	return s->incremental;
}

/* To compare, Z3 is asked itself. */
struct interval_solver *search_intervals(struct search *s)
{
	if (s->options.solver != SMT_BITBLAST || s->formula->has_floats)
		return NULL;
	if (!s->intervals) {
		s->intervals = interval_solver_new(s->formula, search_incremental(s));
		interval_solver_until(s->intervals, s->options.until);
	}
	return s->intervals;
}

/* What is made of the formula when it is needed. */
static void forget_what_was_made(struct search *s)
{
	search_forget(s, &s->full);
	search_forget(s, &s->own);
	if (s->incremental)
		s->work += incremental_work(s->incremental) / s->limits->terms_a_us;
	if (s->intervals)
		s->work += interval_work(s->intervals) / s->limits->ranges_a_us;
	g_clear_pointer(&s->intervals, interval_solver_free);
	g_clear_pointer(&s->incremental, incremental_free);
}

void search_forget_formula(struct search *s)
{
	forget_what_was_made(s);
	g_clear_pointer(&s->formula, formula_free);
	g_clear_pointer(&s->pool, term_pool_free);
}

static struct walk_run *runs_to_walk(const struct search *s)
{
	struct walk_run *w = g_new0(struct walk_run, s->runs->len);

	for (guint i = 0; i < s->runs->len; i++) {
		const struct known_run *k = s->runs->pdata[i];

		w[i] = (struct walk_run){ k->record,
					  (struct trace_action *)(void *)k->actions->data,
					  k->actions->len,
					  k->failed,
					  k->run.result.status,
					  k->open };
	}
	return w;
}

/* Logs runs that went another way than the formula says. */
static void say_disagreements(const struct search *s, const struct walk_run *runs)
{
	for (guint i = 0; i < s->runs->len; i++) {
		struct replay_check t = replay_check_run(s->formula, &runs[i], runs[0].record);
		bool meets = !t.violated && !t.leaves;
		const struct known_run *k = s->runs->pdata[i];
		uint64_t link = 0;
		uint64_t pc = t.violated ? t.violated->pc
			      : t.leaves ? g_array_index(s->formula->definitions, struct definition,
							 t.guard)
						   .pc
					 : 0;
		const struct trace_module *m =
			pc ? trace_run_module_at(runs[0].record, pc, &link) : NULL;
		const struct image_row *row = m ? image_row_at(m->image, link) : NULL;

		if (!k->by_code && meets != k->run.met)
			g_debug("run %u: %s at line %u, but it %s", i,
				t.leaves     ? "leaves"
				: t.violated ? "a constraint is violated"
					     : "nothing",
				row ? image_statement(m->image, row->statement)->line : 0,
				k->run.met ? "meets the requirement" : "does not");
		replay_check_clear(&t);
	}
}

double search_selector_weight(const struct search *s, unsigned selector)
{
	const struct image_statement *at = s->selectors->statements->pdata[selector];

	return weighting_of(s->options.weighting, at->file, at->line);
}

/* The weight of each selector; NULL: all weigh the same. */
static double *weights_of_selectors(const struct search *s)
{
	unsigned n = s->selectors->statements->len;
	double *weights = s->options.weighting ? g_new(double, MAX(n, 1)) : NULL;

	for (unsigned i = 0; weights && i < n; i++)
		weights[i] = search_selector_weight(s, i);
	return weights;
}

static void know_selectors(struct search *s)
{
	g_autofree double *weights = weights_of_selectors(s);

	if (s->comss)
		comss_grow(s->comss, s->selectors->statements->len, weights);
	else
		s->comss = comss_new(s->selectors->statements->len, weights,
				     (unsigned)s->limits->size);
	if (s->options.walk.requirement->kind->prefers_last ||
	    s->formula->steps >= s->limits->late_first_steps)
		comss_prefer_last(s->comss);
}

bool search_rebuild(struct search *s, GError **error)
{
	g_autofree struct walk_run *runs = runs_to_walk(s);
	double start = g_timer_elapsed(s->clock, NULL);
	struct term_pool *pool = term_pool_new();
	struct formula *f;

	forget_what_was_made(s);
	if (s->formula && s->formula->steps >= s->limits->merge_later_steps)
		search_forget_formula(s); /* there is no room for two long ones */
	term_pool_set_limits(pool, s->limits);
	s->options.walk.until = s->options.until;
	s->options.walk.before = s->options.before;
	f = walk_runs(pool, runs, s->runs->len, s->lift, &s->options.walk, error);
	if (!f) {
		term_pool_free(pool);
		return false;
	}
	s->merged_terms += s->iterations ? term_pool_size(pool) : 0;
	s->made_terms += term_pool_size(pool);
	search_forget_formula(s);
	s->pool = pool;
	s->formula = f;
	s->iterations++;
	s->unmerged = 0;
	s->work += f->steps / s->limits->steps_a_us;
	g_array_set_size(s->avoided, 0);
	if (g_getenv("GDB_WHY_LOG") || g_getenv("G_MESSAGES_DEBUG"))
		say_disagreements(s, runs);
	s->formula_ms += 1000 * (g_timer_elapsed(s->clock, NULL) - start);
	g_debug("%.3f s, formula of %u runs: %lu steps, %u definitions, %u constraints, %u terms",
		g_timer_elapsed(s->clock, NULL), s->runs->len, s->formula->steps,
		s->formula->definitions->len, s->formula->constraints->len, term_pool_size(pool));
	know_selectors(s);
	return true;
}

/* A changed program may do something that its record cannot tell.  Such a run is left out, and
 * the formula stays as it was.  The failing run's own record must make sense. */
static bool rebuild_or_drop(struct search *s, unsigned unmerged, GError **error)
{
	const bool had = s->formula;
	GError *failed = NULL;

	if (search_rebuild(s, &failed))
		return true;
	g_ptr_array_set_size(s->runs, (gint)(s->runs->len - unmerged));
	s->unmerged = 0;
	if (!had || !g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_FORMAT)) {
		g_propagate_error(error, failed);
		return false;
	}
	g_debug("%u runs are not merged: %s", unmerged, failed->message);
	g_error_free(failed);
	return s->formula || search_rebuild(s, error);
}

static bool summarize_record(struct search *s, struct trace_run *record, GError **error)
{
	s->summary = trace_summary_new(record, s->lift, error);
	return s->summary && (!s->options.walk.requirement->kind->looks_back ||
			      trace_summary_note_end(s->summary, record, s->lift, error));
}

bool search_add_run(struct search *s, const char *directory, struct search_run *run,
		    const struct trace_action *actions, size_t n, GError **error)
{
	const struct known_run *k;

	if (!search_append_run(s, directory, run, actions, n, error))
		return false;
	k = s->runs->pdata[s->runs->len - 1];
	if (!s->summary && !summarize_record(s, k->record, error))
		return false;
	s->options.walk.summary = s->summary;
	return rebuild_or_drop(s, 1, error);
}

bool search_keep_run(struct search *s, struct search_run *run, const struct trace_action *actions,
		     size_t n, GError **error)
{
	if (!search_append_run(s, run->result.record, run, actions, n, error))
		return false;
	return ++s->unmerged < s->limits->unmerged_runs || search_merge(s, error);
}

bool search_merge(struct search *s, GError **error)
{
	return !s->unmerged || rebuild_or_drop(s, s->unmerged, error);
}
