/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/endless.h"
#include "gdbext/question/failing-check.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/analysis/first-chain.h"
#include "gdbext/question/analysis/native-memory.h"
#include "gdbext/question/analysis/near-failure.h"
#include "gdbext/question/memory-error.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/analysis/uncaught.h"
#include "gdbext/question/runs/progress.h"
#include "gdbext/question/wrong-output.h"
#include "gdbext/replay/interrupt.h"
#include "solver/answer/describe.h"
#include "solver/answer/json/json-decision.h"
#include "solver/answer/regions.h"
#include "solver/cause/cause.h"
#include "solver/image/variable/variable.h"
#include "solver/limits/limits.h"
#include "tui/report/report.h"

#include <errno.h>

/* The replay's runner, with a clock. */
struct timed_runner {
	struct runner runner; /* first: what the solver sees */
	struct runner *inner;
	const struct options *o;
	uint64_t from; /* what the record leaves out */
	unsigned thread;
	double ms;
	uint64_t runs;
};

static bool run_timed(struct runner *r, const struct run_request *request,
		      struct run_result *result, GError **error)
{
	struct timed_runner *t = (struct timed_runner *)r;
	gint64 start = g_get_monotonic_time();
	struct run_request here = *request;
	bool ok;

	if (!here.from)
		here.from = t->from;
	here.thread = t->thread;
	progress_stage(t->o, EVENT_PROVE, t->runs);
	ok = t->inner->run(t->inner, &here, result, error);
	t->ms += (double)(g_get_monotonic_time() - start) / 1e3;
	t->runs++;
	progress_stage(t->o, EVENT_SOLVE, t->runs);
	return ok;
}

bool analysis_is_heard(const struct question *q)
{
	return q->o->stream || q->o->events || q->found;
}

void analysis_stream(struct question *q)
{
	const struct tui_options t = { .format = TUI_JSON, .one_line = true };

	if (!analysis_is_heard(q))
		return;
	describe_finish(q->e, q->run.images, q->run.n_images);
	trace_point_coverage(q->point, q->e);
	if (q->found)
		q->found(q, q->found_arg);
	event_write((int)q->o->events, &(struct event){ .kind = EVENT_FOUND, .answer = q->e });
	if (q->o->stream)
		tui_print(stdout, q->e, &t);
}

static bool is_question_answered(const struct question *q)
{
	return q->is_answered && q->is_answered(q->is_answered_arg);
}

/* Of twenty, the last two are worth no other search. */
bool analysis_has_enough(const struct question *q)
{
	const unsigned most = q->o->max_suspects;

	return (most && q->e->suspects->len >= most - most / 10) || is_question_answered(q);
}

/* In a long run, what is near the failure may be the whole answer.  Where the run's formula can
 * be made, the formula tells more. */
static bool is_alone_enough(const struct question *q, const struct search_options *s)
{
	return q->index && reverse_index_steps(q->index) >= s->limits->nearby_alone_from;
}

/* After a first look: is there more to do? */
static bool goes_on_after_look(struct question *q, struct search *search,
			       const struct limits *limits, GError **error)
{
	const struct question_look look = q->look;
	bool enough = true;

	if (!search_is_out_of_work(search))
		return false;
	if (look.is_enough) {
		describe_finish(q->e, q->run.images, q->run.n_images);
		if (!look.is_enough(look.arg, q, &enough, error))
			return false;
	}
	if (enough) {
		limits_reached(limits, look.limit);
		return false;
	}
	q->look.work = q->look.more;
	q->look.more = 0;
	search_give_work(search, q->look.work);
	return true;
}

/* Proves one explanation after the other. */
static bool search_all(struct question *q, struct describer *describer, struct search *search,
		       const struct limits *limits, GError **error)
{
	const struct search_answer *a;
	GError *failed = NULL;
	bool enough = false;

	analysis_stream(q);
	do
		while (!enough && (a = search_next(search, &failed))) {
			describe_answer(describer, search, a);
			analysis_stream(q);
			enough = is_question_answered(q);
		}
	while (!enough && !failed && goes_on_after_look(q, search, limits, &failed));
	q->e->complete = !enough && search_complete(search) && !limits_cut(&q->e->reached);
	q->e->stopped_early = search_stopped_early(search);
	search_stats(search, &q->e->stats);
	if (search_formula(search))
		describe_values(describer, search, &q->until);
	if (failed)
		g_propagate_error(error, failed);
	return !failed;
}

