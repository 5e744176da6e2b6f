/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/flow-private.h"

#include <math.h>
#include <string.h>

/* Scores are kept so far below infinity that sums and products of a few of them are finite. */
static const double farthest = 1e150;

/* Tarjan's algorithm, without recursion: a part is found after all parts that
 * its edges lead to. */
struct search {
	const struct limits *limits;
	unsigned *index, *low; /* 0 = not seen */
	unsigned *next;	       /* edge to look at */
	unsigned *path, n_path;
	unsigned *open, n_open; /* seen and in no part yet */
	bool *is_open;
	unsigned *place; /* of a block in its part */
	unsigned n_seen;
};

static double clamp_solution(double x)
{
	return isnan(x) ? 0 : CLAMP(x, -farthest, farthest);
}

static double evaluate_flow_block(const struct flow_system *f, const double *x, unsigned block)
{
	double sum = 0;

	for (unsigned i = f->first[block]; i < f->first[block + 1]; i++)
		sum += f->weight[f->out[i]] * x[f->edges[f->out[i]].to];
	return clamp_solution(f->factor[block] * sum + f->constant[block]);
}

static bool sweep_until_settled(const struct flow_system *f, const struct limits *limits,
				const unsigned *part, unsigned n, double *x,
				struct flow_report *report)
{
	for (unsigned round = 1; round <= limits->flow_sweeps; round++) {
		double change = 0, scale = 0;
		for (unsigned i = 0; i < n; i++) {
			double before = x[part[i]];
			x[part[i]] = evaluate_flow_block(f, x, part[i]);
			change = MAX(change, fabs(x[part[i]] - before));
			scale = MAX(scale, fabs(x[part[i]]));
		}
		report->sweeps = MAX(report->sweeps, round);
		if (change <= 1e-12 * scale && scale < farthest)
			return true;
	}
	return false;
}

/* The equations of a part, the rest of x known: a is n rows of n + 1. */
static void write_equations(const struct flow_system *f, const unsigned *part, unsigned n,
			    const unsigned *place, const double *x, double *a)
{
	for (unsigned i = 0; i < n; i++) {
		double *row = a + (gsize)i * (n + 1);
		row[i] = 1;
		row[n] = f->constant[part[i]];
		for (unsigned k = f->first[part[i]]; k < f->first[part[i] + 1]; k++) {
			unsigned to = f->edges[f->out[k]].to;
			double c = f->factor[part[i]] * f->weight[f->out[k]];
			if (place[to] < n && part[place[to]] == to)
				row[place[to]] -= c;
			else
				row[n] += c * x[to];
		}
	}
}

static void swap_rows(double *a, unsigned n, unsigned i, unsigned k)
{
	for (unsigned c = 0; c <= n; c++) {
		double kept = a[(gsize)i * (n + 1) + c];
		a[(gsize)i * (n + 1) + c] = a[(gsize)k * (n + 1) + c];
		a[(gsize)k * (n + 1) + c] = kept;
	}
}

/* Gaussian elimination with row pivots. False when there is not exactly one solution. */
static bool make_triangular(double *a, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		unsigned best = k;
		double *pivot = a + (gsize)k * (n + 1);
		for (unsigned i = k + 1; i < n; i++)
			if (fabs(a[(gsize)i * (n + 1) + k]) > fabs(a[(gsize)best * (n + 1) + k]))
				best = i;
		if (!(fabs(a[(gsize)best * (n + 1) + k]) > 1e-12))
			return false;
		swap_rows(a, n, k, best);
		for (unsigned i = k + 1; i < n; i++) {
			double *row = a + (gsize)i * (n + 1), share = row[k] / pivot[k];
			if (share == 0)
				continue;
			for (unsigned c = k; c <= n; c++)
				row[c] -= share * pivot[c];
		}
	}
	return true;
}

/* It needs memory for the square of the number of equations. */
static bool eliminate_part(const struct flow_system *f, const struct limits *limits,
			   const unsigned *part, unsigned n, const unsigned *place, double *x)
{
	if (n > limits->flow_equations)
		return false;
	g_autofree double *a = g_new0(double, (gsize)n *(n + 1));
	g_autofree double *solution = g_new(double, n);
	write_equations(f, part, n, place, x, a);
	if (!make_triangular(a, n))
		return false;
	for (unsigned i = n; i-- > 0;) {
		const double *row = a + (gsize)i * (n + 1);
		double sum = row[n];
		for (unsigned c = i + 1; c < n; c++)
			sum -= row[c] * solution[c];
		solution[i] = sum / row[i];
		if (!(fabs(solution[i]) < farthest))
			return false;
	}
	for (unsigned i = 0; i < n; i++)
		x[part[i]] = solution[i];
	return true;
}

static void solve_part(const struct flow_system *f, struct search *s, const unsigned *part,
		       unsigned n, double *x, struct flow_report *report)
{
	for (unsigned i = 0; i < n; i++)
		s->place[part[i]] = i;
	if (sweep_until_settled(f, s->limits, part, n, x, report))
		return;
	if (eliminate_part(f, s->limits, part, n, s->place, x))
		report->eliminated++;
	else
		report->unsettled++;
}

static void enter_flow_block(const struct flow_system *f, struct search *s, unsigned block)
{
	s->index[block] = s->low[block] = ++s->n_seen;
	s->next[block] = f->first[block];
	s->path[s->n_path++] = block;
	s->open[s->n_open++] = block;
	s->is_open[block] = true;
}

/* One step from the end of the path.  Sweeps start with what was found last, so
 * without a loop inside one is enough. */
static void step_flow_search(const struct flow_system *f, struct search *s, double *x,
			     struct flow_report *report)
{
	unsigned block = s->path[s->n_path - 1];

	if (s->next[block] < f->first[block + 1]) {
		unsigned to = f->edges[f->out[s->next[block]++]].to;
		if (!s->index[to])
			enter_flow_block(f, s, to);
		else if (s->is_open[to])
			s->low[block] = MIN(s->low[block], s->index[to]);
		return;
	}
	s->n_path--;
	if (s->n_path) {
		unsigned before = s->path[s->n_path - 1];
		s->low[before] = MIN(s->low[before], s->low[block]);
	}
	if (s->low[block] != s->index[block])
		return;
	unsigned end = s->n_open;
	do
		s->is_open[s->open[--s->n_open]] = false;
	while (s->open[s->n_open] != block);
	for (unsigned i = s->n_open, k = end - 1; i < k; i++, k--) {
		unsigned kept = s->open[i];
		s->open[i] = s->open[k];
		s->open[k] = kept;
	}
	solve_part(f, s, s->open + s->n_open, end - s->n_open, x, report);
}

void flow_solve(const struct flow_system *f, const struct limits *limits, double *x,
		struct flow_report *report)
{
	struct search s = { .limits = limits };
	g_autofree unsigned *numbers = g_new0(unsigned, (gsize)6 * f->n);
	g_autofree bool *is_open = g_new0(bool, f->n);

	s.index = numbers;
	s.low = numbers + f->n;
	s.next = numbers + (gsize)2 * f->n;
	s.path = numbers + (gsize)3 * f->n;
	s.open = numbers + (gsize)4 * f->n;
	s.place = numbers + (gsize)5 * f->n;
	s.is_open = is_open;
	memset(report, 0, sizeof *report);
	for (unsigned b = 0; b < f->n; b++)
		x[b] = 0;
	for (unsigned b = 0; b < f->n; b++) {
		if (!s.index[b])
			enter_flow_block(f, &s, b);
		while (s.n_path)
			step_flow_search(f, &s, x, report);
	}
}
