/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slips that are looked for when the formula was asked. */
#include "gdbext/evidence/slips/slips-private.h"

#include "gdbext/evidence/slips/mended.h"
#include "gdbext/question/analysis/near-lines.h"
#include "gdbext/question/ending.h"
#include "solver/answer/order/plausibility.h"
#include "solver/answer/order/test-code.h"
#include "solver/cause/verdict.h"

#include <signal.h>

/* Does nothing mend the output that tells much?  Another input does not. */
static bool is_unmended(const struct slips *s)
{
	if (mended_by_suspect(s->q->e))
		return false;
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->change &&
		    !test_code_changes_input(s->q->e, slip->line.statement->function,
					     slip->change) &&
		    !mended_where_it_fails(s->q->e, slip->line.statement->file,
					   slip->line.statement->line))
			return false;
	}
	return true;
}

/* ---- is something likely found? ---- */

bool slips_crashed(const struct slips *s)
{
	const struct requirement_end *end = &s->q->requirement->end;

	return !s->q->check && end->end == RUN_SIGNAL && end->signo != SIGABRT;
}

/* Another variable, and whatever is further from what the line says, meets a check by chance. */
static bool is_likely(const struct slips *s, double effort)
{
	return effort * 100 < (double)s->limits.slip_variable;
}

/* Where a change is made. */
struct code_place {
	const char *file, *function;
};

/* Do lines of other files lead to the failed check, too?  Then this file is the test's, and a
 * change in it may only weaken the check. */
static bool is_of_test_file(const struct slips *s, const char *file)
{
	if (!s->q->e->failure.in_test || g_strcmp0(file, s->q->e->failure.file) != 0)
		return false;
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->line.statement != &slip->declared &&
		    g_strcmp0(slip->line.statement->file, file) != 0)
			return true;
	}
	return false;
}

/* Another input is likelier to hide a failure than to be the mistake. */
static bool is_likely_change(const struct slips *s, const struct code_place *at, const char *change,
			     double effort)
{
	return change && is_likely(s, effort) &&
	       !test_code_changes_input(s->q->e, at->function, change) &&
	       !is_of_test_file(s, at->file);
}

/* limit: in hundredths, what such a change costs less than. */
static bool found_below(const struct slips *s, uint64_t limit)
{
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];
		const struct code_place at = { slip->line.statement->file,
					       slip->line.statement->function };

		if (!slip->is_of_one &&
		    !verdict_row(s->q->e, at.file, slip->line.statement->line) &&
		    slip->effort * 100 < (double)limit &&
		    is_likely_change(s, &at, slip->change, slip->effort))
			return true;
	}
	return false;
}

bool slips_found_likely(const struct slips *s)
{
	return found_below(s, s->limits.slip_variable);
}

bool slips_are_of_short_run(const struct slips *s)
{
	const struct question *q = s->q;

	return !q->memory && q->index && reverse_index_steps(q->index) < s->limits.slip_rest_from;
}

/* An exit status is met by chance more often than an assertion. */
bool slips_meet_check(const struct slips *s)
{
	return !s->expected && !slips_need_records(s) && !slips_crashed(s) &&
	       slips_found_likely(s) && s->q->requirement->end.end != RUN_STATUS;
}

/* Does the line of what the suspect changes only find that the test fails? */
static bool is_of_verdict(const struct slips *s, const struct explanation_suspect *of)
{
	const struct explanation_statement *st =
		of->statements->len
			? &g_array_index(of->statements, struct explanation_statement, 0)
			: NULL;

	return st && verdict_row(s->q->e, st->file, st->line);
}

/* Where several checks failed, what meets one of them may do so by chance. */
static bool meets_all(const struct slips *s, const struct explanation_suspect *of)
{
	return of->evidence && (!slips_are_of_several(s) || of->evidence->whole);
}

/* Has a suspect a likely change that does not only keep the run from the failure?  limit: as of
 * found_below. */
static bool has_change_below(const struct slips *s, uint64_t limit)
{
	const struct explanation *e = s->q->e;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *of = e->suspects->pdata[i];
		const struct explanation_statement *st =
			of->statements->len
				? &g_array_index(of->statements, struct explanation_statement, 0)
				: NULL;

		if (st && meets_all(s, of) && !plausibility_dodges(e, of) &&
		    !is_of_verdict(s, of) && of->evidence->effort * 100 < (double)limit &&
		    is_likely_change(s, &(struct code_place){ st->file, st->function },
				     of->evidence->change, of->evidence->effort))
			return true;
	}
	return false;
}