/* The searches of several tests are traced one after the other. */
static bool open_trace(const struct options *o, FILE **trace, GError **error)
{
	*trace = o->trace_search ? fopen(o->trace_search, o->tests ? "ae" : "we") : NULL;
	if (!*trace && o->trace_search)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The trace of the search cannot be written to %s: %s; name another "
			    "file with --trace-search.",
			    o->trace_search, g_strerror(errno));
	return *trace || !o->trace_search;
}

static void trace_decision(void *trace, const struct search *s, const struct search_decision *d)
{
	g_autofree char *line = json_of_decision(s, d);

	fputs(line, trace);
}

static void add_search_stages(struct explanation *e, const struct search *search,
			      const struct timed_runner *timed)
{
	double formula = search_formula_ms(search);
	const struct formula *f = search_formula(search); /* NULL where the time was up */

	explanation_add_stage(e, "formula", formula, f ? f->definitions->len : 0, "definitions");
	explanation_add_stage(e, "solve", MAX(e->stats.solve_ms - formula - timed->ms, 0),
			      e->stats.checks, "checks");
	explanation_add_stage(e, "replay", timed->ms, timed->runs, "runs");
}

/* s: about a record of the run from timed's .from on. */
static bool search_record(struct question *q, struct describer *describer, const char *record,
			  struct timed_runner *timed, const struct search_options *s,
			  GError **error)
{
	double before = g_timer_elapsed(q->clock, NULL);
	struct search_options with = *s;
	struct search *search;
	bool ok;

	with.most_work = q->look.work;
	search = search_new(q->run.images, q->run.n_images, record,
			    timed->inner ? &timed->runner : NULL, &with, error);
	ok = search && search_all(q, describer, search, s->limits, error);

	q->e->stats.solve_ms += 1000 * (g_timer_elapsed(q->clock, NULL) - before);
	if (ok)
		add_search_stages(q->e, search, timed);
	if (ok && s->all_paths)
		notes_paths(q->e, search_paths(search), (unsigned)q->o->limits.unroll);
	search_free(search);
	return ok;
}

/* ---- the last part of a long run ---- */

/* Runs the test once more, recorded from that instruction on.  Returns false where it does not
 * fail as it did before. */
static bool record_last_part(const struct question *q, struct timed_runner *timed, uint64_t from,
			     struct run_result *result)
{
	const struct replay_failing *f = &q->run.failing;
	struct run_request request = { .record = true };

	timed->from = from;
	return timed->runner.run(&timed->runner, &request, result, NULL) && result->end == f->end &&
	       result->status == f->status && result->signo == f->signo;
}

/* From a step of the index on.  False with error; *looked: whether the part could be looked at. */
static bool search_last_part(struct question *q, struct describer *describer,
			     struct timed_runner *timed, const struct search_options *s,
			     uint64_t from, bool *looked, GError **error)
{
	const uint64_t left_out = timed->from;
	struct search_options part = *s;
	struct run_result result = { 0 };
	struct prefix_counts *before = reverse_index_counts(q->index, from);
	bool ok = true;

	*looked = record_last_part(q, timed, left_out + from, &result);
	part.before = before;
	if (*looked)
		ok = search_record(q, describer, result.record, timed, &part, error);
	run_result_clear(&result);
	prefix_counts_free(before);
	timed->from = left_out;
	return ok;
}

static bool is_suspect_proven(const struct question *q)
{
	for (guint i = 0; i < q->e->suspects->len; i++)
		if (((const struct explanation_suspect *)q->e->suspects->pdata[i])->replay ==
		    REPLAY_PASSES)
			return true;
	return false;
}

/* Drops the suspects, none of which is proven, because a longer part of the run tells more of
 * them.  What runs near the failure showed stays. */
