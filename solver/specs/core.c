/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/core.h"

#include "solver/source/failing-lines.h"
#include "solver/formula/walk.h"
#include "solver/query/encode.h"

struct finder {
	const struct core_question *q;
	struct selector_table *selectors;
	struct encoding *encoding;
	GArray *soft; /* unsigned: selectors that may be in the core, ascending */
	GArray *kept; /* of them: those that are in it so far */
};

static bool is_soft_in_core(const struct finder *f, unsigned selector)
{
	const struct image_statement *s = f->selectors->statements->pdata[selector];
	g_autofree char *key = failing_lines_key(s);

	return g_hash_table_contains(f->q->lines, key);
}

static bool core_has_number(const GArray *numbers, unsigned number)
{
	for (guint i = 0; i < numbers->len; i++)
		if (g_array_index(numbers, unsigned, i) == number)
			return true;
	return false;
}

/* Can the constraint hold when only these selectors, and the hard ones, do? */
static enum smt_answer is_satisfiable_with(struct finder *f, const GArray *kept, GArray *core)
{
	g_autoptr(GArray) relaxed = g_array_new(FALSE, FALSE, sizeof(unsigned));
	struct encoding_question question = { 0 };

	for (guint i = 0; i < f->soft->len; i++) {
		unsigned s = g_array_index(f->soft, unsigned, i);

		if (!core_has_number(kept, s))
			g_array_append_val(relaxed, s);
	}
	question.relaxed = (const unsigned *)(void *)relaxed->data;
	question.n = relaxed->len;
	return encoding_check(f->encoding, &question, (unsigned)f->q->limits->core_ms, core);
}

/* The soft members of a core that the solver gave. */
static void take_core(struct finder *f, const GArray *core)
{
	g_array_set_size(f->kept, 0);
	for (guint i = 0; i < f->soft->len; i++) {
		unsigned s = g_array_index(f->soft, unsigned, i);

		if (core_has_number(core, s))
			g_array_append_val(f->kept, s);
	}
}

/* Leaves out one after the other; what the rest needs stays. */
static bool minimize_found_core(struct finder *f)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	bool is_minimal = true;

	for (guint i = 0; i < f->kept->len;) {
		g_autoptr(GArray) fewer = g_array_copy(f->kept);
		enum smt_answer answer;
		unsigned left_out = g_array_index(f->kept, unsigned, i);

		if (deadline_is_over(f->q->until))
			return false;
		g_array_remove_index(fewer, i);
		answer = is_satisfiable_with(f, fewer, core);
		is_minimal &= answer != SMT_UNKNOWN;
		if (answer != SMT_UNSAT) {
			i++;
			continue;
		}
		take_core(f, core);
		/* those before were needed by more, so they are needed by less */
		for (i = 0; i < f->kept->len && g_array_index(f->kept, unsigned, i) < left_out;)
			i++;
	}
	return is_minimal;
}

static GHashTable *lines_of_core(const struct finder *f)
{
	GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < f->kept->len; i++)
		g_hash_table_add(
			lines,
			failing_lines_key(f->selectors->statements
						  ->pdata[g_array_index(f->kept, unsigned, i)]));
	return lines;
}

static GHashTable *find_core_lines(struct finder *f, bool *is_minimal, GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer;

	for (guint i = 0; i < f->encoding->selectors->len; i++) {
		unsigned s = g_array_index(f->encoding->selectors, unsigned, i);

		if (is_soft_in_core(f, s))
			g_array_append_val(f->soft, s);
	}
	answer = is_satisfiable_with(f, f->soft, core);
	if (answer != SMT_UNSAT) {
		g_set_error(
			error, TRACE_ERROR, TRACE_ERROR_LONG,
			answer == SMT_SAT
				? "What is violated rests on what is not recorded."
				: "The core is not found within --limit core_ms=%" G_GUINT64_FORMAT
				  ".",
			f->q->limits->core_ms);
		return NULL;
	}
	take_core(f, core);
	*is_minimal = minimize_found_core(f);
	return lines_of_core(f);
}

/* Calls before the one that is asked about execute the same lines. */
static void harden_what_came_before(const struct finder *f, struct formula *formula)
{
	for (guint i = 0; i < formula->definitions->len; i++) {
		struct definition *d = &g_array_index(formula->definitions, struct definition, i);

		if (d->step != DEFINITION_OF_ANOTHER_RUN && d->step < f->q->first)
			d->selector = SELECTOR_HARD;
	}
}

static GHashTable *find_in(struct finder *f, struct formula *formula, bool *is_minimal,
			   GError **error)
{
	struct inlined_scope all = { 0 };
	struct smt *smt = smt_new(formula->pool, f->q->solver);
	GHashTable *lines;

	harden_what_came_before(f, formula);
	f->encoding = encode(formula, smt, &all, NULL);
	f->soft = g_array_new(FALSE, FALSE, sizeof(unsigned));
	f->kept = g_array_new(FALSE, FALSE, sizeof(unsigned));
	lines = find_core_lines(f, is_minimal, error);
	g_array_unref(f->soft);
	g_array_unref(f->kept);
	encoding_free(f->encoding);
	smt_free(smt);
	return lines;
}

GHashTable *core_find(const struct core_question *q, struct lift *lift, bool *is_minimal,
		      GError **error)
{
	struct finder f = { .q = q, .selectors = selector_table_new() };
	struct trace_summary *summary = trace_summary_new(q->run, lift, error);
	struct term_pool *pool = term_pool_new();
	struct walk_run run = { .record = q->run, .failed = true };
	struct walk_options options = { .selectors = f.selectors,
					.granularity = WALK_BY_LINE,
					.other_sides = WALK_SIDES_FREE,
					.hard_addresses = true,
					.unroll = (unsigned)q->limits->unroll,
					.summary = summary,
					.requirement = q->requirement,
					.until = q->until,
					.limits = q->limits };
	struct formula *formula = NULL;
	GHashTable *lines = NULL;

	term_pool_set_limits(pool, q->limits);
	if (summary)
		formula = walk_runs(pool, &run, 1, lift, &options, error);
	if (formula)
		lines = find_in(&f, formula, is_minimal, error);
	formula_free(formula);
	term_pool_free(pool);
	trace_summary_free(summary);
	selector_table_free(f.selectors);
	return lines;
}
