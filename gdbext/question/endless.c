/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/endless.h"

#include "gdbext/question/ending.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/waiting.h"
#include "gdbext/question/wrong-output.h"
#include "gdbext/replay/interrupt.h"

struct endless {
	struct runner runner; /* first: what the question sees */
	struct runner *inner;
	unsigned thread;
	uint64_t back; /* of a recursion: where its call returns to; 0 = it is a loop */
	uint64_t most; /* .output: instructions that an unrecorded run may take */
	bool output;   /* the record ends where something wrong was printed */
	struct endless_loop loop;
};

void endless_free(struct endless *e)
{
	g_free(e);
}

/* ---- its runs ---- */

/* A recursion without end ends by a signal. */
static bool run_has_ended(const struct endless *e, const struct run_result *result)
{
	return result->end != RUN_LIMIT && result->end != RUN_TIMEOUT &&
	       !(e->back && result->end == RUN_SIGNAL);
}

static bool run_unchanged(struct endless *e, const struct run_request *request,
			  struct run_result *result, GError **error)
{
	struct run_request cut = *request;

	cut.max_insns = e->loop.cut;
	if (!e->inner->run(e->inner, &cut, result, error))
		return false;
	if (result->end == RUN_LIMIT)
		result->end = RUN_TIMEOUT;
	return true;
}

/* When a changed run does not end either, only the length of the failing run and a quarter more is
 * recorded, because the rest would only make the formula longer. */
static bool run_shortly(struct runner *r, const struct run_request *request,
			struct run_result *result, GError **error)
{
	struct endless *e = (struct endless *)r;
	struct run_request shorter = *request;

	/* a run that is killed would not write what is in its buffers */
	if (e->output && !shorter.max_insns)
		shorter.max_insns = MAX(e->most, 2 * e->loop.cut);
	if (!request->record)
		return e->inner->run(e->inner, &shorter, result, error);
	if (!request->n_actions)
		return run_unchanged(e, request, result, error);
	shorter.record = false;
	if (!e->inner->run(e->inner, &shorter, result, error))
		return false;
	shorter.record = true;
	if (!run_has_ended(e, result))
		shorter.max_insns = MIN(request->max_insns, e->loop.cut + e->loop.cut / 4);
	run_result_clear(result);
	return e->inner->run(e->inner, &shorter, result, error);
}

/* ---- the loop ---- */

static int complain_of_endless_run(const struct question *q, const char *what, GError **error)
{
	g_auto(GStrv) words = run_source_words(&q->run, q->o);
	g_autofree char *when = g_strdup_printf("within %g second%s", q->o->run_timeout,
						q->o->run_timeout == 1 ? "" : "s");

	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "%s did not end %s: %s.", words[0],
		    replay_interrupt_took_hang() ? "before Ctrl-C" : when, what);
	return OPTIONS_EXIT_UNEXPLAINED;
}

/* The record becomes that of those instructions.  *ended: the test came to its end before. */
static bool record_part(struct question *q, struct endless *e, uint64_t from, uint64_t until,
			bool *ended, GError **error)
{
	struct replay_failing f = { 0 };

	if (!replay_record_part(q->run.replay, e->thread, from, until, &f, error))
		return false;
	*ended = f.end != RUN_TIMEOUT;
	f.gdb_ms = q->run.failing.gdb_ms;
	f.image_ms = q->run.failing.image_ms;
	replay_failing_clear(&q->run.failing);
	q->run.failing = f;
	return true;
}

/* *found: the record shows the loop that is looked for, or enough of its rounds. */
typedef bool look_fn(struct trace_run *run, struct endless *e, const struct limits *limits,
		     bool *found, GError **error);

static bool look_for_loop(struct trace_run *run, struct endless *e, const struct limits *limits,
			  bool *found, GError **error)
{
	(void)limits;
	return endless_loop_find(run, e->thread, &e->loop, found, error);
}

static bool look_for_rounds(struct trace_run *run, struct endless *e, const struct limits *limits,
			    bool *found, GError **error)
{
	return e->back ? endless_recursion_rounds(run, e->thread, limits, e->back, &e->loop, found,
						  error)
		       : endless_loop_rounds(run, e->thread, limits, &e->loop, found, error);
}

static bool record_and_look(struct question *q, struct endless *e, look_fn *fn, bool *found,
			    GError **error)
{
	const struct run_source *s = &q->run;
	struct trace_run *run = trace_run_open(s->failing.record, s->images, s->n_images, error);
	bool ok = run && trace_run_choose(run, e->thread, error);

	if (ok) {
		trace_run_end_at(run, &q->until);
		ok = fn(run, e, &q->o->limits, found, error);
	}
	trace_run_free(run);
	return ok;
}

/* The thread that executed most, and how much that was. */
static uint64_t busiest_thread(const struct question *q, unsigned *busiest)
{
	uint64_t most = 0, insns;

	for (unsigned thread = 0; (insns = replay_insns(&q->run.failing, thread)); thread++)
		if (insns > most) {
			most = insns;
			*busiest = thread;
		}
	return most;
}

