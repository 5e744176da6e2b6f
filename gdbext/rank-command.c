/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/rank-command.h"

#include "gdbext/ending.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/suite/progress.h"
#include "gdbext/suite/run.h"
#include "solver/ranking.h"
#include "tui/rank.h"

#include <errno.h>
#include <stdio.h>

/* So many tests that were left out are named. */
enum { NAMED_MOST = 20 };

static const char *const verdicts[] = {
	[SUITE_PASSED] = "passed",
	[SUITE_FAILED_STATUS] = "failed: status",
	[SUITE_FAILED_OUTPUT] = "failed: output",
	[SUITE_FAILED_CRASH] = "failed: crash",
	[SUITE_FAILED_LATE] = "failed: time",
	[SUITE_UNKNOWN] = "unknown",
};

static GArray *find_techniques(const struct options *o, GError **error)
{
	g_autofree char *wrong = NULL;
	GArray *techniques = ranking_techniques(o->technique, &wrong);
	g_autoptr(GString) names = g_string_new(NULL);
	struct technique t;

	if (techniques)
		return techniques;
	for (unsigned i = 0; technique_at(i, &t); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", technique_name(&t));
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    "There is no technique `%s'; --technique takes all, or some of: %s.", wrong,
		    names->str);
	return NULL;
}

static struct suite_result *run_tests(const struct options *o, GError **error)
{
	struct progress_bar bar = { 0 };
	struct suite_options s = { .tests = o->tests,
				   .program = o->program[0],
				   .directory = o->directory,
				   .golden = o->golden,
				   .expected = o->expected,
				   .jobs = o->jobs,
				   .run_timeout = o->run_timeout,
				   .no_cache = o->no_cache,
				   .progress = progress_bar_show,
				   .arg = &bar };
	struct suite_result *r = suite_run(&s, error);

	progress_bar_clear(&bar);
	return r;
}

static void name_left_out(const struct suite *s)
{
	for (unsigned i = 0; i < s->wrong->len && i < NAMED_MOST; i++)
		fprintf(stderr, "gdb-why: %s.\n", (char *)s->wrong->pdata[i]);
	if (s->wrong->len > NAMED_MOST)
		fprintf(stderr, "gdb-why: %u more tests of %s are left out.\n",
			s->wrong->len - NAMED_MOST, s->path);
}

static int complain(GError **error, int status, const char *format, ...) G_GNUC_PRINTF(3, 4);

static int complain(GError **error, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(SUITE_ERROR, SUITE_ERROR_EXPECT, format, args));
	va_end(args);
	return status;
}

/* 0 when there are failing and passing tests. */
static int check_verdicts(const struct suite_result *r, GError **error)
{
	unsigned run = r->passed + r->failed;

	if (r->failed && r->passed)
		return 0;
	if (r->not_run)
		return complain(error, OPTIONS_EXIT_INTERRUPTED,
				"Interrupted when %u of %u tests were done, of which %u failed; a "
				"ranking needs failing and passing tests.",
				run, r->outcomes->len, r->failed);
	if (!run)
		return complain(error, OPTIONS_EXIT_USAGE,
				"No test of %s can be used; does each run the program, as {} or "
				"$PROG?",
				r->suite->path);
	if (!r->failed)
		return complain(error, OPTIONS_EXIT_PASSED,
				"No test failed: all %u passed, so there is nothing to look for.",
				run);
	return complain(error, OPTIONS_EXIT_NONE_PASSED,
			"No test passed: all %u failed, so there is nothing to compare with; add "
			"tests that pass, or say by --golden or --expected what passes.",
			run);
}

static void describe_tests(struct ranking *r, const struct suite_result *result)
{
	for (unsigned i = 0; i < result->outcomes->len; i++) {
		const struct suite_test *t = result->suite->tests->pdata[i];
		const struct suite_outcome *o =
			&g_array_index(result->outcomes, struct suite_outcome, i);
		struct ranking_test test = { g_string_chunk_insert(r->strings, t->name),
					     verdicts[o->verdict] };

		g_array_append_val(r->tests, test);
	}
	r->left_out = result->suite->wrong->len;
	r->not_run = result->not_run;
	r->cached = result->cached;
}

static bool write_ranking(const struct options *o, const struct ranking *r, GError **error)
{
	struct tui_rank_options t = { .format = (enum tui_rank_format)o->format,
				      .annotate = o->annotate,
				      .max_lines = o->max_lines,
				      .color = (enum tui_color_when)o->color };
	FILE *out = o->output ? fopen(o->output, "we") : stdout;
	bool ok = out && tui_print_ranking(out, r, &t);

	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The ranking cannot be written: %s.", g_strerror(errno));
	if (out && out != stdout)
		fclose(out);
	return ok;
}

static int rank(const struct options *o, const GArray *techniques, GError **error)
{
	gint64 start = g_get_monotonic_time();
	struct suite_result *result = run_tests(o, error);
	struct ranking *r;
	int status;

	if (!result)
		return ending_status(*error);
	name_left_out(result->suite);
	status = check_verdicts(result, error);
	if (!status) {
		r = ranking_new(profile_plan_units(result->plan), result->spectrum,
				(const struct technique *)(gpointer)techniques->data,
				techniques->len, (enum rank_scheme)o->scheme,
				profile_plan_image(result->plan));
		r->program = o->program[0];
		r->suite = o->tests;
		describe_tests(r, result);
		r->ms = (double)(g_get_monotonic_time() - start) / 1000;
		status = !write_ranking(o, r, error) ? OPTIONS_EXIT_USAGE
			 : result->not_run	     ? OPTIONS_EXIT_INTERRUPTED
						     : OPTIONS_EXIT_EXPLAINED;
		ranking_free(r);
	}
	suite_result_free(result);
	return status;
}

int rank_command(const struct options *o, GError **error)
{
	g_autoptr(GArray) techniques = find_techniques(o, error);
	int status;

	if (!techniques)
		return OPTIONS_EXIT_USAGE;
	if (!replay_interrupt_install(NULL, NULL, error))
		return ending_status(*error);
	status = rank(o, techniques, error);
	replay_interrupt_restore();
	return status;
}
