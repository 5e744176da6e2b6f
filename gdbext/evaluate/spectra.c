/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/spectra.h"

#include "gdbext/evaluate/no-code.h"
#include "solver/evaluate/subset.h"
#include "solver/rank/accuracy.h"

/* The line with code at which code is missing: the place itself, or the next one after it that
 * has code.  UNIT_NONE: there is none. */
static unsigned line_with_code(const struct spectra *s, const struct subject_place *p)
{
	unsigned best = UNIT_NONE, best_number = G_MAXUINT;

	for (guint i = 0; i < s->lines->len; i++) {
		const struct unit_line *l = &g_array_index(s->units->lines, struct unit_line,
							   g_array_index(s->lines, unsigned, i));

		if (l->number >= p->line && l->number < best_number &&
		    subject_is_in_file(p, l->file)) {
			best = i;
			best_number = l->number;
		}
	}
	return best;
}

static void find_missing(struct spectra *s)
{
	const GArray *places = s->version->faulty;

	for (guint i = 0; i < places->len; i++) {
		unsigned line = line_with_code(s, &g_array_index(places, struct subject_place, i));

		if (line != UNIT_NONE)
			g_array_append_val(s->faulty, line);
	}
}

static void find_lines(struct spectra *s, const struct limits *limits)
{
	const struct units *u = s->units;
	g_autofree bool *has_code = g_new0(bool, u->lines->len + 1);

	for (guint i = 0; i < u->statements->len; i++)
		has_code[g_array_index(u->statements, struct unit_statement, i).line] = true;
	for (guint i = 0; i < u->lines->len; i++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, i);

		if (!has_code[i])
			continue;
		if (!s->version->omission && subject_is_faulty(s->version, l->file, l->number)) {
			unsigned place = s->lines->len;

			g_array_append_val(s->faulty, place);
		}
		g_array_append_val(s->lines, i);
	}
	if (s->version->omission) {
		find_missing(s);
	} else if (!s->faulty->len) {
		g_array_unref(s->faulty);
		s->faulty = no_code_lines(s->subject, s->version, u, s->lines, limits);
		s->no_code = true;
	}
}

struct spectra *spectra_new(const struct subject *subject, const struct subject_version *v,
			    const struct units *u, struct spectrum *spectrum, const bool *crashed,
			    const struct limits *limits)
{
	struct spectra *s = g_new0(struct spectra, 1);
	unsigned n = spectrum_n_tests(spectrum);

	s->units = u;
	s->spectrum = spectrum;
	s->crashed = g_memdup2(crashed, n * sizeof(*crashed));
	s->subject = subject;
	s->version = v;
	s->lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
	s->faulty = g_array_new(FALSE, FALSE, sizeof(unsigned));
	s->verdicts = g_new(enum spectrum_verdict, n + 1);
	for (unsigned i = 0; i < n; i++)
		s->verdicts[i] = spectrum_verdict(spectrum, i);
	find_lines(s, limits);
	return s;
}

void spectra_free(struct spectra *s)
{
	if (!s)
		return;
	g_free(s->crashed);
	g_array_unref(s->lines);
	g_array_unref(s->faulty);
	g_free(s->verdicts);
	g_free(s);
}

static struct measurement measurement_of(const struct spectra *s, unsigned percent, unsigned seed)
{
	struct measurement m = { .subject = s->subject->name,
				 .version = s->version->name,
				 .faults = s->no_code ? MAX(s->version->faults, s->faulty->len)
						      : s->version->faults,
				 .omission = s->version->omission,
				 .suite = percent,
				 .seed = seed,
				 .lines = s->lines->len };

	for (unsigned i = 0; i < spectrum_n_tests(s->spectrum); i++) {
		enum spectrum_verdict v = spectrum_verdict(s->spectrum, i);

		m.tests += v != SPECTRUM_IGNORED;
		m.failed += v == SPECTRUM_FAILED;
		m.crashed += v != SPECTRUM_IGNORED && s->crashed[i];
	}
	return m;
}