/* ---- lines ---- */

/* uint64_t: the executions of branches that were turned, with which the test passes or gets
 * further. */
static GArray *proven_branches(const struct slips *s)
{
	GArray *branches = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const GPtrArray *suspects = s->q->e->suspects;

	for (guint i = 0; i < suspects->len; i++) {
		const struct explanation_suspect *suspect = suspects->pdata[i];

		if (suspect->replay != REPLAY_PASSES && !suspect->further_to)
			continue;
		for (guint k = 0; k < suspect->instances->len; k++) {
			const struct explanation_instance *x =
				&g_array_index(suspect->instances, struct explanation_instance, k);
			const struct explanation_statement *st = &g_array_index(
				suspect->statements, struct explanation_statement, x->statement);

			if (g_strcmp0(st->kind, "condition") == 0 && x->at.pc &&
			    x->at.step < reverse_index_steps(s->q->index))
				g_array_append_val(branches, x->at.step);
		}
	}
	return branches;
}

/* The slip of the line, which is added where it is none of the lines so far. */
static struct slip *slip_of_line(struct slips *s, const struct near_line *line)
{
	struct slip *slip;

	for (guint i = 0; i < s->found->len; i++) {
		slip = s->found->pdata[i];
		if (image_line_equal(slip->line.statement, line->statement))
			return slip;
	}
	slip = g_new0(struct slip, 1);
	slip->line = *line;
	g_ptr_array_add(s->found, slip);
	return slip;
}

/* A branch that mends the test when it goes the other way was decided by something: the fault may
 * be there. */
static bool search_behind(struct slips *s, struct mutation *m, GError **error)
{
	g_autoptr(GArray) branches =
		s->q->index ? proven_branches(s) : g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GArray) lines =
		near_lines_behind(s->q, branches, (unsigned)s->limits.slip_behind_lines);
	g_autoptr(GPtrArray) slips = g_ptr_array_new();

	g_debug("%u lines behind %u branches", lines->len, branches->len);
	for (guint i = 0; i < lines->len; i++)
		g_ptr_array_add(slips, slip_of_line(s, &g_array_index(lines, struct near_line, i)));
	return slips_try_lines(s, m, slips, SLIPS_ALL, error);
}

