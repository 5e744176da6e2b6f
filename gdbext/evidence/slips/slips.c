/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips/slips.h"
#include "gdbext/evidence/initial-values.h"
#include "gdbext/evidence/slips/recorded-slips.h"
#include "gdbext/evidence/slips/slips-private.h"
#include "gdbext/evidence/slips/text-slips.h"
#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/analysis/open-calls.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/failing-check.h"
#include "gdbext/question/analysis/led-outside.h"
#include "gdbext/question/wrong-output.h"
#include "gdbext/replay/follow.h"
#include "solver/answer/describe.h"
#include "solver/answer/order/evidence.h"
#include "solver/answer/order/plausibility.h"
#include "solver/cause/verdict.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* The test is judged by its status.  A change with which it prints the same message as before
 * mends nothing. */
static const struct expected_output *expect_no_message(struct slips *s)
{
	const struct run_source *run = &s->q->run;
	g_autofree char *text = NULL;
	gsize length;

	if (s->q->requirement->end.end != RUN_STATUS || !run->failing.err ||
	    !g_file_get_contents(run->failing.err, &text, &length, NULL) || !length)
		return NULL;
	s->by_status.unwanted = g_string_new_len(text, (gssize)length);
	return &s->by_status;
}

struct slips *slips_new(struct question *q, double seconds)
{
	struct slips *s = g_new0(struct slips, 1);
	g_auto(GStrv) words = run_source_words(&q->run, q->o);

	s->q = q;
	s->limits = q->o->limits;
	s->limits.reached = &q->e->reached;
	s->expected = wrong_output_expected(q);
	s->deadline = g_get_monotonic_time() + (gint64)(seconds * 1e6);
	s->found = g_ptr_array_new_with_free_func(slip_free);
	/* the mutants are judged by what the test as a whole does, which a condition is not about
	 */
	if (q->run.replay && !q->e->not_run && g_strcmp0(q->e->failure.kind, "condition") != 0)
		s->test = neighbours_of_one(q->run.program, words, run_source_stdin(&q->run, q->o),
					    s->expected ? s->expected : expect_no_message(s));
	return s;
}

void slips_free(struct slips *s)
{
	if (!s)
		return;
	mutation_free(s->mutation);
	neighbours_free(s->test);
	expected_clear(&s->by_status);
	g_ptr_array_unref(s->found);
	g_free(s);
}

bool slips_are_of_several(const struct slips *s)
{
	return !s->q->memory && !failing_check_is_only_one(s->q);
}

bool slips_need_records(const struct slips *s)
{
	return s->q->memory || slips_are_of_several(s);
}

static double now_ms(const struct slips *s)
{
	return 1000 * g_timer_elapsed(s->q->clock, NULL);
}

/* To look for a second execution far back takes longer than to run what needs it. */
static bool is_executed_again(const struct question *q, const struct image *im, uint64_t addr)
{
	uint64_t bias, pc, last = q->index ? reverse_index_steps(q->index) : UINT64_MAX;

	if (last > q->o->limits.nearby_alone_from || !trace_point_bias_of(q->point, im, &bias))
		return true;
	pc = addr + bias;
	last = reverse_index_find_insn(q->index, 0, last, &pc, 1);
	return last != UINT64_MAX &&
	       reverse_index_find_insn(q->index, 0, last, &pc, 1) != UINT64_MAX;
}

/* The call that prints what is wrong is the next instruction at the failure. */
static bool is_next_at_failure(const struct question *q, const struct image *im, uint64_t addr)
{
	uint64_t bias;

	return wrong_output_expected(q) && trace_point_bias_of(q->point, im, &bias) &&
	       trace_cursor_pc(trace_point_cursor(q->point)) == addr + bias;
}

