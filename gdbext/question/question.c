/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/question.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/endless.h"
#include "gdbext/question/failing-check.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/memory-error.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/own-verdict.h"
#include "gdbext/question/stack-overflow.h"
#include "gdbext/question/wrong-output.h"
#include "gdbext/replay/interrupt.h"

#include <sys/wait.h>

static void question_init(struct question *q, const struct options *o)
{
	*q = (struct question){ .o = o,
				.clock = g_timer_new(),
				.e = explanation_new(),
				.cut_by = -1,
				.until = deadline_in(o->timeout, replay_interrupt_flag()) };
}

void question_go_on(struct question *q, double seconds)
{
	q->until = deadline_in(seconds, replay_interrupt_flag());
}

int question_start(struct question *q, const struct options *o, question_require_fn *require,
		   void *arg, GError **error)
{
	question_init(q, o);
	q->run.is_endless = endless_is_certain;
	q->run.endless_arg = q;
	if (!run_source_start(&q->run, o, &q->until, error))
		return ending_status(*error);
	q->e->not_run = explanation_string(q->e, q->run.not_run);
	return require ? require(q, arg, error) : 0;
}

int question_start_beside(struct question *q, const struct question *first, const struct options *o,
			  unsigned *threads, GError **error)
{
	question_init(q, o);
	if (!run_source_start_beside(&q->run, &first->run, o, threads, error))
		return ending_status(*error);
	return *threads == 1 ? question_require_pass(q, NULL, error)
			     : ending_check(o->program[0], &q->run.failing, error);
}

/* What the record leaves out has to be the same in each run, and so has what children do that
 * changed runs do not make. */
static bool has_to_repeat(const struct question *q)
{
	return !q->run.record && !q->e->not_run &&
	       (trace_point_left_out(q->point) ||
		(q->run.replay && replay_lacks_children(q->run.replay)));
}

static bool try_again(struct question *q, GError **error)
{
	const char *differs = NULL;
	g_autofree char *why = NULL;

	if (!replay_repeat(q->run.replay, &q->run.failing, &differs, error))
		return false;
	why = differs ? g_strconcat(replay_lacks_children(q->run.replay)
					    ? "a changed run makes no child processes, and "
					      "without them the test is not the same: "
					    : "only the end of the run was recorded, and a second "
					      "run is not the same: ",
				    differs, NULL)
		      : NULL;
	q->e->not_run = explanation_string(q->e, why);
	return true;
}

/* Would going through all of the run take most of the time?  What threads execute before a place
 * need not be the same each time. */
static bool is_run_too_long(const struct question *q, uint64_t insns)
{
	const struct limits *l = &q->o->limits;

	return q->run.replay && !q->o->window && !q->o->thorough && l->ask_window < insns &&
	       !replay_insns(&q->run.failing, 1) &&
	       (double)insns > q->o->timeout * (double)l->whole_run_a_second;
}

/* The record of a run that is too long becomes that of its end.  The first one's folder stays,
 * since it has what the test printed. */
static void keep_end_of_long_run(struct question *q)
{
	struct replay_failing *f = &q->run.failing, last = { 0 };
	const uint64_t insns = replay_insns(f, f->thread);

	if (q->e->reached.times[LIMIT_whole_run_a_second] || !is_run_too_long(q, insns) ||
	    !replay_record_part(q->run.replay, f->thread, insns - q->o->limits.ask_window, 0, &last,
				NULL))
		return;
	if (last.end == f->end && last.status == f->status && last.signo == f->signo) {
		char *whole = f->record;

		f->record = last.record;
		last.record = whole;
		q->e->reached.times[LIMIT_whole_run_a_second]++;
	}
	replay_failing_clear(&last);
}

static bool go_to_failure(struct question *q, GError **error)
{
	const struct run_source *run = &q->run;
	const struct replay_failing *f = &run->failing;

	keep_end_of_long_run(q);
	q->index = reverse_index_new(&q->o->limits);
	q->point = trace_point_new(run->images, run->n_images, f->record, f->thread, f->line,
				   q->index, &q->until, error);
	return q->point != NULL;
}

/* When the stack is full, the record is cut where the recursion goes deeper and deeper. */
static bool look_for_recursion(struct question *q, GError **error)
{
	uint64_t back;

	q->overflow = stack_overflow_describe(q, &back);
	if (!q->overflow || !endless_begin_recursion(q, back))
		return true;
	g_clear_pointer(&q->point, trace_point_free);
	g_clear_pointer(&q->index, reverse_index_free);
	return go_to_failure(q, error);
}

/* The point is where the run ends. */
int question_require_end(struct question *q, GError **error)
{
	struct requirement_end end;
	int status = q->run.failing.end == RUN_TIMEOUT ? endless_begin(q, error) : 0;

	if (status)
		return status;
	if (!go_to_failure(q, error) || !look_for_recursion(q, error))
		return ending_status(*error);
	end = failure_end(&q->run.failing);
	end.endless = q->overflow;
	wrong_output_add(q->wrong, &end);
	q->requirement = requirement_new(&end);
	q->requirement->inserted = q->run.checks ? q->run.checks->inserted : NULL;
	return 0;
}

int question_start_with_run(struct question *q, const struct options *o, struct question_run *r,
			    GError **error)
{
	int status;

	question_init(q, o);
	q->run = (struct run_source){ .replay = r->replay,
				      .runner = replay_runner(r->replay),
				      .is_shared = true,
				      .program = r->program,
				      .failing = r->failing };
	r->failing = (struct replay_failing){ 0 };
	q->run.images = replay_images(r->replay, &q->run.n_images);
	status = ending_check(o->program[0], &q->run.failing, error);
	if (!status)
		status = question_require_end(q, error);
	if (!status)
		q->requirement->reporting = r->reporting;
	return status;
}

