/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small changes of the lines near the failure, and of initial values. */
#include "gdbext/evidence/initial-values.h"
#include "gdbext/evidence/slips-private.h"
#include "gdbext/evidence/text-slips.h"
#include "gdbext/question/ending.h"
#include "solver/answer/plausibility.h"

/* ---- initial values ---- */

static const struct slip *add_data_slip(struct slips *s, const struct data_mutant *m,
					GArray *actions)
{
	struct slip *slip = g_new0(struct slip, 1);

	if (m->variable)
		slip->declared = initial_value_declared(m);
	slip->line.statement = m->statement ? m->statement : &slip->declared;
	slip->change = g_strdup(m->words);
	slip->effort = m->effort;
	slip->actions = g_array_ref(actions);
	g_ptr_array_add(s->found, slip);
	return slip;
}

/* Tries the least change of each variable's values.  hinted: only changes to values that
 * explanations have. */
bool slips_search_data(struct slips *s, struct mutation *m, bool hinted, GError **error)
{
	g_autoptr(GHashTable) mended = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) mutants = initial_value_mutants(s->q, &s->limits, hinted, error);
	bool ok = mutants != NULL, spent = false, passes;

	for (guint i = 0; ok && !spent && i < mutants->len; i++) {
		const struct data_mutant *d = &g_array_index(mutants, struct data_mutant, i);
		g_autoptr(GArray) actions = NULL;
		const struct slip *slip;

		if (g_hash_table_contains(mended, initial_value_of(d)))
			continue;
		actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		g_array_append_val(actions, d->action);
		ok = mutation_try(m, actions, &passes, &spent, error);
		if (!ok || !passes)
			continue;
		g_hash_table_add(mended, (gpointer)initial_value_of(d));
		slip = add_data_slip(s, d, actions);
		if (!hinted)
			slips_tell_early(s, slip);
	}
	return ok;
}

/* A check is met by many constants by chance, all of the output by few.  One value of a function
 * that qsort calls changes nothing, so no explanation will name its lines: they are tried with
 * all. */
static bool is_tried(const struct slips *s, const struct near_line *l, enum mutation_part part)
{
	return s->expected || l->is_called_back || s->tries_all || part < MUTATION_REST;
}

/* A change of a check that a sanitizer inserted mends nothing. */
static void drop_inserted(const struct slips *s, struct slip *slip)
{
	GHashTable *inserted = s->q->requirement->inserted;
	bool touches = false;

	for (guint i = 0; inserted && slip->actions && i < slip->actions->len; i++) {
		const struct trace_action *a =
			&g_array_index(slip->actions, struct trace_action, i);

		touches |= a->module < s->q->run.n_images &&
			   g_hash_table_contains(
				   inserted, image_insn_at(s->q->run.images[a->module], a->addr));
	}
	if (touches)
		slip_forget(slip);
}

/* Many changes meet a check by chance, although nobody would have to make them. */
static double most_effort(const struct slips *s, const struct near_line *l)
{
	return s->expected || l->is_called_back || s->tries_all
		       ? G_MAXDOUBLE
		       : (double)s->limits.slip_unnamed / 100;
}

static bool try_part(struct slips *s, struct mutation *m, struct slip *slip,
		     enum mutation_part part, GError **error)
{
	const struct mutation_choice which = { part, part, most_effort(s, &slip->line) };

	if (slip->change || !is_tried(s, &slip->line, part))
		return true;
	if (!slip_look_at(s, m, slip, &which, error))
		return false;
	drop_inserted(s, slip);
	slips_tell_early(s, slip);
	return true;
}

/* What the runs of search_near_lines may take together: in long runs a clock ends them. */
static uint64_t time_of_lines(const struct slips *s)
{
	const struct limits *l = &s->q->o->limits;
	const uint64_t run = trace_point_executed(s->q->point) / l->instructions_a_us;

	return MAX(l->slip_lines_us, l->slip_lines_runs * run);
}

/* Tries the lines of .found in turns, because the last mutants of each line are many and rarely
 * right: those of a part when the part before it was tried of so many lines behind this one. */
static bool try_lines_in_turns(struct slips *s, struct mutation *m, guint n, GError **error)
{
	const guint behind = (guint)MIN(s->limits.slip_turn, n);
	bool ok = true;

	for (guint turn = 0; ok && turn < n + behind * (MUTATION_PARTS - 1); turn++)
		for (int part = MUTATION_PARTS - 1; ok && part >= 0; part--) {
			const guint before = behind * (guint)part;

			if (turn >= before && turn - before < n)
				ok = try_part(s, m, s->found->pdata[turn - before],
					      (enum mutation_part)part, error);
		}
	return ok;
}

static bool search_near_lines(struct slips *s, GError **error)
{
	g_autoptr(GArray) lines = near_lines(s->q, (unsigned)s->limits.slip_lines);
	struct mutation *m;
	bool ok;

	near_lines_note(s->q, lines);
	m = slips_begin(s, time_of_lines(s));
	for (guint i = 0; i < lines->len; i++) {
		struct slip *slip = g_new0(struct slip, 1);

		slip->line = g_array_index(lines, struct near_line, i);
		g_ptr_array_add(s->found, slip);
	}
	ok = try_lines_in_turns(s, m, lines->len, error);
	slips_finish(s);
	return ok;
}

static void take_text_slip(void *slips, const struct text_slip *of)
{
	const struct near_line line = { .statement = of->statement };

	slips_tell_early(slips, slips_take(slips, &line, of->words, of->effort, of->actions));
}

bool slips_search_lines(struct slips *s, GError **error)
{
	struct mutation *m;
	bool ok = search_near_lines(s, error);

	if (ok && s->expected && s->limits.slip_data) {
		m = slips_begin(s, s->limits.slip_data_us);
		ok = slips_search_data(s, m, false, error);
		slips_finish(s);
	}
	if (ok && s->expected && !slips_found(s)) {
		m = slips_begin(s, s->limits.slip_data_us);
		ok = text_slips_search(s->q, s->expected, m, &s->limits, take_text_slip, s, error);
		slips_finish(s);
	}
	return ok;
}

/* ---- when nothing likely is found ---- */

/* Another variable, and whatever is further from what the line says, meets a check by chance. */
static bool is_likely(const struct slips *s, double effort)
{
	return effort * 100 < (double)s->limits.slip_variable;
}

static bool found_likely_slip(const struct slips *s)
{
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->change && is_likely(s, slip->effort))
			return true;
	}
	return false;
}

/* Has a suspect a likely change that does not only keep the run from the failure? */
static bool has_likely_change(const struct slips *s)
{
	const struct explanation *e = s->q->e;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *of = e->suspects->pdata[i];

		if (of->evidence && of->evidence->change && is_likely(s, of->evidence->effort) &&
		    !plausibility_dodges(e, of))
			return true;
	}
	return false;
}

bool slips_want_time(const struct slips *s)
{
	const struct question *q = s->q;

	return s->test && !q->o->no_hijack && !s->expected && !q->memory && q->index &&
	       reverse_index_steps(q->index) >= s->limits.slip_rest_from && !found_likely_slip(s);
}

/* Takes the time that is left for all changes of the lines near the failure. */
bool slips_search_rest(struct slips *s, GError **error)
{
	const guint n = s->found->len;
	struct mutation *m;
	GError *failed = NULL;
	bool ok;

	if (!slips_want_time(s) || has_likely_change(s))
		return true;
	s->tries_all = true;
	m = slips_begin(s, s->limits.slip_rest_us);
	ok = try_lines_in_turns(s, m, n, &failed);
	slips_finish(s);
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}
