/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain/explain.h"
#include "gdbext/command/explain/explain-lesson.h"
#include "gdbext/command/explain/explain-live.h"
#include "gdbext/command/explain/explain-outputs.h"
#include "gdbext/command/explain/explain-tests.h"
#include "gdbext/evidence/slips/slips.h"
#include "gdbext/ipc/event.h"
#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/analysis/second-run.h"
#include "gdbext/question/user-requirement.h"
#include "gdbext/question/analysis/ways.h"
#include "gdbext/replay/interrupt.h"
#include "solver/trace/run.h"
#include "solver/trace/superblock/self-check.h"
#include "tui/report/color.h"
#include "tui/words/line.h"
#include "tui/report/page.h"
#include "tui/report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

/* A record's output was printed by someone else's program, perhaps to do something to
 * this terminal: each line as it may be shown there. */
static void put_visible(const char *text, gsize length)
{
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
	g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *clean = tui_clean_code(*line);

		if (**line || line[1])
			fprintf(stderr, "%s%s", clean, line[1] ? "\n" : "");
	}
}

static void show_file(const struct question *q, const char *folder, const char *file,
		      const char *name)
{
	g_autofree char *path = g_build_filename(folder, file, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!g_file_get_contents(path, &text, &length, NULL))
		return;
	if (q->o->events) {
		event_write((int)q->o->events,
			    &(struct event){ .kind = EVENT_OUTPUT, .name = name, .text = text });
		return;
	}
	fprintf(stderr, "the test's %s%s\n", name, length ? ":" : " was empty");
	if (!q->run.record)
		fwrite(text, 1, length, stderr);
	else
		put_visible(text, length);
	if (length && text[length - 1] != '\n')
		fputc('\n', stderr);
}

/* What the test writes when it fails, on standard error: standard output is the
 * answer's.  The first run was stopped before it could write all of it. */
static void show_failing_output(const struct question *q)
{
	struct runner *runner = q->run.replay ? replay_runner(q->run.replay) : NULL;
	struct run_request request = { 0 };
	struct run_result result = { 0 };
	bool again = runner && runner->run(runner, &request, &result, NULL);
	const char *folder = again ? result.record : q->run.failing.record;

	show_file(q, folder, "out", q->o->output_file ? q->o->output_file : "standard output");
	show_file(q, folder, "err", "standard error");
	run_result_clear(&result);
}

static struct tui_options format_of_explanation(const struct options *o)
{
	return (struct tui_options){ .format = (enum tui_format)o->format,
				     .color = (enum tui_color_when)o->color,
				     .graph = (enum tui_graph)o->graph,
				     .stats = o->stats,
				     .one_line = o->stream,
				     .others = o->all	   ? NULL
					       : o->in_gdb ? "why --all"
							   : "--all",
				     .in_gdb = o->in_gdb,
				     .thorough = o->thorough,
				     .no_hijack = o->no_hijack,
				     .input = o->stdin_file,
				     .max_suspects = o->max_suspects };
}

static char *text_of_answer(const struct question *q, const struct tui_options *t)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	tui_print(out, q->e, t);
	fclose(out);
	return text;
}

/* The text's beginning, the same for all terminals. */
static char *head_of_answer(const struct question *q)
{
	const struct tui_options t = { .part = TUI_HEAD, .color = TUI_COLOR_NEVER, .width = 80 };

	return text_of_answer(q, &t);
}

/* A person who waits reads how the test failed and what happened while suspects are looked for. */
static void tell_head(struct question *q)
{
	struct tui_options t = format_of_explanation(q->o);

	t.part = TUI_HEAD;
	if (q->o->events || q->o->output || q->o->stream || t.format != TUI_TEXT || q->told)
		return;
	q->told = head_of_answer(q);
	tui_print(stdout, q->e, &t);
}

static void tell_crash(struct question *q)
{
	second_run_look(q);
	analysis_open(q);
	tell_head(q);
}

