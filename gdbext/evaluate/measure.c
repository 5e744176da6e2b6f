/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/measure.h"

#include "gdbext/evaluate/foreign.h"
#include "gdbext/evidence/rank-formula.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/suite/run.h"

#include <signal.h>
#include <string.h>

/* The tests of a version: files with absolute names. */
struct plan {
	char *program, *suite, *directory, *golden, *expected;
};

static void plan_clear(struct plan *p)
{
	g_free(p->program);
	g_free(p->suite);
	g_free(p->directory);
	g_free(p->golden);
	g_free(p->expected);
}

static struct plan plan_of(const struct measure *m, const struct subject *s,
			   const struct subject_version *v)
{
	g_autofree char *out = workplace_out(m->place, s);
	struct plan p = { .program = subject_file(s, s->program, out, v),
			  .suite = subject_file(s, s->suite, out, v),
			  .directory = subject_file(s, s->directory, out, v),
			  .golden = subject_file(s, s->golden, out, v),
			  .expected = subject_file(s, s->expected, out, v) };

	if (!p.directory)
		p.directory = g_strdup(s->folder);
	return p;
}

static bool set_cancelled_error(GError **error)
{
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_CANCELLED,
		    "Interrupted; the same command goes on where this one ended.");
	return false;
}

/* An error is why a version is skipped, unless it was an interrupt.  Takes it. */
static bool skip_or_fail(GError *why, char **skipped, GError **error)
{
	bool ok = !g_error_matches(why, REPLAY_ERROR, REPLAY_ERROR_CANCELLED) &&
		  !g_error_matches(why, SUITE_ERROR, SUITE_ERROR_CANCELLED);

	if (ok) {
		*skipped = g_strdelimit(g_strdup(why->message), "\n", ' ');
		if (g_str_has_suffix(*skipped, "."))
			(*skipped)[strlen(*skipped) - 1] = '\0';
	}
	g_error_free(why);
	return ok || set_cancelled_error(error);
}

static bool skip_measurement(char **skipped, const char *why)
{
	*skipped = g_strdup(why);
	return true;
}

static struct suite_result *run_measured_suite(const struct measure *m, const struct plan *p,
					       GError **error)
{
	struct suite_options so = { .tests = p->suite,
				    .program = p->program,
				    .directory = p->directory,
				    .golden = p->golden,
				    .expected = p->expected,
				    .jobs = m->o->jobs,
				    .run_timeout = m->o->run_timeout,
				    .limits = &m->o->limits,
				    .no_cache = m->o->no_cache };
	struct suite_result *r = suite_run(&so, error);

	if (r && r->not_run) {
		suite_result_free(r);
		set_cancelled_error(error);
		return NULL;
	}
	return r;
}

/* A shell tells the signal of what it ran by its status. */
static bool is_abort(const struct suite_end *e)
{
	return (e->kind == SUITE_SIGNALLED && e->number == SIGABRT) ||
	       (e->kind == SUITE_EXITED && e->number == 128 + SIGABRT);
}

/* For each row of the spectrum: did that test crash? */
static bool *find_crashes(const struct subject *s, const struct suite_result *r)
{
	bool *crashed = g_new0(bool, spectrum_n_tests(r->spectrum) + 1);

	for (guint i = 0; i < r->outcomes->len; i++) {
		const struct suite_outcome *o =
			&g_array_index(r->outcomes, struct suite_outcome, i);

		if (o->row != UNIT_NONE && o->verdict == SUITE_FAILED_CRASH &&
		    !(s->asserts && is_abort(&o->end)))
			crashed[o->row] = true;
	}
	return crashed;
}

/* Makes the options that `rank' would be given for this version. */
static struct options options_of_rank(const struct measure *m, const struct plan *p, char **program)
{
	struct options o = *m->o;

	program[0] = p->program;
	program[1] = NULL;
	o.command = OPTIONS_RANK;
	o.program = program;
	o.tests = p->suite;
	o.directory = p->directory;
	o.golden = p->golden;
	o.expected = p->expected;
	o.technique = NULL;
	return o;
}

