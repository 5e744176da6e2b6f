/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes for a single failing test: of a line's changes with which the test passes, the one of
 * least effort is taken. */
#include "gdbext/evidence/mutation/mutation-private.h"
#include "solver/source/operand-text.h"

#include "gdbext/replay/interrupt.h"
#include "solver/rank/units.h"

struct candidate {
	struct mutant mutant;
	double turn; /* turn_of_mutant */
	enum mutation_part part;
};

void mutation_executes(struct mutation *m, mutation_executes_fn *executes, const void *arg)
{
	m->executes = executes;
	m->executes_arg = arg;
}

void mutation_starts_late(struct mutation *m, mutation_first_fn *first, const void *arg)
{
	m->first = first;
	m->first_arg = arg;
}

static bool is_mutant_executed(const struct mutation *m, const struct mutant *mutant)
{
	for (; mutant; mutant = mutant->also)
		if (mutant->kind == MUTANT_DATA || !m->executes ||
		    m->executes(m->executes_arg, mutant->addr, mutant->kind == MUTANT_ZERO_CHECK))
			return true;
	return false;
}

/* `One more' meets a single check wherever a number is too low by one, so it says little there.
 * Such a change seldom meets several checks, or all of an output, by chance; one more passed to a
 * function of the program's own does so more often, as it may be in the place of all that the
 * function does. */
static bool says_little(const struct mutation *m, const struct mutant *with)
{
	const struct expected_output *all = m->tests->of_one;
	const bool is_same = with->nearness == MUTANT_SAME_VARIABLE;

	if (with->kind == MUTANT_EXPRESSION && with->from == 2)
		return !m->meets_several;
	return !m->meets_several &&
	       ((with->kind == MUTANT_EXPRESSION && with->from == 1 && !is_same) ||
		(with->kind == MUTANT_ONE_MORE && is_same)) &&
	       (!all || (!all->text[PRINTED_OUT] && !all->text[PRINTED_ERR]));
}

void mutation_meets_several(struct mutation *m)
{
	m->meets_several = true;
}

void mutation_try_checks(struct mutation *m)
{
	m->checks = true;
}

void mutation_lacks_text(struct mutation *m, const char *file, unsigned line)
{
	m->lacks_file = file;
	m->lacks_line = line;
}

void mutation_spare(struct mutation *m, const char *variable)
{
	g_free(m->spared);
	m->spared = g_strdup(variable);
}

/* "`fails--' put before it", "`fails' for `depth'" */
static bool changes_spared(const struct mutation *m, const struct mutant *mutant)
{
	const bool is_variable = mutant->kind == MUTANT_VARIABLE;
	g_autofree char *described = m->spared && is_variable ? mutation_describe(m, mutant) : NULL;
	const char *words = is_variable ? described : mutant->words;

	return m->spared && words && *words == '`' && operand_text_begins(words + 1, m->spared);
}

void mutation_fails_early(struct mutation *m)
{
	m->fails_early = true;
}

void mutation_goes_round(struct mutation *m)
{
	m->endless_us = MAX(m->run_us, 1);
}

void mutation_allow_longer(struct mutation *m, uint64_t us)
{
	m->longer_us = MAX(m->longer_us, us / 2);
	m->longest_us = MAX(m->longest_us, us);
}

void mutation_postpone(struct mutation *m)
{
	m->postpones = true;
	m->postponed = 0;
}

bool mutation_resume(struct mutation *m)
{
	m->postpones = false;
	return m->postponed && m->longer_us;
}

void mutation_begin_with_one(struct mutation *m)
{
	if (mutation_begin(m))
		mutation_find_probe(m);
}

bool mutation_try(struct mutation *m, const GArray *changes, bool *passes, bool *spent,
		  GError **error)
{
	mutation_begin_with_one(m);
	*passes = false;
	*spent = !m->failing->len || mutation_is_spent(m);
	if (!replay_check_interrupt(error))
		return false;
	if (!*spent)
		*passes = mutation_passes(m, &m->plain, m->failing->pdata[0], changes);
	return true;
}

static gint first_turn_first(gconstpointer a, gconstpointer b)
{
	double x = ((const struct candidate *)a)->turn, y = ((const struct candidate *)b)->turn;

	return (x > y) - (x < y);
}

