/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/flow-private.h"
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "gdbext/replay/cage/supervisor.h"
#include "solver/regress/set.h"

#include <glib/gstdio.h>
#include <unistd.h>

struct regression *regression_new(const struct options *o)
{
	struct regression *r = g_new0(struct regression, 1);

	r->o = o;
	r->clock = g_timer_new();
	r->deadline = g_get_monotonic_time() + (gint64)(o->timeout * G_USEC_PER_SEC);
	r->good = g_strdup(o->old_version);
	r->bad = g_strdup(o->new_version);
	return r;
}

void regression_close(struct regression *r)
{
	g_clear_pointer(&r->new_coverage, coverage_free);
	g_clear_pointer(&r->old_coverage, coverage_free);
	g_clear_pointer(&r->search, regress_search_free);
	g_clear_pointer(&r->workshop, workshop_free);
	g_clear_pointer(&r->answer, regress_answer_free);
	g_clear_pointer(&r->versions, regress_versions_free);
	g_clear_pointer(&r->none, g_array_unref);
	g_clear_pointer(&r->all, g_array_unref);
}

void regression_free(struct regression *r)
{
	if (!r)
		return;
	regression_close(r);
	supervisor_free(r->supervisor);
	folder_free(r->folder);
	g_free(r->room);
	g_free(r->place);
	g_free(r->stdin_file);
	g_free(r->expected_file);
	g_free(r->good);
	g_free(r->bad);
	g_timer_destroy(r->clock);
	g_free(r);
}

static bool make_room_for_versions(struct regression *r, GError **error)
{
	if (r->o->keep) {
		r->room = g_canonicalize_filename(r->o->keep, r->o->directory);
		if (g_mkdir_with_parents(r->room, 0755) || g_rmdir(r->room) ||
		    g_mkdir(r->room, 0755)) {
			g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_SYSTEM,
				    "Cannot use %s for --keep; name a folder that is empty or does "
				    "not exist.",
				    r->room);
			return false;
		}
		return true;
	}
	r->folder = folder_new(error);
	r->room = r->folder ? g_strdup(r->folder->path) : NULL;
	return r->folder != NULL;
}

static bool find_stdin(struct regression *r, GError **error)
{
	if (!r->o->stdin_file)
		return true;
	r->stdin_file = g_canonicalize_filename(r->o->stdin_file, NULL);
	if (!access(r->stdin_file, R_OK))
		return true;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_INPUT,
		    "Cannot read %s, which --stdin names; name a file that is there.",
		    r->o->stdin_file);
	return false;
}

bool regression_open(struct regression *r, const char *room, GError **error)
{
	const struct options *o = r->o;

	g_free(r->place);
	r->place = g_strdup(room);
	r->versions = regress_versions_open(o->directory, r->good, r->bad, room, error);
	if (!r->versions)
		return false;
	r->w = (struct workshop_options){ .supervisor = r->supervisor,
					  .versions = r->versions,
					  .folder = r->place,
					  .build = o->build ? o->build : "make",
					  .test = o->test,
					  .program = o->program,
					  .stdin_file = r->stdin_file,
					  .build_timeout = o->build_timeout,
					  .test_timeout = o->run_timeout,
					  .deadline = r->deadline,
					  .jobs = o->jobs ? o->jobs : g_get_num_processors(),
					  .verbose = o->verbose,
					  .progress = !o->verbose && isatty(STDERR_FILENO),
					  .limits = &o->limits };
	r->workshop = workshop_new(&r->w);
	r->search =
		regress_search_new(r->versions->changes, workshop_oracle(r->workshop), &o->limits);
	r->none = regress_set_new();
	r->all = regress_set_all(regress_changes_count(r->versions->changes));
	r->answer = regress_answer_new(r->versions->changes);
	return true;
}

static void describe_regression(struct regression *r)
{
	struct regress_answer *a = r->answer;

	a->old_name = g_strdup(r->versions->old_name);
	a->new_name = g_strdup(r->versions->new_name);
	a->test = r->o->test ? g_strdup(r->o->test) : g_strjoinv(" ", r->o->program);
	a->failure = workshop_ending(r->workshop, r->none);
	a->technique = (enum regress_technique)r->o->regress_technique;
	if (r->commits > 1)
		regress_answer_note(a,
				    "Of %u commits, %.7s is the first that the test fails with; %u "
				    "were built to find it.",
				    r->commits, r->versions->new_name, r->judged);
	if (r->versions->built)
		regress_answer_note(a, "%u file%s that a compiler made differ%s; %s not looked at.",
				    r->versions->built, r->versions->built == 1 ? "" : "s",
				    r->versions->built == 1 ? "s" : "",
				    r->versions->built == 1 ? "it is" : "they are");
}