/* The way back, which is told behind the failure. */
static void print_opening(const struct question *q)
{
	const struct tui_options t = {
		.part = TUI_HEAD,
		.color = tui_color_wanted((enum tui_color_when)q->o->color, stdout)
				 ? TUI_COLOR_ALWAYS
				 : TUI_COLOR_NEVER,
		.width = tui_width_of(stdout),
	};
	GArray *opening = q->e->opening;
	g_autofree char *with = text_of_answer(q, &t), *without = NULL;

	q->e->opening = g_array_new(FALSE, FALSE, sizeof(struct explanation_link));
	without = text_of_answer(q, &t);
	g_array_unref(q->e->opening);
	q->e->opening = opening;
	fputs(g_str_has_prefix(with, without) ? with + strlen(without) : with, stdout);
}

/* Only what was not told yet is printed.  When it turned out that something else had failed before,
 * the whole answer is. */
static enum tui_part part_to_print(const struct question *q)
{
	g_autofree char *head = q->told ? head_of_answer(q) : NULL;

	if (head && strcmp(head, q->told) == 0)
		return TUI_REST;
	if (head && g_str_has_prefix(head, q->told)) {
		print_opening(q);
		return TUI_REST;
	}
	if (head)
		fputc('\n', stdout);
	return TUI_WHOLE;
}

static bool print_explanation(const struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct tui_options t = format_of_explanation(o);
	FILE *out = o->output ? fopen(o->output, "we") : stdout;
	bool ok = false;

	t.part = part_to_print(q);
	t.above = q->told ? tui_count_lines(q->told) : 0;

	if (out)
		ok = tui_print(out, q->e, &t);
	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The answer cannot be written: %s.", g_strerror(errno));
	if (out && out != stdout)
		fclose(out);
	fflush(stdout);
	return ok;
}

static void finish_stats(const struct question *q)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	q->e->stats.memory_kb = (uint64_t)usage.ru_maxrss;
	q->e->stats.total_ms = 1000 * g_timer_elapsed(q->clock, NULL);
	notes_started(q->e, q->run.replay);
	notes_limits(q->e, q->o);
}

/* There is no answer; what took the time is told all the same. */
static void print_stats(const struct question *q)
{
	struct tui_options t = format_of_explanation(q->o);

	if (!q->o->stats || q->o->events || q->o->output || t.format != TUI_TEXT)
		return;
	t.part = TUI_STATS;
	finish_stats(q);
	tui_print(stdout, q->e, &t);
	fflush(stdout);
}

int explain_print(struct question *q, GError **error)
{
	const struct options *o = q->o;

	/* the likeliest: two searches may each have found as many */
	if (o->max_suspects && q->e->suspects->len > o->max_suspects) {
		g_ptr_array_set_size(q->e->suspects, (gint)o->max_suspects);
		q->e->complete = false;
	}
	ways_add(q);
	if (o->format == TUI_HTML && !o->events)
		explain_outputs_add(q);
	finish_stats(q);
	if (o->events)
		event_write((int)o->events,
			    &(struct event){ .kind = EVENT_RESULT, .answer = q->e });
	else if (!print_explanation(q, error))
		return OPTIONS_EXIT_USAGE;
	if (o->show_output)
		show_failing_output(q);
	explain_lesson_compare(o, q->e);
	return q->e->suspects->len ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_UNEXPLAINED;
}

/* Begins, searches and prints.  What is found meanwhile is shown, and stays when the search is
 * interrupted. */
static int answer_by(int (*search)(struct question *q, GError **error), struct question *q,
		     GError **error)
{
	struct explain_live live = { 0 };
	int status;

	second_run_look(q);
	analysis_begin(q);
	tell_head(q);
	explain_live_watch(&live, q);
	status = search(q, error);
	if (!status) {
		explain_live_erase(&live, q);
		status = explain_print(q, error);
	} else {
		print_stats(q);
	}
	explain_live_clear(&live);
	return status;
}

int explain_and_print(struct question *q, GError **error)
{
	return answer_by(analysis_explain, q, error);
}

static double seconds_left_of_timeout(const struct question *q)
{
	return q->o->timeout - g_timer_elapsed(q->clock, NULL);
}

/* The formula need not find anything, and is only given some time: more of it where a check alone
 * judges the change. */