/* In which order mutants are tried.  Where a pointer was NULL, its check is the first thing that a
 * programmer looks for, although it hides more failures than others that cost as little. */
static double turn_of_mutant(const struct mutation *m, const struct mutant *mutant)
{
	const double effort = mutation_effort(m, mutant),
		     first = (double)m->limits->slip_round_least / 100;

	return mutant->kind == MUTANT_CHECK ? MIN(effort, first - 0.01) : effort;
}

/* The mutation's. */
static const GArray *mutants_of_line(struct mutation *m, const char *file, unsigned line)
{
	g_autofree char *key = mutation_line_key(file, line);
	GArray *all = g_hash_table_lookup(m->ordered, key);
	g_autoptr(GArray) mutants = NULL, numbers = NULL;

	if (all)
		return all;
	mutants = mutator_line(m->mutator, file, line);
	numbers = mutator_checks(m->mutator, file, line, true);
	g_array_append_vals(mutants, numbers->data, numbers->len);
	mutation_add_constants(m, file, line, mutants);
	if (m->lacks_line == line && g_strcmp0(m->lacks_file, file) == 0) {
		g_autoptr(GArray) printings = mutator_printings(m->mutator, file, line);

		g_array_append_vals(mutants, printings->data, printings->len);
	}
	if (m->checks) {
		g_autoptr(GArray) checks = mutator_checks(m->mutator, file, line, false);

		g_array_append_vals(mutants, checks->data, checks->len);
	}
	all = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	for (guint i = 0; i < mutants->len; i++) {
		const struct mutant *with = &g_array_index(mutants, struct mutant, i);
		struct candidate c = { *with, turn_of_mutant(m, with), mutation_part_of(m, with) };

		if (is_mutant_executed(m, with) && !says_little(m, with))
			g_array_append_val(all, c);
	}
	g_array_sort(all, first_turn_first);
	g_hash_table_insert(m->ordered, g_steal_pointer(&key), all);
	return all;
}

/* Two mutants are the same change when they write the same code: two slips may lead to the same
 * one. */
static GBytes *bytes_written_by(const struct mutant *mutant)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(mutant, actions);
	return g_bytes_new(actions->data, actions->len * sizeof(struct trace_action));
}

void mutation_refute(struct mutation *m, const struct mutant *mutant)
{
	g_hash_table_add(m->refuted, bytes_written_by(mutant));
}

/* Does a check of a number mend no more than leaving out its line? */
static bool mends_by_leaving_out(struct mutation *m, const struct trial *t,
				 const struct mutant *with)
{
	struct mutation_verdict other = { 0 };
	struct mutant without;

	return with->kind == MUTANT_ZERO_CHECK && mutator_left_out(m->mutator, with, &without) &&
	       mutation_try_mutant(m, t, &without, &other);
}

/* False with error: interrupted. */
static bool try_single_mutant(struct mutation *m, const struct trial *t, const struct mutant *with,
			      struct mutation_verdict *out, bool *spent, GError **error)
{
	GBytes *changes = bytes_written_by(with);
	bool mends = false;

	if (g_hash_table_contains(m->refuted, changes)) {
		g_bytes_unref(changes);
		return true;
	}
	*spent = mutation_is_spent(m);
	if (!*spent)
		mends = mutation_try_mutant(m, t, with, out);
	if (mends && (changes_spared(m, with) || !mutation_is_tellable(m, with) ||
		      mends_by_leaving_out(m, t, with))) {
		*out = (struct mutation_verdict){ 0 };
		mends = false;
	}
	if (!replay_check_interrupt(error)) {
		g_bytes_unref(changes);
		return false;
	}
	if (*spent || mends || m->is_cut)
		g_bytes_unref(changes);
	else
		g_hash_table_add(m->refuted, changes);
	return true;
}

/* What a change costs more that mends by making the failed check less often than it was made until
 * it failed: many a loop over the cases of a test then ends before that one. */
static double cost_of_checking_less(struct mutation *m, const struct mutant *with)
{
	g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(with, changes);
	return mutation_checks_less(m, changes) ? (double)m->limits->slip_less_checked / 100 : 0;
}