static void note_time_is_up(struct regression *r, const struct workshop_stats *w)
{
	if (r->answer->root->len)
		regress_answer_note(r->answer,
				    "The time was up after %g s (--timeout): the changes named may "
				    "not be the fewest.",
				    r->o->timeout);
	else
		regress_answer_note(r->answer,
				    "The time was up after %g s, with %u mixtures of the versions "
				    "built, of which %u did not compile: compare versions that lie "
				    "nearer to each other (in a git history, --bisect-first finds "
				    "the commit), or allow more time with --timeout.",
				    r->o->timeout, w->builds, w->failed_builds);
}

static void describe_costs(struct regression *r)
{
	struct regress_stats *s = &r->answer->stats;
	struct workshop_stats w;

	workshop_stats(r->workshop, &w);
	*s = (struct regress_stats){ .analysis_s = s->analysis_s,
				     .builds = w.builds,
				     .failed_builds = w.failed_builds,
				     .tests = w.tests,
				     .jobs = r->w.jobs,
				     .build_s = w.build_s,
				     .test_s = w.test_s,
				     .total_s = g_timer_elapsed(r->clock, NULL) };
	if (workshop_is_flaky(r->workshop))
		regress_answer_note(r->answer,
				    "The test did not do the same twice for some mixtures of the "
				    "versions; these count as neither passing nor failing.");
	if (workshop_out_of_time(r->workshop))
		note_time_is_up(r, &w);
	if (r->o->keep)
		regress_answer_note(r->answer, "What was built is kept in %s.", r->room);
}

/* What our own files, or Ctrl-C, ended. */
static int regression_was_stopped(const struct regression *r, GError **error)
{
	const GError *e = r->workshop ? workshop_error(r->workshop) : NULL;

	if (e && error && !*error) {
		*error = g_error_copy(e);
		return OPTIONS_EXIT_USAGE;
	}
	return replay_check_interrupt(error) ? 0 : OPTIONS_EXIT_INTERRUPTED;
}

static void list_changes(const struct regress_changes *c)
{
	for (guint i = 0; i < regress_changes_count(c); i++) {
		const struct regress_change *x = regress_change_at(c, i);
		unsigned line = x->new_count ? x->new_first : x->old_first;

		g_printerr("change %u: %s of %s", i + 1, regress_kind_name(x->kind),
			   regress_change_path(c, i));
		if (x->kind == REGRESS_LINES)
			g_printerr(":%u", line);
		g_printerr("%s%s", x->function ? " in " : "", x->function ? x->function : "");
		if (x->unit != i)
			g_printerr(", only with change %u", x->unit + 1);
		g_printerr("\n");
	}
}

static int start_regression(struct regression *r, GError **error)
{
	int status;

	if (!replay_interrupt_install(NULL, NULL, error) || !find_stdin(r, error) ||
	    !make_room_for_versions(r, error))
		return OPTIONS_EXIT_USAGE;
	r->supervisor = supervisor_new(NULL, NULL, 0, error);
	if (!r->supervisor)
		return OPTIONS_EXIT_USAGE;
	if (r->o->bisect_first && (status = regression_bisect(r, error)))
		return status;
	if (!regression_open(r, r->room, error))
		return OPTIONS_EXIT_USAGE;
	if (r->o->verbose)
		list_changes(r->versions->changes);
	return regression_check_both(r, error);
}

const struct regress_answer *regression_explain(struct regression *r, int *status, GError **error)
{
	*status = start_regression(r, error);
	if (!*status) {
		describe_regression(r);
		if (r->o->regress_technique == REGRESS_AFTER)
			regression_search_after(r);
		else
			regression_search_dd(r, r->o->regress_technique == REGRESS_ADD);
		regression_prove(r);
		regress_answer_mark_relevant(r->answer);
		describe_costs(r);
		*status = regression_was_stopped(r, error);
	} else if (error && !*error) {
		regression_was_stopped(r, error);
	}
	if (r->workshop)
		workshop_hide_progress(r->workshop);
	replay_interrupt_restore();
	return *status ? NULL : r->answer;
}

const char *regression_new_folder(const struct regression *r)
{
	return r->versions->new_folder;
}