static void forget_suspects(struct question *q, const struct describer *describer)
{
	for (guint i = q->e->suspects->len; i-- > 0;)
		if (!describe_has_nearby(describer, q->e->suspects->pdata[i]))
			g_ptr_array_remove_index(q->e->suspects, i);
}

static void say_how_far(struct question *q, const struct search_options *s, enum limit cut,
			uint64_t part, uint64_t steps)
{
	limits_reached(s->limits, cut);
	q->e->complete = false;
	notes_printf(q->e,
		     "only the last %" G_GUINT64_FORMAT " of the run's %" G_GUINT64_FORMAT
		     " instructions were looked at as a whole, and before them what the failure "
		     "depends on most nearly; `ask 'why EXPR'' goes farther back",
		     part, steps);
}

/* How long the part is that is looked at first.  Where the end holds all that the failure depends
 * on, that is enough. */
static uint64_t first_part(const struct question *q, const struct search_options *s,
			   const struct near_failure_span *span, uint64_t steps)
{
	const struct limits *l = s->limits;
	uint64_t part = q->endless ? MIN(endless_part(q), l->last_part) : l->last_part;

	return span->is_whole && span->oldest < steps
		       ? MIN(part, MAX(l->least_part, 2 * (steps - span->oldest)))
		       : part;
}

/* Has the part nothing on which the failure depends nearly, while something is proven already? */
static bool is_part_idle(const struct question *q, const struct search_options *s,
			 const struct near_failure_span *span, uint64_t from)
{
	return !s->thorough && span->oldest <= span->latest && span->latest < from &&
	       is_suspect_proven(q);
}

static void say_part_is_idle(struct question *q, const struct search_options *s, uint64_t part,
			     uint64_t distance)
{
	limits_reached(s->limits, LIMIT_last_part);
	q->e->complete = false;
	notes_printf(q->e,
		     "what the failure depends on most nearly was executed %" G_GUINT64_FORMAT
		     " instructions before it and earlier; the last %" G_GUINT64_FORMAT
		     " have nothing of it, so they were not looked at as a whole",
		     distance, part);
}

/* A likely change meets the check, and runs near the failure have proven what they could: is a
 * formula of a run of so many instructions not worth its time any more?  Of its end neither, which
 * is what those runs changed. */
static bool is_known_enough(const struct question *q, const struct search_options *s,
			    uint64_t steps)
{
	return !s->thorough && steps > s->limits->met_formula && near_failure_check_is_met(q) &&
	       is_suspect_proven(q);
}

static void say_known_enough(struct question *q, const struct search_options *s)
{
	limits_reached(s->limits, LIMIT_met_formula);
	q->e->complete = false;
}

/* The formula is made around the failure, and of more of the run when that proves nothing. */
static bool search_by_formula(struct question *q, struct describer *describer,
			      struct timed_runner *timed, const struct search_options *s,
			      GError **error)
{
	const struct limits *l = s->limits;
	uint64_t steps = q->index ? reverse_index_steps(q->index) : 0, part;
	const uint64_t left_out = timed->from;
	bool parts = timed->inner && s->hijack && !q->requirement->kind->looks_at_record;
	struct near_failure_span span = { .oldest = UINT64_MAX };
	bool looked = true;

	if (is_known_enough(q, s, steps)) {
		say_known_enough(q, s);
		return true;
	}
	if (parts && steps > l->least_part + l->least_part / 2)
		span = near_failure_span(q, s);
	part = first_part(q, s, &span, steps);
	for (; parts && looked && steps > part + part / 2;
	     part = part < l->last_part ? l->last_part : part * l->last_part_times) {
		if (is_part_idle(q, s, &span, steps - part)) {
			say_part_is_idle(q, s, part, steps - span.latest);
			return true;
		}
		if (part > l->longest_part) {
			say_how_far(q, s, LIMIT_longest_part, part / l->last_part_times,
				    left_out + steps);
			return true;
		}
		if (!search_last_part(q, describer, timed, s, steps - part, &looked, error))
			return false;
		if (looked && is_suspect_proven(q) && !s->thorough) {
			say_how_far(q, s, part < l->last_part ? LIMIT_least_part : LIMIT_last_part,
				    part, left_out + steps);
			return true;
		}
		if (looked && !is_suspect_proven(q))
			forget_suspects(q, describer);
	}
	return search_record(q, describer, q->run.failing.record, timed, s, error);
}

