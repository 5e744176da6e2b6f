/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain.h"
#include "gdbext/question/ending.h"
#include "gdbext/command/explain-tests.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/progress.h"
#include "gdbext/question/question.h"
#include "solver/limits/limits.h"
#include "solver/answer/describe.h"
#include "solver/answer/json-decision.h"
#include "solver/answer/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

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

static void add_stage(struct explanation *e, const char *name, double ms, uint64_t count,
		      const char *unit)
{
	struct explanation_stage s = { name, ms, count, unit };

	g_array_append_val(e->stats.stages, s);
}

static bool run_timed(struct runner *r, const struct run_request *request,
		      struct run_result *result, GError **error)
{
	struct timed_runner *t = (struct timed_runner *)r;
	gint64 start = g_get_monotonic_time();
	struct run_request here = *request;
	bool ok;

	here.from = t->from;
	here.thread = t->thread;
	progress_say(t->o, PROGRESS_PROVE);
	ok = t->inner->run(t->inner, &here, result, error);
	progress_say(t->o, PROGRESS_SOLVE);

	t->ms += (double)(g_get_monotonic_time() - start) / 1e3;
	t->runs++;
	return ok;
}

/* What is known so far, for a reader at the other end of a pipe. */
static void stream(const struct question *q)
{
	const struct tui_options t = { .format = TUI_JSON, .one_line = true };

	if (!q->o->stream)
		return;
	describe_finish(q->e, q->images, q->n_images);
	trace_point_coverage(q->point, q->e);
	tui_print(stdout, q->e, &t);
}

/* Proves one explanation after the other. */
static bool search_all(struct question *q, struct search *search, GError **error)
{
	struct describer *describer = describer_new(q->e, q->point);
	const struct search_answer *a;
	GError *failed = NULL;

	stream(q);
	while ((a = search_next(search, &failed))) {
		describe_answer(describer, search, a);
		stream(q);
	}
	q->e->complete = search_complete(search) && !limits_cut(&q->e->reached);
	q->e->hurried = search_hurried(search);
	search_stats(search, &q->e->stats);
	if (search_formula(search))
		describe_values(describer, search);
	describe_finish(q->e, q->images, q->n_images);
	trace_point_coverage(q->point, q->e);
	describer_free(describer);
	if (failed)
		g_propagate_error(error, failed);
	return !failed;
}

/* Appends: the searches of several tests are traced one after the other. */
static bool open_trace(const struct options *o, FILE **trace, GError **error)
{
	*trace = o->trace_search ? fopen(o->trace_search, "ae") : NULL;
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

	add_stage(e, "formula", formula, search_formula(search)->definitions->len, "definitions");
	add_stage(e, "solve", MAX(e->stats.solve_ms - formula - timed->ms, 0), e->stats.checks,
		  "checks");
	add_stage(e, "replay", timed->ms, timed->runs, "runs");
}

bool explain_search(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct timed_runner timed = { .runner.run = run_timed, .o = o };
	struct limits limits = o->limits;
	struct search_options s = {
		.walk = { .granularity = (enum walk_granularity)o->granularity,
			  .hard_addresses = o->hard_addresses,
			  .unroll = (unsigned)o->limits.unroll,
			  .requirement = q->requirement },
		.thread = q->failing.thread,
		.max_suspects = o->max_suspects,
		.until = &q->until,
		.limits = &limits,
		.thorough = o->thorough,
		.solver = (enum smt_kind)o->solver,
		.hijack = !o->no_hijack,
		.weighting = q->weighting,
	};
	double before = g_timer_elapsed(q->clock, NULL);
	struct search *search;
	FILE *trace;
	bool ok;

	if (!open_trace(o, &trace, error))
		return false;
	if (trace)
		s.decided = trace_decision;
	s.decided_arg = trace;
	limits.reached = &q->e->reached;
	timed.from = trace_point_left_out(q->point);
	timed.thread = q->failing.thread;
	if (q->replay && !q->e->not_run)
		timed.inner = replay_runner(q->replay);
	search = search_new(q->images, q->n_images, q->failing.record,
			    timed.inner ? &timed.runner : NULL, &s, error);
	ok = search && search_all(q, search, error);
	if (trace)
		fclose(trace);
	if (!search)
		return false;
	q->e->stats.solve_ms = 1000 * (g_timer_elapsed(q->clock, NULL) - before);
	if (ok)
		add_search_stages(q->e, search, &timed);
	search_free(search);
	return ok;
}

static void show_file(const char *folder, const char *file, const char *name)
{
	g_autofree char *path = g_build_filename(folder, file, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!g_file_get_contents(path, &text, &length, NULL))
		return;
	fprintf(stderr, "the test's %s%s\n", name, length ? ":" : " was empty");
	fwrite(text, 1, length, stderr);
	if (length && text[length - 1] != '\n')
		fputc('\n', stderr);
}