static bool search_more_lines(struct slips *s, GError **error)
{
	const bool found = slips_found(s);
	struct mutation *m = slips_begin(s, s->limits.slip_later_us);
	GError *failed = NULL;
	bool ok = found || search_behind(s, m, &failed);

	/* where something mends the output, only likelier changes are worth more time */
	if (ok)
		ok = slips_try_lines(s, m, s->found, is_unmended(s) ? SLIPS_ALL : SLIPS_COMMON,
				     &failed);
	slips_finish(s);
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

/* ---- lines that are not near ---- */

/* The lines of the slips so far.  Free it. */
static GHashTable *lines_of_slips(const struct slips *s)
{
	GHashTable *lines = g_hash_table_new(image_line_hash, image_line_equal);

	for (guint i = 0; i < s->found->len; i++)
		g_hash_table_add(
			lines, (gpointer)((const struct slip *)s->found->pdata[i])->line.statement);
	return lines;
}

/* A line in which none mends is not kept. */
static bool try_least_of_line(struct slips *s, struct mutation *m, const struct near_line *line,
			      GError **error)
{
	struct slip *slip = g_new0(struct slip, 1);
	g_autoptr(GPtrArray) lines = g_ptr_array_new();
	bool ok;

	slip->line = *line;
	g_ptr_array_add(s->found, slip);
	g_ptr_array_add(lines, slip);
	ok = slips_try_lines(s, m, lines, SLIPS_LEAST, error);
	if (!slip->change)
		g_ptr_array_remove_index(s->found, s->found->len - 1);
	return ok;
}

static bool is_far_worth_time(const struct slips *s)
{
	const struct question *q = s->q;

	return q->index && reverse_index_steps(q->index) >= s->limits.slip_far_from &&
	       (s->expected ? is_unmended(s) : !slips_found_likely(s));
}

bool slips_search_far(struct slips *s, GError **error)
{
	g_autoptr(GHashTable) known = NULL;
	g_autoptr(GArray) lines = NULL;
	struct mutation *m;
	bool ok = true;

	if (!is_far_worth_time(s))
		return true;
	known = lines_of_slips(s);
	lines = near_lines(s->q, (unsigned)s->limits.slip_far_lines);
	m = slips_begin(s, s->limits.slip_far_us);
	for (guint i = 0; ok && i < lines->len && !mutation_is_spent(m); i++) {
		const struct near_line *line = &g_array_index(lines, struct near_line, i);

		if (!g_hash_table_contains(known, line->statement))
			ok = try_least_of_line(s, m, line, error);
	}
	slips_finish(s);
	return ok;
}

/* ---- statements that are missing ---- */

/* only: as of mutator_insertions. */
static bool insert_in_lines(struct slips *s, struct mutation *m, int64_t only, bool *found,
			    GError **error)
{
	const guint n = s->found->len;
	uint64_t most = s->limits.insertion_lines;
	bool ok = true, spent = false;

	for (guint i = 0; ok && i < n && most && !spent; i++) {
		const struct slip *at = s->found->pdata[i];
		struct mutation_verdict v;
		struct slip *slip;

		/* in a function that finds that the test fails nothing is missing */
		if (at->line.statement == &at->declared ||
		    (verdict_is_of(s->q->e, at->line.statement->function) &&
		     test_code_has(s->q->e, at->line.statement->function)))
			continue;
		ok = mutation_find_inserted(m, at->line.statement->file, at->line.statement->line,
					    only, &v, &spent, error);
		if (!ok || !v.mended)
			continue;
		slip = g_new0(struct slip, 1);
		slip->line = at->line;
		slip_take_mutant(slip, m, &v, s->q->run.images[0]);
		g_ptr_array_add(s->found, slip);
		*found = true;
		most--;
	}
	return ok;
}

bool slips_search_unset(struct slips *s, GError **error)
{
	struct mutation *m;
	bool found = false, ok;

	if (!s->found->len || !slips_are_of_short_run(s))
		return true;
	m = slips_begin(s, s->limits.insertion_us);
	ok = insert_in_lines(s, m, slips_found_likely(s) ? INSERTED_UNSET : INSERTED_ANEW, &found,
			     error);
	slips_finish(s);
	return ok;
}

/* A likely one where it is needed is worth more than any statement that mends by chance. */
static bool search_insertions(struct slips *s, GError **error)
{
	struct mutation *m = slips_begin(s, s->limits.insertion_us);
	GError *failed = NULL;
	bool found = false;
	bool ok;

	ok = insert_in_lines(s, m, INSERTED_LIKELY, &found, &failed) &&
	     ((found && !slips_are_of_short_run(s)) || insert_in_lines(s, m, 0, &found, &failed));

	slips_finish(s);
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

/* ---- conditions that are missing ---- */

/* What mends by a likely change needs no condition, and the test's own function has none that is
 * missing. */
static bool is_settled(const struct slips *s, const struct slip *at)
{
	return at->line.statement == &at->declared ||
	       test_code_has(s->q->e, at->line.statement->function) ||
	       (at->change && is_likely(s, at->effort));
}

/* A check of a pointer that was NULL is such a condition, and it is known already. */
static bool found_null_check(const struct slips *s)
{
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->change && slips_crashed(s) &&
		    slip->effort * 100 <= (double)s->limits.slip_null_check)
			return true;
	}
	return false;
}

static bool find_condition_at(struct slips *s, struct mutation *m, struct slip *at,
			      enum mutation_condition where, uint64_t *most, bool *spent,
			      GError **error)
{
	const struct image_statement *st = at->line.statement;
	struct mutation_verdict v;

	if (!mutation_find_condition(m, st->file, st->line, where, &v, spent, error))
		return false;
	if (!v.mended || (at->change && at->effort <= v.effort))
		return true;
	slip_take_condition(at, &v);
	slip_add_evidence(s->q->e, at, slips_are_of_several(s), st->file, st->line);
	(*most)--;
	return true;
}

/* A branch takes a few runs, so all of them are tried; the lines that a condition may leave out
 * take many. */
static bool search_conditions_of(struct slips *s, enum mutation_condition where, GError **error)
{
	const guint n = where == CONDITION_OF_BRANCH
				? s->found->len
				: MIN(s->found->len, (guint)s->limits.condition_near);
	struct mutation *m = slips_begin(s, s->limits.condition_us / 2);
	uint64_t most = s->limits.condition_shown;
	bool ok = true, spent = false;

	for (guint i = 0; ok && i < n && most && !spent; i++) {
		struct slip *at = s->found->pdata[i];

		if (!is_settled(s, at))
			ok = find_condition_at(s, m, at, where, &most, &spent, error);
	}
	slips_finish(s);
	return ok;
}