/* Looks where the program stays from that instruction on, long after it began.  0, or an exit
 * status with error. */
static int find_loop(struct question *q, struct endless *e, uint64_t from, GError **error)
{
	bool found = false, ended = false;

	if (!record_part(q, e, from, from + q->o->limits.endless_insns, &ended, error))
		return ending_status(*error);
	if (ended)
		return complain_of_endless_run(q, "it did when it was run once more, in the cage",
					       error);
	if (!record_and_look(q, e, look_for_loop, &found, error))
		return ending_status(*error);
	return found ? 0
		     : complain_of_endless_run(q,
					       "no loop was found in which it stays; give it more "
					       "with --run-timeout",
					       error);
}

/* The record becomes that of the run until the loop shows what it does, which has to be within so
 * many instructions. */
static int cut_in_loop(struct question *q, struct endless *e, uint64_t most, GError **error)
{
	const struct limits *l = &q->o->limits;
	bool found = false, ended = false;

	for (uint64_t n = l->endless_insns; !found; n *= l->endless_more) {
		if (n > most)
			return complain_of_endless_run(
				q,
				"it comes late to the loop in which it stays (limit "
				"`endless_most')",
				error);
		if (!record_part(q, e, 0, n, &ended, error) ||
		    !record_and_look(q, e, look_for_rounds, &found, error))
			return ending_status(*error);
		if (ended && !found)
			return complain_of_endless_run(q, "it does not do the same each time",
						       error);
	}
	if (!record_part(q, e, 0, e->loop.cut, &ended, error))
		return ending_status(*error);
	return ended ? complain_of_endless_run(q, "it does not do the same each time", error) : 0;
}

/* Most of its time it was not in its own code. */
static int say_what_it_waits_for(struct question *q, GError **error)
{
	g_autofree char *text = waiting_in_words(q, error);

	if (!text)
		return ending_status(*error);
	return complain_of_endless_run(
		q, *text ? text : "it was in code of libraries; give it more with --run-timeout",
		error);
}

static bool may_run_again(const struct question *q)
{
	return q->run.replay && !q->e->not_run;
}

/* q's, and all its runs from now on. */
static struct endless *endless_new(struct question *q, unsigned thread, uint64_t back)
{
	struct endless *e = g_new0(struct endless, 1);

	*e = (struct endless){
		.runner.run = run_shortly, .inner = q->run.runner, .thread = thread, .back = back
	};
	q->endless = e;
	q->run.runner = &e->runner;
	return e;
}

int endless_begin(struct question *q, GError **error)
{
	struct endless *e;
	unsigned thread = 0;
	uint64_t insns = busiest_thread(q, &thread);
	int status;

	if (insns < q->o->limits.endless_insns)
		return say_what_it_waits_for(q, error);
	if (!may_run_again(q))
		return complain_of_endless_run(q, "it cannot be run once more here", error);
	e = endless_new(q, thread, 0);
	status = find_loop(q, e, MIN(insns / 2, q->o->limits.endless_after), error);
	return status ? status : cut_in_loop(q, e, q->o->limits.endless_most, error);
}

/* ---- something wrong was printed before ---- */

/* The struct question's last record is put aside, so that another one can take its place. */
static struct replay_failing put_record_aside(struct question *q)
{
	struct replay_failing before = q->run.failing;

	q->run.failing =
		(struct replay_failing){ .gdb_ms = before.gdb_ms, .image_ms = before.image_ms };
	return before;
}

static void take_record_back(struct question *q, struct endless *e,
			     const struct replay_failing *before)
{
	replay_failing_clear(&q->run.failing);
	q->run.failing = *before;
	q->run.runner = e->inner;
	g_clear_pointer(&q->endless, endless_free);
}

/* After how many instructions the thread had written that byte; UINT64_MAX: it has not. */
static uint64_t when_written(const struct question *q, unsigned thread, unsigned stream,
			     uint64_t byte)
{
	const struct run_source *s = &q->run;
	struct trace_run *run = trace_run_open(s->failing.record, s->images, s->n_images, NULL);
	const struct trace_output *notes = NULL;
	size_t n = run ? trace_run_output(run, thread, &notes) : 0, i;
	uint64_t insns;

	for (i = 0; i < n && notes[i].written[stream] <= byte; i++)
		;
	insns = i < n ? notes[i].insns : UINT64_MAX;
	trace_run_free(run);
	return insns;
}

/* May the run have printed something wrong?  What is in its buffers is not known yet. */
static bool may_have_printed(const struct question *q, unsigned thread)
{
	const struct expected_output *e = wrong_output_expected(q);
	const char *folder = q->run.failing.record;

	if (expected_is_missed(e, folder))
		return true;
	for (unsigned s = 0; s < PRINTED_STREAMS; s++)
		if (e->text[s] &&
		    when_written(q, thread, s, expected_written(folder, s)) != UINT64_MAX)
			return true;
	return false;
}