static bool is_slip_executed(const void *question, uint64_t addr, bool again)
{
	const struct question *q = question;
	const struct image *im = q->run.images[0];
	const struct trace_insn *insn = image_insn_at(im, addr);

	return !insn || (!again && is_next_at_failure(q, im, addr)) ||
	       (trace_point_has_executed(q->point, im, insn) &&
		(!again || is_executed_again(q, im, addr)));
}

static uint64_t first_step_of_slip(const void *question, uint64_t addr)
{
	const struct question *q = question;
	const struct image *im = q->run.images[0];
	const struct trace_insn *insn = image_insn_at(im, addr);

	return insn ? trace_point_first_step(q->point, im, insn) : UINT64_MAX;
}

/* The record says all that was executed. */
static bool is_recorded_whole(const struct question *q)
{
	return trace_point_threads(q->point) == 1 && !trace_point_left_out(q->point) &&
	       q->run.failing.own_code == TRACE_OWN_CODE_KEPT &&
	       !follow_has_children(&q->run.failing);
}

static struct mutation *mutation_of(struct slips *s)
{
	const struct explanation *e = s->q->e;
	const bool crashed = slips_crashed(s);
	const struct image_statement *decided = failing_check_decided_at(s->q);
	const char *file = decided ? decided->file : e->failure.file;
	g_autofree char *count = verdict_count(e);
	struct mutation *m;

	/* many expressions meet a check, but few give all of the output */
	if (!s->expected)
		s->limits.mutant_expressions = 0;
	/* of output, memory and a crash, no check of the program's own has to be made still */
	m = mutation_new(s->q->run.replay, s->test,
			 s->expected || s->q->memory || crashed ? NULL : file,
			 decided ? decided->line : e->failure.line,
			 trace_point_executed(s->q->point), &s->limits);
	mutation_spare(m, count);
	if (is_recorded_whole(s->q)) {
		mutation_executes(m, is_slip_executed, s->q);
		mutation_starts_late(m, first_step_of_slip, s->q);
	}
	if (slips_are_of_several(s))
		mutation_meets_several(m);
	if (crashed)
		mutation_try_checks(m);
	if (s->expected && wrong_output_start(s->q).lacks_text)
		mutation_lacks_text(m, e->failure.file, e->failure.line);
	if (s->q->requirement->end.end != RUN_STATUS && slips_want_time(s))
		mutation_fails_early(m);
	if (s->q->endless)
		mutation_goes_round(m);
	return m;
}

struct mutation *slips_begin(struct slips *s, uint64_t us)
{
	s->limits.mutant_all_us = us;
	if (s->mutation)
		mutation_allow_time(s->mutation, s->limits.mutant_all_us);
	else
		s->mutation = mutation_of(s);
	mutation_until(s->mutation, s->deadline);
	s->ms -= now_ms(s);
	return s->mutation;
}

void slips_finish(struct slips *s)
{
	s->ms += now_ms(s);
}

/* Only a change that stays in its place can be recorded.  All these runs have one limit. */
static bool is_slip_led_outside(struct slips *s, const struct slip *slip)
{
	const struct replay_failing *f = &s->q->run.failing;
	const GArray *actions = slip->actions;

	if (slips_need_records(s) || slip->line.statement == &slip->declared || !actions ||
	    !actions->len)
		return false;
	for (guint i = 0; i < actions->len; i++)
		if (g_array_index(actions, struct trace_action, i).kind != TRACE_ACTION_CODE)
			return false;
	s->looked_at += replay_insns(f, f->thread);
	return s->looked_at <= s->limits.influence_insns &&
	       led_outside(s->q, (const struct trace_action *)(const void *)actions->data,
			   actions->len);
}