/* Does nothing mend the test in a single place? */
static bool is_unexplained(const struct slips *s)
{
	for (guint i = 0; i < s->q->e->suspects->len; i++) {
		const struct explanation_suspect *of = s->q->e->suspects->pdata[i];

		if (of->replay == REPLAY_PASSES && of->size == 1 && !mended_says_little(of))
			return false;
	}
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		/* a statement that is missing is likelier than what costs more */
		if (slip->change && !slip->is_unmeant &&
		    slip->effort * 100 < (double)s->limits.slip_inserted)
			return false;
	}
	return true;
}

bool slips_search_later(struct slips *s, GError **error)
{
	bool ok = true;

	if (s->is_cut)
		ok = search_more_lines(s, error);
	if (ok && is_unmended(s))
		ok = search_insertions(s, error);
	return ok;
}

/* ---- when nothing likely is found ---- */

bool slips_want_time(const struct slips *s)
{
	const struct question *q = s->q;

	return s->test && !q->o->no_hijack && !s->expected && !q->memory && q->index &&
	       reverse_index_steps(q->index) >= s->limits.slip_rest_from && !slips_found_likely(s);
}

/* Does nothing mend a check that failed?  A run of the program is all that a change costs then. */
static bool is_without_answer(const struct slips *s)
{
	return s->test && !s->q->o->no_hijack && !s->expected && !slips_need_records(s) &&
	       is_unexplained(s);
}

/* Takes the time that is left for all changes of the lines near the failure. */
bool slips_search_rest(struct slips *s, GError **error)
{
	struct mutation *m;
	GError *failed = NULL;
	bool ok;

	if (!(slips_want_time(s) && !has_change_below(s, s->limits.slip_variable)) &&
	    !is_without_answer(s))
		return true;
	s->tries_all = true;
	m = slips_begin(s, s->limits.slip_rest_us);
	mutation_allow_longer(m, s->limits.slip_rest_longest_us);
	ok = slips_try_lines(s, m, s->found, SLIPS_ALL, &failed);
	slips_finish(s);
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

/* Does the change say something of what is tested, and not of the test's own checks or input? */
static bool says_something(const struct slips *s, const char *file, unsigned line,
			   const char *function, const char *change)
{
	const struct explanation *e = s->q->e;

	return change && !verdict_row(e, file, line) &&
	       !(e->verdict->len && test_code_changes_input(e, function, change));
}

/* Is no such change known that mends?  Then something may be missing, although values mend, too. */
static bool has_no_change(const struct slips *s)
{
	const GPtrArray *suspects = s->q->e->suspects;

	for (guint i = 0; i < suspects->len; i++) {
		const struct explanation_suspect *of = suspects->pdata[i];
		const struct explanation_statement *st =
			of->statements->len
				? &g_array_index(of->statements, struct explanation_statement, 0)
				: NULL;

		if (st && meets_all(s, of) &&
		    says_something(s, st->file, st->line, st->function, of->evidence->change))
			return false;
	}
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];
		const struct image_statement *st = slip->line.statement;

		if (!slip->is_of_one &&
		    says_something(s, st->file, st->line, st->function, slip->change))
			return false;
	}
	return true;
}

/* Is there a likely change, or at least one that does more than to leave out a part of a condition?
 */
static bool found_or_has_below(const struct slips *s, uint64_t limit)
{
	return found_below(s, limit) || has_change_below(s, limit);
}

bool slips_search_conditions(struct slips *s, GError **error)
{
	GError *failed = NULL;
	bool ok;

	if (s->q->memory || found_null_check(s))
		return true;
	if (found_or_has_below(s, s->limits.slip_variable))
		return found_or_has_below(s, s->limits.slip_term) || !slips_are_of_short_run(s) ||
		       search_insertions(s, error);
	/* a condition that is learned from one run fits by chance */
	if (slips_are_of_several(s))
		return !slips_are_of_short_run(s) || search_insertions(s, error);
	ok = search_conditions_of(s, CONDITION_OF_BRANCH, &failed) &&
	     search_conditions_of(s, CONDITION_OF_LINES, &failed) &&
	     (!is_unexplained(s) || slips_search_rest(s, &failed)) &&
	     ((!is_unexplained(s) && !has_no_change(s)) || search_insertions(s, &failed));
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}