/* Records more and more, until the wrong line is complete. */
static bool record_wrong_line(struct question *q, struct endless *e, uint64_t most, bool *found,
			      GError **error)
{
	const struct limits *l = &q->o->limits;
	bool ended = false, last = false;

	for (uint64_t n = l->endless_insns; !*found && !ended && !last; n *= l->endless_more) {
		last = n >= most;
		e->loop.cut = MIN(n, most);
		if (!record_part(q, e, 0, e->loop.cut, &ended, error))
			return false;
		wrong_output_look(q);
		*found = !ended && wrong_output_is_over(q, last);
	}
	return true;
}

/* What is printed long after the wrong line is not looked at. */
static bool cut_behind_line(struct question *q, struct endless *e,
			    const struct expected_progress *p, GError **error)
{
	uint64_t at = when_written(q, e->thread, p->stream, p->at);
	bool ended = false;

	if (at >= e->loop.cut - MIN(e->loop.cut, q->o->limits.output_steps))
		return true;
	e->loop.cut = at + q->o->limits.output_steps;
	if (!record_part(q, e, 0, e->loop.cut, &ended, error))
		return false;
	wrong_output_look(q);
	return true;
}

int endless_begin_output(struct question *q, bool *found, GError **error)
{
	unsigned thread = 0;
	uint64_t insns = busiest_thread(q, &thread);
	struct replay_failing before;
	struct endless *e;
	bool ok;

	*found = false;
	/* its last instruction may be a call that does not return; what a file held before is not
	 * what the test wrote */
	if (!wrong_output_expected(q) || q->o->output_file || insns < 2 || !may_run_again(q) ||
	    !may_have_printed(q, thread))
		return 0;
	e = endless_new(q, thread, 0);
	e->output = true;
	e->most = q->o->limits.endless_most;
	before = put_record_aside(q);
	ok = record_wrong_line(q, e, MIN(insns - 1, q->o->limits.endless_most), found, error) &&
	     (!*found || cut_behind_line(q, e, wrong_output_progress(q), error));
	if (ok && *found)
		replay_failing_clear(&before);
	else
		take_record_back(q, e, &before);
	return ok ? 0 : ending_status(*error);
}

/* ---- while the first run goes on ---- */

/* A try of endless_begin, of which nothing is kept.  The loop has to come early: a test that only
 * takes long is not to take longer by this. */
bool endless_is_certain(const struct replay_failing *so_far, void *question)
{
	struct question *q = question;
	const uint64_t insns = replay_insns(so_far, 0), most = q->o->limits.endless_insns;
	g_autoptr(GError) why = NULL;
	struct endless *e;
	bool certain;

	if (wrong_output_is_exceeded(q, so_far))
		return true;
	if (insns < most || !q->run.replay)
		return false;
	e = endless_new(q, 0, 0);
	certain = find_loop(q, e, MIN(insns / 2, most), &why) == 0 &&
		  cut_in_loop(q, e, most, &why) == 0 && e->loop.is_alone;
	replay_failing_clear(&q->run.failing);
	q->run.failing = (struct replay_failing){ 0 };
	q->run.runner = e->inner;
	g_clear_pointer(&q->endless, endless_free);
	return certain;
}

bool endless_begin_recursion(struct question *q, uint64_t back)
{
	struct replay_failing before;
	g_autoptr(GError) why = NULL;
	struct endless *e;

	if (!may_run_again(q))
		return false;
	e = endless_new(q, q->run.failing.thread, back);
	before = put_record_aside(q);
	if (cut_in_loop(q, e, q->o->limits.endless_most, &why) == 0) {
		g_free(q->run.failing.err);
		g_free(q->run.failing.out);
		q->run.failing.err = g_steal_pointer(&before.err);
		q->run.failing.out = g_steal_pointer(&before.out);
		replay_failing_clear(&before);
		return true;
	}
	take_record_back(q, e, &before);
	return false;
}

uint64_t endless_part(const struct question *q)
{
	const struct endless *e = q->endless;

	return e ? e->loop.cut - e->loop.since + q->o->limits.endless_steps : 0;
}

void endless_note(struct question *q)
{
	const struct endless *e = q->endless;

	if (!e)
		return;
	if (replay_interrupt_took_hang())
		notes_printf(q->e, "Ctrl-C ended the test, and what it was doing is explained");
	if (e->output)
		notes_printf(q->e,
			     "the test does not end either; what it printed wrong before that "
			     "is explained");
	else if (e->back)
		notes_printf(q->e,
			     "the first %" G_GUINT64_FORMAT " calls of the recursion are explained",
			     e->loop.rounds);
	else if (e->loop.repeats)
		notes_printf(q->e,
			     "round %" G_GUINT64_FORMAT
			     " of the loop did the same as the one before: "
			     "nothing that it reads changes any more, so it goes on for ever",
			     e->loop.rounds);
	else
		notes_printf(q->e,
			     "the loop goes on for more than %" G_GUINT64_FORMAT
			     " rounds, which differ; "
			     "the first ones are explained",
			     e->loop.rounds);
}