/* What the test writes when it fails, on standard error: standard output is the
 * answer's.  The first run was stopped before it could write all of it. */
static void show_output(const struct question *q)
{
	struct runner *runner = q->replay ? replay_runner(q->replay) : NULL;
	struct run_request request = { 0 };
	struct run_result result = { 0 };
	bool again = runner && runner->run(runner, &request, &result, NULL);
	const char *folder = again ? result.record : q->failing.record;

	show_file(folder, "out", "standard output");
	show_file(folder, "err", "standard error");
	run_result_clear(&result);
}

int explain_print(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct tui_options t = { .format = (enum tui_format)o->format,
				 .color = (enum tui_color_when)o->color,
				 .graph = (enum tui_graph)o->graph,
				 .stats = o->stats,
				 .one_line = o->stream,
				 .max_suspects = o->max_suspects };
	FILE *out = o->output ? fopen(o->output, "we") : stdout;
	struct rusage usage;
	bool ok = false;

	getrusage(RUSAGE_SELF, &usage);
	q->e->stats.memory_kb = (uint64_t)usage.ru_maxrss;
	q->e->stats.total_ms = 1000 * g_timer_elapsed(q->clock, NULL);
	notes_limits(q->e, o);
	if (out)
		ok = tui_print(out, q->e, &t);
	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The answer cannot be written: %s.", g_strerror(errno));
	if (out && out != stdout)
		fclose(out);
	if (!ok)
		return OPTIONS_EXIT_USAGE;
	fflush(stdout);
	if (o->show_output)
		show_output(q);
	return q->e->suspects->len ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_UNEXPLAINED;
}

static int check_record(struct question *q, GError **error)
{
	struct trace_run *run = trace_run_open(q->failing.record, q->images, q->n_images, error);
	struct lift *lift = lift_new();
	uint64_t checked = 0;
	bool ok;

	if (run)
		trace_run_end_at(run, &q->until);
	ok = run && trace_check(run, lift, &checked, error);
	if (ok)
		printf("checked %" G_GUINT64_FORMAT " instructions\n", checked);
	trace_run_free(run);
	lift_free(lift);
	return ok			     ? OPTIONS_EXIT_EXPLAINED
	       : deadline_is_over(&q->until) ? ending_status(*error)
					     : OPTIONS_EXIT_UNEXPLAINED;
}

/* What the record leaves out has to be the same in each run. */
static bool try_again(struct question *q, GError **error)
{
	const char *differs = NULL;
	g_autofree char *why = NULL;

	if (!replay_repeat(q->replay, &q->failing, &differs, error))
		return false;
	why = differs ? g_strconcat("only the end of the run was recorded, and a second run "
				    "is not the same: ",
				    differs, NULL)
		      : NULL;
	q->e->not_run = explanation_string(q->e, why);
	return true;
}

int explain_failure(struct question *q, GError **error)
{
	const struct requirement_end end = failure_end(&q->failing);
	const struct replay_failing *f = &q->failing;
	struct explanation *e = q->e;
	double before = g_timer_elapsed(q->clock, NULL);

	q->point = trace_point_new(q->images, q->n_images, f->record, f->thread, f->line, &q->until,
				   error);
	if (!q->point)
		return ending_status(*error);
	q->requirement = requirement_new(&end);
	failure_describe(q);
	if (trace_point_left_out(q->point) && !q->record && !e->not_run && !try_again(q, error))
		return ending_status(*error);
	add_stage(e, "start", q->failing.gdb_ms, 0, NULL);
	add_stage(e, "image", q->failing.image_ms, q->n_images,
		  q->n_images == 1 ? "file" : "files");
	add_stage(e, "record", q->failing.run_ms, e->stats.instructions, "instructions");
	add_stage(e, "walk", 1000 * (g_timer_elapsed(q->clock, NULL) - before),
		  e->stats.instructions, "instructions");
	if (!explain_search(q, error))
		return ending_status(*error);
	notes_add(e, q->o, trace_point_threads(q->point), trace_point_left_out(q->point),
		  &q->until);
	if (q->o->graph == TUI_REGIONS &&
	    !regions_describe(e, q->images, q->n_images, q->failing.record, q->failing.thread,
			      &q->until, error))
		return ending_status(*error);
	return 0;
}

static int answer(struct question *q, GError **error)
{
	g_auto(GStrv) words = question_words(q);
	int status;

	if (q->o->check)
		return check_record(q, error);
	status = ending_check(q->o, words[0], &q->failing, error);
	if (!status)
		status = explain_failure(q, error);
	return status ? status : explain_print(q, error);
}

int explain_command(const struct options *o, GError **error)
{
	struct question q;
	int status;

	if (o->tests)
		return explain_with_tests(o, error);
	question_init(&q, o);
	if (question_start(&q, error))
		status = answer(&q, error);
	else
		status = ending_status(*error);
	question_clear(&q);
	return status;
}
