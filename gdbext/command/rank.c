/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/rank.h"

#include "gdbext/question/ending.h"
#include "gdbext/evidence/rank-formula.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/question/runs/suite-tests.h"
#include "solver/rank/ranking.h"
#include "tui/report/rank/rank.h"

#include <errno.h>
#include <stdio.h>

static const char *const verdicts[] = {
	[SUITE_PASSED] = "passed",
	[SUITE_FAILED_STATUS] = "failed: status",
	[SUITE_FAILED_OUTPUT] = "failed: output",
	[SUITE_FAILED_CRASH] = "failed: crash",
	[SUITE_FAILED_LATE] = "failed: time",
	[SUITE_UNKNOWN] = "unknown",
};

/* An interrupt ends this; later ones are not for us. */
static struct suite_result *run_ranked_tests(const struct options *o, GError **error)
{
	struct suite_result *r = NULL;

	if (replay_interrupt_install(NULL, NULL, error))
		r = tests_run(o, error);
	replay_interrupt_restore();
	return r;
}

static void describe_ranked_tests(struct ranking *r, const struct suite_result *result)
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

/* Ranks the lines of techniques that ask the formulas of failing runs, too.  Returns 0, or the
 * exit status with error. */
static int ask_formulas(struct rank_formulas *asked, GArray *techniques, GError **error)
{
	for (unsigned i = 0; i < techniques->len; i++) {
		struct technique *t = &g_array_index(techniques, struct technique, i);
		int status = 0;

		if (!t->given)
			continue;
		t->given_lines =
			rank_formulas_lines(asked, rank_formula_find(t->given), &status, error);
		if (!t->given_lines)
			return status;
	}
	return 0;
}

/* Adds the lines without code that explanations name. */
static void add_extras(struct ranking *r, const struct rank_formulas *asked, GArray *techniques,
		       const struct image *im)
{
	for (unsigned i = 0; i < techniques->len; i++) {
		const struct technique *t = &g_array_index(techniques, struct technique, i);
		g_autoptr(GArray) extras = NULL;

		if (!t->given)
			continue;
		extras = rank_formulas_extras(asked, rank_formula_find(t->given), i);
		ranking_add_lines(r, extras, im);
	}
}

static int rank_suite_lines(const struct options *o, GArray *techniques, GError **error)
{
	gint64 start = g_get_monotonic_time();
	struct suite_result *result = run_ranked_tests(o, error);
	struct rank_formulas *asked;
	struct ranking *r;
	int status;

	if (!result)
		return ending_status(*error);
	asked = rank_formulas_new(o, result, techniques);
	status = tests_check_both(result, error);
	if (!status)
		status = ask_formulas(asked, techniques, error);
	if (!status) {
		r = ranking_new(profile_plan_units(result->plan), result->spectrum,
				(const struct technique *)(gpointer)techniques->data,
				techniques->len, (enum rank_scheme)o->scheme,
				profile_plan_image(result->plan));
		add_extras(r, asked, techniques, profile_plan_image(result->plan));
		r->program = o->program[0];
		r->suite = o->tests;
		r->unproven = rank_formulas_not_run(asked);
		r->cut = rank_formulas_cut(asked);
		describe_ranked_tests(r, result);
		r->ms = (double)(g_get_monotonic_time() - start) / 1000;
		status = !write_ranking(o, r, error) ? OPTIONS_EXIT_USAGE
			 : result->not_run	     ? OPTIONS_EXIT_INTERRUPTED
						     : OPTIONS_EXIT_EXPLAINED;
		ranking_free(r);
	}
	rank_formulas_free(asked);
	suite_result_free(result);
	return status;
}

int rank_command(const struct options *o, GError **error)
{
	g_autoptr(GArray) techniques = rank_formula_techniques(o->technique, &o->limits, error);

	if (!techniques)
		return OPTIONS_EXIT_USAGE;
	return rank_suite_lines(o, techniques, error);
}