bool slips_look_at(struct slips *s, struct mutation *m, struct slip *slip,
		   const struct mutation_choice *which, GError **error)
{
	const struct image_statement *at = slip->line.statement;
	g_autoptr(GPtrArray) outside = g_ptr_array_new_with_free_func(g_free);
	struct mutation_verdict v;
	bool spent;

	while (!slip->change) {
		if (!mutation_find(m, at->file, at->line, which, &v, &spent, error))
			return false;
		slip->is_whole =
			which->last == MUTATION_REST && which->below == G_MAXDOUBLE && !spent;
		if (!v.mended)
			return true;
		slip_take_mutant(slip, m, &v, s->q->run.images[0]);
		/* the same change may be made by other instructions, which cannot be recorded */
		if (!g_ptr_array_find_with_equal_func(outside, slip->change, g_str_equal, NULL) &&
		    !is_slip_led_outside(s, slip))
			return true;
		g_ptr_array_add(outside, g_strdup(slip->change));
		slip_forget(slip);
		mutation_refute(m, &v.best);
	}
	return true;
}

/* ---- suspects ---- */

static const struct explanation_statement *first_statement(const struct explanation_suspect *s)
{
	return &g_array_index(s->statements, struct explanation_statement, 0);
}

static bool is_statement_named(const struct explanation *e, const struct image_statement *st)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES && s->size == 1 && s->statements->len &&
		    first_statement(s)->line == st->line &&
		    g_strcmp0(first_statement(s)->file, st->file) == 0)
			return true;
	}
	return false;
}

static void add_slips_found(struct slips *s)
{
	struct question *q = s->q;

	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];
		const struct image_statement *st = slip->line.statement;
		const struct code_change change = { .statement = st,
						    .words = slip->change,
						    .actions = slip->actions,
						    .is_data = st == &slip->declared,
						    .is_called_back = slip->line.is_called_back,
						    .distance = slip->line.distance };

		if (!slip->change || is_statement_named(q->e, st))
			continue;
		describe_code_change(q->e, q->run.images[0], &change);
		describe_finish(q->e, q->run.images, q->run.n_images);
		slip_add_evidence(q->e, slip, slips_are_of_several(s), st->file, st->line);
	}
	trace_point_coverage(q->point, q->e);
}

void slips_tell_early(struct slips *s, const struct slip *slip)
{
	struct explanation *e = s->q->e;

	/* to a program that reads a stream the formula tells the same lines of a failed check */
	if (!slip->change || !(s->expected ? analysis_is_heard(s->q) : s->q->found != NULL))
		return;
	add_slips_found(s);
	open_calls_note(s->q);
	plausibility_order(e, &s->q->o->limits);
	analysis_stream(s->q);
	g_ptr_array_set_size(e->suspects, 0);
	g_array_set_size(e->lines, 0);
}

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

/* Tries the least change of each variable's values, but of that in which the test counts what
 * failed.  hinted: only changes to values that explanations have. */
static bool search_data(struct slips *s, struct mutation *m, bool hinted, GError **error)
{
	g_autoptr(GHashTable) mended = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) mutants = initial_value_mutants(s->q, &s->limits, hinted, error);
	g_autofree char *count = verdict_count(s->q->e);
	bool ok = mutants != NULL, spent = false, passes;

	for (guint i = 0; ok && !spent && i < mutants->len; i++) {
		const struct data_mutant *d = &g_array_index(mutants, struct data_mutant, i);
		g_autoptr(GArray) actions = NULL;
		const struct slip *slip;

		if (g_hash_table_contains(mended, initial_value_of(d)) ||
		    (d->variable && g_strcmp0(d->variable->name, count) == 0))
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

/* What the runs of search_lines may take together: in long runs a clock ends them. */
static uint64_t time_of_lines(const struct slips *s)
{
	const struct limits *l = &s->q->o->limits;
	const uint64_t run = trace_point_executed(s->q->point) / l->instructions_a_us;

	return MAX(l->slip_lines_us, l->slip_lines_runs * run);
}

static bool search_lines(struct slips *s, GError **error)
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
	ok = slips_try_lines(s, m, s->found, SLIPS_ALL, error);
	s->is_cut = mutation_is_spent(m);
	slips_finish(s);
	return ok;
}

