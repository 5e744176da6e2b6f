/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/try/try.h"

#include "gdbext/ipc/event.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/question.h"
#include "gdbext/question/wrong-output.h"
#include "gdbext/question/analysis/output-diff.h"
#include "gdbext/command/try/try-suspect.h"
#include "solver/change/change.h"

#include <string.h>

/* Is the test judged by what it prints?  That it ends well says little then. */
static bool is_judged_by_output(const struct question *q, const struct change *c)
{
	return wrong_output_expected(q) || c->of_output;
}

/* In short, of "the run". */
static char *words_of_end(const struct run_result *r, bool by_output)
{
	switch (r->end) {
	case RUN_PASSED:
		return g_strdup(by_output ? "exits with status 0" : "passes");
	case RUN_STATUS:
		return g_strdup_printf("exits with status %d", r->status);
	case RUN_ASSERT:
		return g_strdup("fails an assertion");
	case RUN_SIGNAL:
		return g_strdup_printf("is killed by %s", replay_signal_name(r->signo));
	default:
		return g_strdup("does not end within the limits");
	}
}

static const char *remark_on_end(const struct run_result *r, bool by_output)
{
	return r->end == RUN_PASSED && !by_output ? " (exit status 0)" : "";
}

/* " at list.c:40 in insert": once more, recorded; "" = not known. */
static char *place_of_end(const struct question *q, const struct change_of *run,
			  const struct change *c, const struct run_result *is)
{
	struct runner *runner = replay_runner(q->run.replay);
	struct run_request request = { .actions = (const void *)c->actions->data,
				       .n_actions = c->actions->len,
				       .record = true };
	struct run_result again = { 0 };
	g_autofree char *place = NULL;

	if (is->end == RUN_SIGNAL && !c->native && runner->run(runner, &request, &again, NULL) &&
	    again.end == is->end && again.signo == is->signo)
		place = change_end(run, again.record, c);
	run_result_clear(&again);
	return place ? g_strconcat(" at ", place, NULL) : g_strdup("");
}

static bool prints_expected(const struct question *q, const struct run_result *r)
{
	return expected_look_at_run(wrong_output_expected(q), r->record, r->end, r->status).met;
}

/* Of a test that is judged by what it prints. */
static void say_output(const struct question *q, const struct change *c,
		       const struct run_result *was, const struct run_result *is, FILE *out)
{
	if (!wrong_output_expected(q)) {
		if (c->of_output)
			fputs("(--expect FILE tells whether what it prints is right)\n", out);
		return;
	}
	fprintf(out, "what it prints is %swhat is expected%s\n",
		prints_expected(q, is) ? "" : "not ",
		prints_expected(q, is) == prints_expected(q, was) ? ", as before"
		: prints_expected(q, was)			  ? "; before, it was"
								  : "; before, it was not");
}

/* ends: how the changed run does, in short. */
static bool say_change(const struct question *q, const struct change *c,
		       const struct run_result *was, const struct run_result *is, const char *ends,
		       FILE *out, GError **error)
{
	g_autofree char *name = c->file ? g_path_get_basename(c->file) : NULL;
	const bool by_output = is_judged_by_output(q, c);
	g_autofree char *before = words_of_end(was, by_output);
	g_autofree char *printed = output_diff_of_runs(was, is, &q->until, error);

	if (!printed)
		return false;
	if (name)
		fprintf(out, "%s:%u: ", name, c->line);
	fputs(c->text, out);
	if (!c->native && is->actions_done < c->actions->len)
		fprintf(out, "; this run executed %" G_GUINT64_FORMAT " of them",
			(guint64)is->actions_done);
	fprintf(out, "\nit %s%s", ends, remark_on_end(is, by_output));
	if (was->end == is->end && was->status == is->status && was->signo == is->signo)
		fputs(", as before\n", out);
	else
		fprintf(out, "; before: it %s%s\n", before, remark_on_end(was, by_output));
	if (c->check && is->end == was->end && is->status == was->status)
		fprintf(out, "another check fails: the answer is about the one at %s alone\n",
			c->check);
	say_output(q, c, was, is, out);
	fputs(printed, out);
	return true;
}