/* Whether the technique says something of a faulty line: it puts it before some other line. */
static bool is_put_first(const struct standing *standings, const struct spectra *s)
{
	for (guint i = 0; i < s->faulty->len; i++)
		if (standings[g_array_index(s->faulty, unsigned, i)].last < s->lines->len)
			return true;
	return false;
}

static bool is_fault_proven(const struct spectra *s, const bool *proven)
{
	for (guint i = 0; proven && i < s->faulty->len; i++) {
		unsigned place = g_array_index(s->faulty, unsigned, i);

		if (proven[g_array_index(s->lines, unsigned, place)])
			return true;
	}
	return false;
}

/* scores: of all lines of the units. */
static void write_rows(const struct spectra *s, struct measurement m, const double *scores,
		       const bool *proven, GString *out)
{
	g_autofree double *shown = g_new(double, s->lines->len + 1);
	g_autofree struct standing *standings = g_new(struct standing, s->lines->len + 1);

	for (guint i = 0; i < s->lines->len; i++)
		shown[i] = scores[g_array_index(s->lines, unsigned, i)];
	order_standings(shown, s->lines->len, standings);
	m.found = is_put_first(standings, s);
	m.proven = is_fault_proven(s, proven);
	for (m.scheme = RANK_BEST; m.scheme < RANK_SCHEMES; m.scheme++) {
		m.rank = accuracy_rank(standings, (const unsigned *)(gconstpointer)s->faulty->data,
				       s->faulty->len, m.scheme);
		m.exam = accuracy_effort(m.rank, s->lines->len);
		measurement_write(&m, out);
	}
}

static void write_time(const struct measurement *m, double ms, GString *out)
{
	struct measurement_time t = { m->subject, m->version, m->suite, m->seed, m->technique, ms };

	measurement_write_time(&t, out);
}

static void measure_suite(const struct spectra *s, const GArray *techniques, unsigned percent,
			  unsigned seed, const struct spectra_rows *out)
{
	struct measurement m = measurement_of(s, percent, seed);
	g_autofree double *scores = g_new0(double, s->units->lines->len + 1);

	for (guint i = 0; i < techniques->len; i++) {
		const struct technique *t = &g_array_index(techniques, struct technique, i);
		gint64 start = g_get_monotonic_time();

		if (t->given)
			continue;
		technique_lines(t, s->units, s->spectrum, scores);
		m.technique = technique_name(t);
		write_rows(s, m, scores, NULL, out->rows);
		write_time(&m, (double)(g_get_monotonic_time() - start) / 1000, out->times);
	}
}

void spectra_measure(struct spectra *s, const GArray *techniques,
		     const struct spectra_suites *suites, const struct spectra_rows *out)
{
	g_autofree unsigned *order = g_new(unsigned, spectrum_n_tests(s->spectrum) + 1);

	for (guint i = 0; i < suites->percents->len; i++) {
		unsigned percent = g_array_index(suites->percents, unsigned, i);

		if (percent == 100) {
			measure_suite(s, techniques, 100, 0, out);
			continue;
		}
		for (unsigned seed = 1; seed <= suites->seeds; seed++) {
			unsigned n = subset_order(s->spectrum, seed, order);

			if (!subset_take(s->spectrum, s->verdicts, order, n, percent))
				return;
			measure_suite(s, techniques, percent, seed, out);
			subset_take(s->spectrum, s->verdicts, order, n, 100);
		}
	}
}

void spectra_add(const struct spectra *s, const struct technique *t, const bool *proven, double ms,
		 const struct spectra_rows *out)
{
	struct measurement m = measurement_of(s, 100, 0);

	m.technique = technique_name(t);
	write_rows(s, m, t->given_lines, proven, out->rows);
	write_time(&m, ms, out->times);
}