/* ---- judged by records: invalid accesses to memory, and one of several checks ---- */

static struct slip *take_found(struct slips *s, const struct near_line *line, char *words,
			       double effort, const GArray *actions)
{
	const struct slip slip = { .line = *line,
				   .change = words,
				   .effort = effort,
				   .actions = g_array_copy((GArray *)actions) };

	g_ptr_array_add(s->found, g_memdup2(&slip, sizeof slip));
	return s->found->pdata[s->found->len - 1];
}

static void take_recorded_slip(void *slips, const struct recorded_slip *of)
{
	take_found(slips, &of->line, of->words, of->effort, of->actions)->is_of_one = of->of_one;
}

static bool search_by_records(struct slips *s, GError **error)
{
	struct mutation *m = slips_begin(s, s->limits.slip_all_us);
	bool ok = recorded_slips_search(s->q, m, &s->limits, take_recorded_slip, s, error);

	slips_finish(s);
	return ok;
}

static void take_text_slip(void *slips, const struct text_slip *of)
{
	const struct near_line line = { .statement = of->statement };

	slips_tell_early(slips, take_found(slips, &line, of->words, of->effort, of->actions));
}

static bool search_lines_and_data(struct slips *s, GError **error)
{
	struct mutation *m;
	bool ok = search_lines(s, error) && slips_search_unset(s, error);

	if (ok && s->expected && s->limits.slip_data) {
		m = slips_begin(s, s->limits.slip_data_us);
		ok = search_data(s, m, false, error);
		slips_finish(s);
	}
	if (ok && s->expected && !slips_found(s)) {
		m = slips_begin(s, s->limits.slip_data_us);
		ok = text_slips_search(s->q, s->expected, m, &s->limits, take_text_slip, s, error);
		slips_finish(s);
	}
	return ok;
}

bool slips_search(struct slips *s, GError **error)
{
	const gint64 end = s->deadline, left = MAX(end - g_get_monotonic_time(), 0);
	bool ok;

	if (!s->test || s->q->o->no_hijack)
		return true;
	if (s->q->memory)
		return search_by_records(s, error);
	/* what is near the failure and the formula have to have their time, too */
	s->deadline = end - left / 100 * (100 - (gint64)s->limits.nearby_share);
	ok = search_lines_and_data(s, error) && slips_search_far(s, error);
	s->deadline = end;
	return ok;
}

bool slips_are_judged_by_all(const struct slips *s)
{
	return s->expected || slips_need_records(s);
}

bool slips_are_cut(const struct slips *s)
{
	return s->is_cut;
}

bool slips_found(const struct slips *s)
{
	for (guint i = 0; i < s->found->len; i++)
		if (((const struct slip *)s->found->pdata[i])->change)
			return true;
	return false;
}

/* ---- the answer ---- */

static bool is_worth_evidence(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES && s->size == 1 && s->statements->len && !s->evidence;
}

/* The least change that slips_search knows for the line, if there is one.  NULL: it did not look at
 * the line, or not at all of its mutants. */
static const struct slip *known_slip(const struct slips *s, const struct explanation_statement *st)
{
	const struct slip *found = NULL;

	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->line.statement->line == st->line &&
		    g_strcmp0(slip->line.statement->file, st->file) == 0 &&
		    (slip->change || slip->is_whole) &&
		    (!found || (slip->change && (!found->change || slip->effort < found->effort))))
			found = slip;
	}
	return found;
}