static bool tell_change(const struct question *q, const struct change_of *run,
			const struct change *c, const struct run_result *was,
			const struct run_result *is, GError **error)
{
	g_autofree char *end = words_of_end(is, is_judged_by_output(q, c)),
			*place = place_of_end(q, run, c, is);
	g_autofree char *ends = g_strconcat(end, place, NULL), *text = NULL;
	size_t n = 0;
	bool said;
	FILE *out;

	if (!q->o->events)
		return say_change(q, c, was, is, ends, stdout, error);
	out = open_memstream(&text, &n);
	said = say_change(q, c, was, is, ends, out, error);
	fclose(out);
	if (!said)
		return false;
	event_write((int)q->o->events,
		    &(struct event){ .kind = EVENT_RESULT, .text = text, .ends = ends });
	return true;
}

/* Both in the cage, so that they differ in nothing but the change. */
static int run_both(const struct question *q, const struct change_of *run, const struct change *c,
		    GError **error)
{
	struct runner *runner = replay_runner(q->run.replay);
	struct run_request plain = { 0 }, changed = { .actions = (const void *)c->actions->data,
						      .n_actions = c->actions->len,
						      .native = c->native };
	struct run_result was = { 0 }, is = { 0 };
	bool ok = runner->run(runner, &plain, &was, error) &&
		  runner->run(runner, &changed, &is, error);

	if (ok && !c->native && !is.actions_done) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The program did not come to that place again; it does not do the same "
			    "each time.");
		ok = false;
	} else if (ok) {
		ok = tell_change(q, run, c, &was, &is, error);
	}
	run_result_clear(&was);
	run_result_clear(&is);
	return ok ? OPTIONS_EXIT_EXPLAINED : ending_status(*error);
}

/* FILE:LINE, FILE:LINE:COUNT, FILE:LINE:all, FILE:LINE:last. */
static bool find_flip(const struct question *q, const struct change_of *run, struct change *out,
		      GError **error)
{
	bool all = g_str_has_suffix(q->o->flip, ":all");
	bool last = g_str_has_suffix(q->o->flip, ":last");
	g_autofree char *place =
		g_strndup(q->o->flip, strlen(q->o->flip) - (all	   ? strlen(":all")
							    : last ? strlen(":last")
								   : 0));
	struct stop stop = { 0 };
	bool ok = stop_find(q->run.images, q->run.n_images, place, &stop, error);

	/* its text is without a count */
	if (ok)
		ok = change_flip(run, &stop,
				 all				 ? CHANGE_ALL
				 : strcmp(stop.text, place) == 0 ? CHANGE_LAST
								 : stop.count,
				 out, error);
	stop_clear(&stop);
	return ok;
}

static bool find_change(const struct question *q, const struct change_of *run, struct change *out,
			GError **error)
{
	const struct options *o = q->o;
	struct stop stop = { 0 };
	bool ok;

	if (o->flip)
		return find_flip(q, run, out, error);
	if (o->suspect)
		return suspect_change(run, o->suspect, out, error);
	ok = stop_find(q->run.images, q->run.n_images, o->at ? o->at : o->after, &stop, error) &&
	     change_set(run, &stop, o->after != NULL, o->set, out, error);
	stop_clear(&stop);
	return ok;
}

static int try_asked_change(const struct question *q, GError **error)
{
	const struct change_of run = {
		q->run.images,	       q->run.n_images, q->run.failing.record,
		q->run.failing.thread, &q->until,	&q->o->limits
	};
	struct change c = { 0 };
	int status = find_change(q, &run, &c, error) ? run_both(q, &run, &c, error)
						     : ending_status(*error);

	change_clear(&c);
	return status;
}

int try_command(const struct options *o, GError **error)
{
	struct question q;
	int status = question_start(&q, o, NULL, NULL, error);

	if (!status && (!q.run.replay || q.e->not_run)) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "Nothing can be tried, since %s.", q.e->not_run);
		status = OPTIONS_EXIT_USAGE;
	} else if (!status) {
		status = wrong_output_begin(&q, error) ? try_asked_change(&q, error)
						       : OPTIONS_EXIT_USAGE;
	}
	question_clear(&q);
	return status;
}
