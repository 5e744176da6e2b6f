/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/suite-tests.h"

#include "gdbext/question/runs/progress.h"
#include "gdbext/suite/progress.h"
#include "solver/rank/ranking.h"

/* So many tests that were left out are named. */
enum { NAMED_MOST = 20 };

GArray *tests_techniques(const char *asked, const struct limits *limits, GError **error)
{
	g_autofree char *wrong = NULL;
	GArray *techniques = ranking_techniques(asked, limits, &wrong);
	g_autoptr(GString) names = g_string_new(NULL);
	struct technique t;

	if (techniques)
		return techniques;
	for (unsigned i = 0; technique_at(i, &t); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", technique_name(&t));
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    "There is no technique `%s'; there are all, or some of: %s; to rank, "
		    "also ofc, ofc+cw, joint, ba and ba+cw.",
		    wrong, names->str);
	return NULL;
}

static void name_left_out(const struct options *o, const struct suite *s)
{
	for (unsigned i = 0; i < s->wrong->len && i < NAMED_MOST; i++)
		progress_note(o, "%s.", (char *)s->wrong->pdata[i]);
	if (s->wrong->len > NAMED_MOST)
		progress_note(o, "%u more tests of %s are left out.", s->wrong->len - NAMED_MOST,
			      s->path);
}

struct suite_result *tests_run(const struct options *o, GError **error)
{
	struct progress_bar bar = { 0 };
	struct suite_options s = { .tests = o->tests,
				   .program = o->program[0],
				   .directory = o->directory,
				   .golden = o->golden,
				   .expected = o->expected,
				   .jobs = o->jobs,
				   .run_timeout = o->run_timeout,
				   .limits = &o->limits,
				   .no_cache = o->no_cache,
				   .progress = progress_bar_show,
				   .arg = &bar };
	struct suite_result *r = suite_run(&s, error);

	progress_bar_clear(&bar);
	if (r)
		name_left_out(o, r->suite);
	return r;
}

static int complain_of_suite(GError **error, int status, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static int complain_of_suite(GError **error, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(SUITE_ERROR, SUITE_ERROR_EXPECT, format, args));
	va_end(args);
	return status;
}

int tests_check_failed(const struct suite_result *r, GError **error)
{
	unsigned run = r->passed + r->failed;

	if (r->not_run)
		return complain_of_suite(
			error, OPTIONS_EXIT_INTERRUPTED,
			"Interrupted after %u of %u tests, of which %u failed; the next "
			"time, their results come from the cache.",
			run, r->outcomes->len, r->failed);
	if (!run)
		return complain_of_suite(
			error, OPTIONS_EXIT_USAGE,
			"No test of %s can be used; does each run the program, as {} or "
			"$PROG?",
			r->suite->path);
	if (!r->failed)
		return complain_of_suite(
			error, OPTIONS_EXIT_PASSED,
			"No test failed: all %u passed, so there is nothing to look for.", run);
	return 0;
}

int tests_check_both(const struct suite_result *r, GError **error)
{
	unsigned run = r->passed + r->failed;

	if (r->failed && r->passed)
		return 0;
	if (r->not_run)
		return complain_of_suite(
			error, OPTIONS_EXIT_INTERRUPTED,
			"Interrupted after %u of %u tests, of which %u failed; a ranking "
			"needs failing and passing tests.",
			run, r->outcomes->len, r->failed);
	if (!run || !r->failed)
		return tests_check_failed(r, error);
	return complain_of_suite(
		error, OPTIONS_EXIT_NONE_PASSED,
		"No test passed: all %u failed, so there is nothing to compare with; add "
		"tests that pass (what passes is what --golden or --expected says, where one is "
		"given).",
		run);
}

static bool find_one(const struct options *o, struct technique *t, GError **error)
{
	g_autoptr(GArray) found = tests_techniques(o->technique ? o->technique : RANKING_TECHNIQUE,
						   &o->limits, error);

	if (!found)
		return false;
	if (found->len == 1) {
		*t = g_array_index(found, struct technique, 0);
		return true;
	}
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    "Statements are weighed by one technique; name one with --technique, such as "
		    "%s.",
		    RANKING_TECHNIQUE);
	return false;
}

bool tests_check_technique(const struct options *o, GError **error)
{
	struct technique t;

	return find_one(o, &t, error);
}

struct weighting *tests_weigh(const struct options *o, const struct suite_result *r,
			      const char **name, GError **error)
{
	struct technique t;

	if (!find_one(o, &t, error))
		return NULL;
	*name = technique_name(&t);
	return weighting_new(profile_plan_units(r->plan), r->spectrum, &t);
}