/* ---- the search ---- */

/* What is known stands, whatever kept the rest from being looked at. */
static bool is_partial(struct question *q, GError **failed)
{
	bool too_long = g_error_matches(*failed, TRACE_ERROR, TRACE_ERROR_LONG);

	if (!too_long && !((q->e->suspects->len || q->has_others) &&
			   g_error_matches(*failed, DEADLINE_ERROR, DEADLINE_ERROR_TIME)))
		return false;
	if (too_long) /* of the time the notes tell anyway */
		notes_printf(q->e, "%s", (*failed)->message);
	g_clear_error(failed);
	q->e->complete = false;
	return true;
}

static bool search_nearest_first(struct question *q, struct timed_runner *timed,
				 const struct search_options *s, GError **error)
{
	struct describer *describer = describer_new(q->e, q->point);
	bool can_try = near_failure_can_change(q, s, timed->inner);
	bool first = can_try && near_failure_is_first(q, s), ok = true;
	GError *failed = NULL;

	if (first)
		ok = near_failure_change(q, describer, &timed->runner, s, &failed);
	if (ok && (!analysis_has_enough(q) || !is_alone_enough(q, s)))
		ok = search_by_formula(q, describer, timed, s, &failed) || is_partial(q, &failed);
	/* the formula does not give a library function another pointer; where only some lines
	 * are asked about, other lines are no answer */
	if (ok && can_try && !first && !q->requirement->only && !is_suspect_proven(q) &&
	    !deadline_is_over(&q->until))
		ok = near_failure_change(q, describer, &timed->runner, s, &failed);
	else if (ok && can_try && !first && !q->requirement->only && !q->e->complete &&
		 !analysis_has_enough(q) && !deadline_is_over(&q->until))
		ok = near_failure_turn(q, describer, &timed->runner, s, &failed);
	if (ok && !is_suspect_proven(q) && !deadline_is_over(&q->until) &&
	    (wrong_output_first_only(q) || failing_check_relax(q))) {
		forget_suspects(q, describer);
		ok = search_by_formula(q, describer, timed, s, &failed) || is_partial(q, &failed);
		if (ok && is_suspect_proven(q))
			failing_check_note(q);
	}
	describe_finish(q->e, q->run.images, q->run.n_images);
	if (q->o->format == TUI_JSON || q->o->events) /* a session goes there */
		describe_stops(describer);
	trace_point_coverage(q->point, q->e);
	describer_free(describer);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

static bool search_for_changes(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct timed_runner timed = { .runner.run = run_timed, .o = o };
	struct limits limits = o->limits;
	struct search_options s = {
		.walk = { .granularity = (enum walk_granularity)o->granularity,
			  .hard_addresses = o->hard_addresses,
			  .unroll = (unsigned)o->limits.unroll,
			  .requirement = q->requirement },
		.thread = q->run.failing.thread,
		.max_suspects = o->max_suspects,
		.until = &q->until,
		.limits = &limits,
		.all_paths = o->paths == OPTIONS_PATHS_ALL,
		.thorough = o->thorough || o->paths == OPTIONS_PATHS_ALL,
		.solver = (enum smt_kind)o->solver,
		.hijack = !o->no_hijack,
		.weighting = q->weighting,
	};
	FILE *trace;
	bool ok;

	if (!open_trace(o, &trace, error))
		return false;
	if (trace)
		s.decided = trace_decision;
	s.decided_arg = trace;
	if (s.all_paths)
		limits.runs += limits.path_runs;
	limits.reached = &q->e->reached;
	timed.from = trace_point_left_out(q->point);
	timed.thread = q->run.failing.thread;
	if (!q->e->not_run)
		timed.inner = q->run.runner;
	ok = search_nearest_first(q, &timed, &s, error);
	if (trace)
		fclose(trace);
	return ok;
}

static void add_first_stages(struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t instructions = q->e->stats.instructions;
	size_t n = q->run.n_images;

	explanation_add_stage(q->e, "start", f->gdb_ms, 0, NULL);
	explanation_add_stage(q->e, "image", f->image_ms, n, n == 1 ? "file" : "files");
	explanation_add_stage(q->e, "record", f->run_ms, instructions, "instructions");
	explanation_add_stage(q->e, "walk", q->walk_ms, instructions, "instructions");
}

static void describe_failure(struct question *q)
{
	struct native_memory *memory = native_memory_new(q);

	if (memory)
		trace_point_ask(q->point, native_memory_read, memory);
	failure_describe(q);
	if (q->index)
		cause_tell_values_apart(q->e, q->point, q->index, q->e->failure.values);
	if (q->overflow)
		q->e->failure.cause = q->overflow;
	uncaught_describe(q);
	trace_point_ask(q->point, NULL, NULL);
	native_memory_free(memory);
}

void analysis_open(struct question *q)
{
	describe_failure(q);
	first_chain_describe(q);
}

void analysis_begin(struct question *q)
{
	describe_failure(q);
	add_first_stages(q);
	memory_error_note_other(q);
	endless_note(q);
	memory_error_note(q);
	first_chain_describe(q);
}

/* Searches again, with the requirement that q has now.  What was found before stands when nothing
 * is proven; else the note says what the answer is about. */
static bool search_instead(struct question *q, const char *note, GError **error)
{
	struct explanation_found before = explanation_put_aside(q->e);
	struct explanation_failure now;
	bool ok;

	failure_describe(q);
	first_chain_describe(q);
	ok = search_for_changes(q, error);
	if (!ok || !is_suspect_proven(q)) {
		explanation_take_back(q->e, &before);
		describe_finish(q->e, q->run.images, q->run.n_images);
		return ok;
	}
	notes_printf(q->e, "%s", note);
	/* the access stays what the answer is about */
	now = q->e->failure;
	q->e->failure = before.failure;
	before.failure = now;
	explanation_found_clear(&before);
	return true;
}

/* Where no change makes the first invalid access valid, the call that freed its block is looked at,
 * and then the crash behind it. */
static bool search_behind_access(struct question *q, GError **error)
{
	GError *failed = NULL;
	bool ok = true;

	if (memory_error_blame_free(q, &failed))
		ok = search_instead(q, "with these the block is not freed, or not that early",
				    error);
	if (ok && !failed && !is_suspect_proven(q) && memory_error_relax(q, &failed))
		ok = search_instead(
			q,
			"the search for changes that make this access valid found none; "
			"these let the test pass, perhaps in spite of it",
			error);
	if (failed)
		g_propagate_error(error, failed);
	return ok && !failed;
}

int analysis_explain(struct question *q, GError **error)
{
	const struct replay_failing *f = &q->run.failing;
	struct limits limits = q->o->limits;
	GError *failed = NULL;
	bool ok = search_for_changes(q, &failed);

	limits.reached = &q->e->reached;
	if (ok && !is_suspect_proven(q) && !q->e->not_run)
		ok = search_behind_access(q, &failed);
	if (!ok && !((q->overflow || q->e->opening->len || q->has_others) &&
		     g_error_matches(failed, DEADLINE_ERROR, DEADLINE_ERROR_TIME))) {
		g_propagate_error(error, failed);
		return ending_status(*error);
	}
	g_clear_error(&failed); /* what is known of a recursion, or of the end, stands without it */
	if (!is_suspect_proven(q))
		first_chain_instead(q);
	if (f->own_code != TRACE_OWN_CODE_KEPT)
		notes_printf(
			q->e,
			"the program %s; recorded runs execute that code as it is in the file, so "
			"what the program writes there is not in this answer",
			ending_own_code(f->own_code));
	if (q->cut_by >= 0 && deadline_is_over(&q->until) &&
	    g_timer_elapsed(q->clock, NULL) < q->o->timeout)
		q->e->reached.times[q->cut_by]++;
	notes_add(q->e, q->o, trace_point_threads(q->point), trace_point_left_out(q->point),
		  &q->until);
	if (q->o->graph == TUI_REGIONS &&
	    !regions_describe(q->e, q->run.images, q->run.n_images, f->record, f->thread, &limits,
			      &q->until, error))
		return ending_status(*error);
	return 0;
}