static void limit_time_after_slips(struct question *q, const struct slips *slips)
{
	const struct limits *l = &q->o->limits;
	const bool by_all = slips_are_judged_by_all(slips);

	q->has_others = true;
	if (q->o->thorough || !(by_all || slips_meet_check(slips)) ||
	    seconds_left_of_timeout(q) <= 0)
		return;
	q->cut_by = by_all ? LIMIT_slip_enough_ms : LIMIT_slip_enough_check_ms;
	question_go_on(q, seconds_left_of_timeout(q));
	/* in a long run what is near the failure is found by going through the record again */
	deadline_limit_busy(&q->until,
			    by_all ? (double)l->slip_enough_ms / 1e3
				   : (double)l->slip_enough_check_ms / 1e3 + 2 * q->walk_ms / 1e3);
}

/* In a long run small changes of many lines are not tried yet, and the formula may take all the
 * time that there is without proving anything; of an invalid access it often does. */
static void keep_time_for_slips(struct question *q, const struct slips *slips)
{
	const struct limits *l = &q->o->limits;
	const bool by_all = slips_are_judged_by_all(slips);
	const double left = seconds_left_of_timeout(q);

	if (q->o->thorough || left <= 0 ||
	    !(q->memory ? !slips_found(slips)
	      : by_all	? slips_are_cut(slips)
			: slips_want_time(slips)))
		return;
	q->has_others |= by_all;
	q->cut_by = by_all ? LIMIT_slip_later_percent : LIMIT_slip_rest;
	question_go_on(q, left / 100 *
				  (double)(100 - (by_all ? l->slip_later_percent : l->slip_rest)));
}

/* Where nothing is found first, the formula of a short run may ask for a minute, and the rarer
 * changes that come behind it are cheap. */
static void limit_time_of_short_run(struct question *q, const struct slips *slips)
{
	const struct limits *l = &q->o->limits;

	if (q->o->thorough || !slips_are_of_short_run(slips) || seconds_left_of_timeout(q) <= 0)
		return;
	q->cut_by = LIMIT_short_formula_ms;
	question_go_on(q, seconds_left_of_timeout(q));
	deadline_limit_busy(&q->until, (double)l->short_formula_ms / 1e3);
}

/* False where the search was interrupted.  That its time is up is no failure: what it found until
 * then stands. */
static bool find_slips(struct question *q, struct slips *slips, GError **error)
{
	GError *failed = NULL;
	bool ok = slips_search(slips, &failed);

	if (slips_found(slips)) {
		limit_time_after_slips(q, slips);
		ok |= ending_forgive_time(&failed);
	}
	if (ok && q->cut_by < 0)
		keep_time_for_slips(q, slips);
	if (ok && q->cut_by < 0)
		limit_time_of_short_run(q, slips);
	if (failed)
		g_propagate_error(error, failed);
	return ok;
}

/* The cheap changes come first, then the formula, and what both tell of each other. */
static int search_explanation(struct question *q, GError **error)
{
	struct slips *slips = slips_new(q, seconds_left_of_timeout(q));
	int status = find_slips(q, slips, error) ? 0 : ending_status(*error);

	if (!status)
		status = analysis_explain(q, error);
	if (q->cut_by >= 0)
		question_go_on(q, seconds_left_of_timeout(q));
	if (!status && !slips_gather(slips, error))
		status = ending_status(*error);
	slips_free(slips);
	return status;
}

static int check_record(struct question *q, GError **error)
{
	struct trace_run *run =
		trace_run_open(q->run.failing.record, q->run.images, q->run.n_images, error);
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

static int require_pass_and_tell(struct question *q, void *arg, GError **error)
{
	q->crashed = tell_crash;
	return question_require_pass(q, arg, error);
}

int explain_command(const struct options *o, GError **error)
{
	question_require_fn *require = o->require ? user_requirement : require_pass_and_tell;
	struct stop stop = { 0 };
	struct question q;
	int status;

	explain_lesson_ask(o);
	if (o->tests)
		return explain_with_tests(o, error);
	if (!o->events) /* of a session Ctrl-C is the user's GDB's */
		replay_interrupt_is_hang();
	status = question_start(&q, o, o->check ? NULL : require, &stop, error);
	if (!status && o->check)
		status = check_record(&q, error);
	else if (!status)
		status = answer_by(search_explanation, &q, error);
	question_clear(&q);
	stop_clear(&stop);
	return status;
}