/* What explains failing tests.  A technique that cannot explain any has no row. */
static bool measure_explaining(const struct measure *m, const struct plan *p,
			       const struct suite_result *r, const struct spectra *s,
			       const struct spectra_rows *out, GError **error)
{
	char *program[2];
	struct options o = options_of_rank(m, p, program);
	struct rank_formulas *f = rank_formulas_new(&o, r, m->techniques);
	bool ok = true;

	for (guint i = 0; ok && i < m->techniques->len; i++) {
		struct technique t = g_array_index(m->techniques, struct technique, i);
		const struct rank_formula *kind = t.given ? rank_formula_find(t.given) : NULL;
		gint64 start = g_get_monotonic_time();
		g_autoptr(GError) why = NULL;
		int status;

		if (!kind)
			continue;
		t.given_lines = rank_formulas_lines(f, kind, &status, &why);
		if (t.given_lines)
			spectra_add(s, &t, rank_formulas_proven(f, kind),
				    (double)(g_get_monotonic_time() - start) / 1000, out);
		else if (status == OPTIONS_EXIT_INTERRUPTED)
			ok = set_cancelled_error(error);
	}
	rank_formulas_free(f);
	return ok;
}

static bool is_explaining(const struct measure *m)
{
	for (guint i = 0; i < m->techniques->len; i++)
		if (g_array_index(m->techniques, struct technique, i).given)
			return true;
	return false;
}

static bool measure_result(const struct measure *m, const struct plan *p,
			   const struct suite_result *r, const struct subject *subject,
			   const struct subject_version *v, const struct spectra_rows *out,
			   GError **error)
{
	g_autofree bool *crashed = find_crashes(subject, r);
	struct spectra *s = spectra_new(subject, v, profile_plan_units(r->plan), r->spectrum,
					crashed, &m->o->limits);
	bool ok = true;

	spectra_measure(s, m->techniques, &m->suites, out);
	if (is_explaining(m))
		ok = measure_explaining(m, p, r, s, out, error);
	spectra_free(s);
	return ok;
}

static bool measure_runs(const struct measure *m, const struct subject *s,
			 const struct subject_version *v, const struct spectra_rows *out,
			 char **skipped, GError **error)
{
	struct plan p = plan_of(m, s, v);
	struct suite_result *r = NULL;
	GError *why = NULL;
	bool ok = true;

	/* what explains has interrupts of its own */
	if (!replay_interrupt_install(NULL, NULL, error))
		ok = false;
	else if (workplace_build(m->place, s, &why) &&
		 workplace_build_version(m->place, s, v, &why))
		r = run_measured_suite(m, &p, &why);
	replay_interrupt_restore();
	if (why)
		ok = skip_or_fail(why, skipped, error);
	else if (r && !r->failed)
		ok = skip_measurement(skipped, "no test fails");
	else if (r && !r->passed)
		ok = skip_measurement(skipped, "no test passes");
	else if (r)
		ok = measure_result(m, &p, r, s, v, out, error);
	suite_result_free(r);
	plan_clear(&p);
	return ok;
}

static bool measure_coverage(const struct measure *m, const struct subject *s,
			     const struct subject_version *v, const struct spectra_rows *out,
			     char **skipped, GError **error)
{
	g_autofree char *built = workplace_out(m->place, s);
	g_autofree char *folder = subject_file(s, s->coverage, built, v);
	GError *why = NULL;
	struct foreign *c = foreign_read(folder, &why);
	struct spectra *spectra;

	if (!c)
		return skip_or_fail(why, skipped, error);
	if (!spectrum_n_verdict(c->spectrum, SPECTRUM_FAILED)) {
		skip_measurement(skipped, "no test fails");
	} else if (!spectrum_n_verdict(c->spectrum, SPECTRUM_PASSED)) {
		skip_measurement(skipped, "no test passes");
	} else {
		spectra = spectra_new(s, v, c->units, c->spectrum, c->crashed, &m->o->limits);
		spectra_measure(spectra, m->techniques, &m->suites, out);
		spectra_free(spectra);
	}
	foreign_free(c);
	return true;
}

bool measure_version(const struct measure *m, const struct subject *s,
		     const struct subject_version *v, const struct spectra_rows *out,
		     char **skipped, GError **error)
{
	*skipped = NULL;
	return s->coverage ? measure_coverage(m, s, v, out, skipped, error)
			   : measure_runs(m, s, v, out, skipped, error);
}