static bool judge_slips(struct slips *s, struct mutation *m,
			const struct explanation_suspect *suspect, GError **error)
{
	const struct explanation_statement *st = first_statement(suspect);
	const struct image_statement at = { .file = st->file, .line = st->line };
	const struct mutation_choice all = { MUTATION_COMMON, MUTATION_REST, G_MAXDOUBLE, 0 };
	const struct slip *slip = known_slip(s, st);
	struct slip *own = NULL;
	bool ok = true;

	/* of an invalid access a native run does not tell */
	if (!slip && s->q->memory)
		return true;
	if (!slip) {
		slip = own = g_new0(struct slip, 1);
		own->line.statement = &at;
		ok = slips_look_at(s, m, own, &all, error);
	}
	if (ok)
		slip_add_evidence(s->q->e, slip, slips_are_of_several(s), st->file, st->line);
	if (own)
		slip_free(own);
	return ok;
}

/* The end of the time is no error: the answer stands without slips.  Takes failed. */
static bool forgive_end_of_time(bool ok, GError *failed, GError **error)
{
	ok |= ending_forgive_time(&failed);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

/* Returns false when it was interrupted. */
static bool try_slips_of_suspects(struct slips *s, GError **error)
{
	const GPtrArray *suspects = s->q->e->suspects;
	struct mutation *m = slips_begin(s, s->limits.slip_all_us);
	GError *failed = NULL;
	bool ok = true;

	for (guint i = 0; ok && i < suspects->len; i++)
		if (is_worth_evidence(suspects->pdata[i]))
			ok = judge_slips(s, m, suspects->pdata[i], &failed);
	if (ok && !s->expected && !slips_need_records(s))
		ok = search_data(s, m, true, &failed);
	slips_finish(s);
	return forgive_end_of_time(ok, failed, error);
}

/* Several checks failed, so changes are looked for that mend the one that is asked about. */
static bool search_for_one_check(struct slips *s, GError **error)
{
	const GPtrArray *suspects = s->q->e->suspects;
	GError *failed = NULL;
	bool ok;

	if (s->q->memory || !slips_need_records(s))
		return true;
	ok = search_by_records(s, &failed);
	for (guint i = 0; ok && i < suspects->len; i++) {
		const struct explanation_statement *st = first_statement(suspects->pdata[i]);
		const struct slip *slip =
			is_worth_evidence(suspects->pdata[i]) ? known_slip(s, st) : NULL;

		if (slip)
			slip_add_evidence(s->q->e, slip, slips_are_of_several(s), st->file,
					  st->line);
	}
	return forgive_end_of_time(ok, failed, error);
}

/* Is one of them as common as a number that is one too large? */
static bool found_commonest_slip(const struct slips *s)
{
	for (guint i = 0; i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];

		if (slip->change && slip->effort * 100 <= (double)s->limits.slip_by_one)
			return true;
	}
	return false;
}

/* Where a check failed, other initial values than those of explanations.  In a long run, many of a
 * large table meet it by chance. */
static bool search_data_last(struct slips *s, GError **error)
{
	struct mutation *m;
	GError *failed = NULL;
	bool ok;

	if (s->expected || slips_need_records(s) || !s->limits.slip_data ||
	    (slips_found(s) && !slips_are_of_short_run(s)) || found_commonest_slip(s))
		return true;
	m = slips_begin(s, s->limits.slip_data_us);
	ok = search_data(s, m, false, &failed);
	slips_finish(s);
	return forgive_end_of_time(ok, failed, error);
}

bool slips_gather(struct slips *s, GError **error)
{
	struct explanation *e = s->q->e;
	bool ok = true;

	if (s->test) {
		ok = try_slips_of_suspects(s, error);
		if (ok)
			ok = search_for_one_check(s, error);
		if (ok && s->expected && !slips_need_records(s))
			ok = slips_search_later(s, error);
		if (ok)
			ok = slips_search_conditions(s, error);
		if (ok)
			ok = slips_search_rest(s, error);
		if (ok)
			ok = search_data_last(s, error);
		add_slips_found(s);
		explanation_add_stage(e, "changes", s->ms, mutation_runs(s->mutation), "runs");
	}
	open_calls_note(s->q);
	plausibility_order(e, &s->q->o->limits);
	return ok;
}