/* What mends so far, though it makes the failed check less often. */
struct dodging {
	struct mutation_verdict verdict;
	double turn; /* of a candidate that it comes before */
};

static void keep_dodging(struct dodging *kept, const struct candidate *c,
			 struct mutation_verdict *v, double more)
{
	if (!kept->verdict.mended || c->turn + more < kept->turn) {
		kept->verdict = *v;
		kept->verdict.more = more;
		kept->turn = c->turn + more;
	}
	*v = (struct mutation_verdict){ 0 };
}

/* all: struct candidate, in this order. */
static bool find_among(struct mutation *m, const GArray *all, const struct mutation_choice *which,
		       struct mutation_verdict *out, bool *spent, GError **error)
{
	struct trial t = { .line = UNIT_NONE };
	struct dodging kept = { .turn = which->below };
	const unsigned before = m->runs;
	bool ok = true;

	t.seeds = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	t.passing = g_ptr_array_new();
	t.failing = g_ptr_array_copy(m->failing, NULL, NULL);
	for (guint i = 0; ok && i < all->len && !out->mended && !*spent; i++) {
		const struct candidate *c = &g_array_index(all, struct candidate, i);
		double more;

		if (c->turn >= kept.turn)
			break;
		*spent = which->most && m->runs - before >= which->most;
		if (!*spent && c->part >= which->first && c->part <= which->last)
			ok = try_single_mutant(m, &t, &c->mutant, out, spent, error);
		more = out->mended ? cost_of_checking_less(m, &c->mutant) : 0;
		if (more > 0)
			keep_dodging(&kept, c, out, more);
	}
	if (!out->mended && kept.verdict.mended && kept.turn < which->below)
		*out = kept.verdict;
	mutation_trial_clear(&t);
	return ok;
}

/* Once a likely change mends a failed check, most runs that go on for much longer are endless, and
 * not worth their time.  A crash is dodged by likely changes, too, so there they go on. */
static void end_longer_runs(struct mutation *m, const struct mutant *best)
{
	if (m->checks || !m->longer_us ||
	    mutation_effort(m, best) * 100 >= (double)m->limits->slip_variable)
		return;
	g_debug("a likely change mends, so runs that do not end get no more time");
	m->longer_us = m->longest_us = 0;
}

bool mutation_find(struct mutation *m, const char *file, unsigned line,
		   const struct mutation_choice *which, struct mutation_verdict *out, bool *spent,
		   GError **error)
{
	const GArray *all;
	bool ok;

	*out = (struct mutation_verdict){ 0 };
	mutation_begin_with_one(m);
	*spent = mutation_is_spent(m);
	if (*spent)
		return true;
	all = mutants_of_line(m, file, line);
	ok = find_among(m, all, which, out, spent, error);
	if (ok && out->mended && !out->more)
		end_longer_runs(m, &out->best);
	g_debug("%s:%u: parts %d to %d of %u mutants, %u of %" G_GUINT64_FORMAT " runs: %s", file,
		line, which->first, which->last, all->len, m->runs, m->most_runs,
		out->mended ? "mended" : "no slip");
	return ok;
}

bool mutation_find_inserted(struct mutation *m, const char *file, unsigned line, int64_t only,
			    struct mutation_verdict *out, bool *spent, GError **error)
{
	const struct mutation_choice all = { MUTATION_COMMON, MUTATION_REST, G_MAXDOUBLE, 0 };
	g_autoptr(GArray) mutants = mutator_insertions(m->mutator, file, line, only);
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	bool ok;

	*out = (struct mutation_verdict){ 0 };
	mutation_begin_with_one(m);
	*spent = mutation_is_spent(m);
	for (guint i = 0; i < mutants->len; i++) {
		struct candidate c = { .mutant = g_array_index(mutants, struct mutant, i) };

		if (is_mutant_executed(m, &c.mutant) && !changes_spared(m, &c.mutant))
			g_array_append_val(candidates, c);
	}
	ok = find_among(m, candidates, &all, out, spent, error);
	g_debug("%s:%u: %u statements put in, %u of %" G_GUINT64_FORMAT " runs: %s", file, line,
		candidates->len, m->runs, m->most_runs, out->mended ? "mended" : "none mends");
	return ok;
}