static int complain_of_no_access(const char *program, GError **error)
{
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
		    "The test did not fail: %s exited with status 0, and no invalid access to "
		    "memory was found.",
		    program);
	return OPTIONS_EXIT_PASSED;
}

void question_forget_requirement(struct question *q)
{
	q->is_opened = false;
	g_clear_pointer(&q->requirement, requirement_free);
	g_clear_pointer(&q->point, trace_point_free);
	g_clear_pointer(&q->index, reverse_index_free);
}

/* A crash, or the abort of an assertion that the program defines itself: what reports that may
 * crash, too.  Whoever waits need not wait for the check of all accesses to memory, which takes
 * longer than going to the end. */
static int look_at_crash(struct question *q, bool *found, GError **error)
{
	const struct replay_failing *f = &q->run.failing;
	struct requirement_end end = failure_end(f);
	int status;

	*found = false;
	/* a signal of someone else's is refused where it is looked at */
	if (f->end != RUN_SIGNAL || !requirement_can_be_asked(&end))
		return 0;
	status = question_require_end(q, error);
	if (!status)
		status = failing_check_require_own(q, found, error);
	if (!status && !*found && q->crashed &&
	    replay_insns(f, f->thread) >= q->o->limits.nearby_from)
		q->crashed(q);
	return status;
}

/* What depends on addresses, or on values that nobody set, may go well here. */
static int require_despite_output(struct question *q, const char *program, GError **error)
{
	bool found = false;
	int status = q->o->memory ? memory_error_require(q, &found, error) : 0;

	if (status || found)
		return status;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
		    "The test did not fail: %s printed what is expected and exited with status "
		    "%d.%s",
		    program, q->run.failing.status,
		    q->o->memory ? "  No invalid access to memory was found."
				 : "  If it fails elsewhere, it may depend on addresses or on "
				   "values that nobody set; --memory looks for those.");
	return OPTIONS_EXIT_PASSED;
}

/* Chooses how the failure is looked at: by what the test printed, where that is known; else by a
 * check that failed, or by how the test ended. */
static int require_test_passes(struct question *q, GError **error)
{
	g_auto(GStrv) words = run_source_words(&q->run, q->o);
	bool found;
	int status;

	switch (wrong_output_verdict(q)) {
	case WRONG_OUTPUT_TEXT:
		status = q->o->memory ? memory_error_require(q, &found, error) : 0;
		return status || (q->o->memory && found) ? status : wrong_output_require(q, error);
	case WRONG_OUTPUT_STATUS:
		status = question_require_end(q, error);
		return status ? status : own_verdict_require(q, &found, error);
	case WRONG_OUTPUT_PASSED:
		return require_despite_output(q, words[0], error);
	default:
		if (q->run.failing.end == RUN_TIMEOUT) {
			status = endless_begin_output(q, &found, error);
			if (status || found)
				return status ? status : wrong_output_require(q, error);
		}
		status = look_at_crash(q, &found, error);
		if (!status && !found)
			status = memory_error_require(q, &found, error);
		if (!status && !found)
			status = failing_check_require(q, &found, error);
		if (status || found)
			return status;
		if (q->o->memory && q->run.failing.end == RUN_PASSED)
			return complain_of_no_access(words[0], error);
		status = ending_check(words[0], &q->run.failing, error);
		if (!status && !q->requirement)
			status = question_require_end(q, error);
		if (!status)
			status = own_verdict_require(q, &found, error);
		if (status || found)
			return status;
		return status || q->run.failing.end == RUN_SIGNAL
			       ? status
			       : failing_check_require_own(q, &found, error);
	}
}

static void note_child(struct question *q)
{
	int status = q->run.child_status;
	g_autofree char *how = WIFEXITED(status)
				       ? g_strdup_printf("exit status %d", WEXITSTATUS(status))
				       : g_strdup(replay_signal_name(WTERMSIG(status)));

	notes_printf(q->e,
		     "this is the test's child process number %u, which ended by %s; --follow "
		     "parent explains the test's own process",
		     q->run.child, how);
}

int question_require_pass(struct question *q, void *arg, GError **error)
{
	double before = g_timer_elapsed(q->clock, NULL);
	int status;

	(void)arg;
	if (!wrong_output_begin(q, error))
		return ending_status(*error);
	status = require_test_passes(q, error);
	if (status)
		return status;
	if (has_to_repeat(q) && !try_again(q, error))
		return ending_status(*error);
	if (q->run.child)
		note_child(q);
	if (q->run.handled)
		notes_printf(q->e,
			     "a handler of the program's took %s; here the run ends where the "
			     "signal came",
			     q->run.handled);
	if (q->run.real_program)
		notes_printf(q->e, "the test started %s", q->run.real_program);
	q->walk_ms = 1000 * (g_timer_elapsed(q->clock, NULL) - before);
	return 0;
}

void question_clear(struct question *q)
{
	requirement_free(q->requirement);
	failing_check_free(q->check);
	endless_free(q->endless);
	memory_error_free(q->memory);
	if (q->wrong && q->run.replay)
		replay_expect(q->run.replay, NULL);
	wrong_output_free(q->wrong);
	trace_point_free(q->point);
	reverse_index_free(q->index);
	run_source_clear(&q->run);
	explanation_free(q->e);
	g_free(q->told);
	g_timer_destroy(q->clock);
}
