/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/flow.h"

#include <math.h>

#include "solver/rank/flow-private.h"
#include "solver/rank/order.h"

/* The difference of means, exactly: num / den. */
struct difference {
	__int128 num, den;
	__int128 sum; /* of the means, over den too */
};

static const struct unit_edge *edges_of(const struct units *u)
{
	return (const struct unit_edge *)u->edges->data;
}

static void edge_differences(const struct units *u, const struct spectrum *s, struct difference *d)
{
	unsigned n = u->edges->len;
	g_autofree guint64 *passed = g_new(guint64, n), *failed = g_new(guint64, n);
	unsigned n_passed = MAX(1, spectrum_n_verdict(s, SPECTRUM_PASSED));
	unsigned n_failed = MAX(1, spectrum_n_verdict(s, SPECTRUM_FAILED));

	spectrum_sum(s, SPECTRUM_EDGE, passed, failed, n);
	for (unsigned e = 0; e < n; e++) {
		__int128 p = (__int128)passed[e] * n_failed, f = (__int128)failed[e] * n_passed;
		d[e] = (struct difference){ f - p, (__int128)n_passed * n_failed, f + p };
	}
}

static double theta_of(const struct difference *d, enum flow_mode mode)
{
	__int128 den = mode == FLOW_CP ? d->sum : d->den;

	return den ? (double)d->num / (double)den : 0;
}

void flow_edges(const struct units *u, const struct spectrum *s, enum flow_mode mode, double *theta)
{
	g_autofree struct difference *d = g_new(struct difference, u->edges->len);

	edge_differences(u, s, d);
	for (unsigned e = 0; e < u->edges->len; e++)
		theta[e] = theta_of(&d[e], mode);
}

void flow_transitions(const struct units *u, const struct spectrum *s, double *t)
{
	unsigned n = u->blocks->len, n_edges = u->edges->len;
	g_autofree guint64 *passed = g_new(guint64, n_edges), *failed = g_new(guint64, n_edges);
	g_autofree __int128 *in = g_new0(__int128, n), *out = g_new0(__int128, n);
	g_autofree bool *has_in = g_new0(bool, n);

	spectrum_sum(s, SPECTRUM_EDGE, passed, failed, n_edges);
	for (unsigned e = 0; e < n_edges; e++) {
		const struct unit_edge *edge = &edges_of(u)[e];
		in[edge->to] += (__int128)passed[e] + failed[e];
		out[edge->from] += (__int128)passed[e] + failed[e];
		has_in[edge->to] = true;
	}
	for (unsigned b = 0; b < n; b++)
		t[b] = !has_in[b] ? 1 : !in[b] ? 0 : MIN(1, (double)out[b] / (double)in[b]);
}

/* The weights of the edges into one block: shares of a sum that may be nothing
 * although its terms are not.  The differences are exact; CP's quotients are
 * rounded, so what remains of their sum may be rounding. */
static void weigh_edges(const struct flow_system *f, const struct difference *d,
			enum flow_mode mode, double *into)
{
	g_autofree __int128 *exact = g_new0(__int128, f->n);
	g_autofree double *rounded = g_new0(double, f->n), *size = g_new0(double, f->n);

	for (unsigned e = 0; e < f->n_edges; e++) {
		unsigned to = f->edges[e].to;
		double theta = theta_of(&d[e], FLOW_CP);
		exact[to] += d[e].num;
		rounded[to] += theta;
		size[to] += fabs(theta);
	}
	for (unsigned b = 0; b < f->n; b++) {
		bool is_nothing = fabs(rounded[b]) <= 1e-12 * size[b];
		if (mode == FLOW_CP)
			into[b] = is_nothing ? 0 : rounded[b];
		else
			into[b] = f->n_edges ? (double)exact[b] / (double)d->den : 0;
	}
	for (unsigned e = 0; e < f->n_edges; e++) {
		unsigned to = f->edges[e].to;
		f->weight[e] = into[to] == 0	 ? 0
			       : mode == FLOW_CP ? theta_of(&d[e], mode) / into[to]
						 : (double)d[e].num / (double)exact[to];
	}
}

static void sort_edges(struct flow_system *f)
{
	g_autofree unsigned *next = g_new(unsigned, f->n);

	for (unsigned e = 0; e < f->n_edges; e++)
		f->first[f->edges[e].from + 1]++;
	for (unsigned b = 0; b < f->n; b++) {
		f->first[b + 1] += f->first[b];
		next[b] = f->first[b];
	}
	for (unsigned e = 0; e < f->n_edges; e++)
		f->out[next[f->edges[e].from]++] = e;
}

static void system_init(struct flow_system *f, const struct units *u)
{
	f->n = u->blocks->len;
	f->n_edges = u->edges->len;
	f->edges = edges_of(u);
	f->first = g_new0(unsigned, f->n + 1);
	f->out = g_new(unsigned, f->n_edges);
	f->weight = g_new(double, f->n_edges);
	f->factor = g_new(double, f->n);
	f->constant = g_new(double, f->n);
	sort_edges(f);
}

static void system_deinit(struct flow_system *f)
{
	g_free(f->first);
	g_free(f->out);
	g_free(f->weight);
	g_free(f->factor);
	g_free(f->constant);
}

static bool is_last_block(const struct flow_system *f, unsigned block)
{
	return f->first[block] == f->first[block + 1];
}

void flow_blocks(const struct units *u, const struct spectrum *s, enum flow_mode mode,
		 const struct limits *limits, double *scores, struct flow_report *report)
{
	struct flow_system f;
	g_autofree struct difference *d = g_new(struct difference, u->edges->len);
	g_autofree double *into = g_new(double, u->blocks->len);
	g_autofree double *t = g_new(double, u->blocks->len);
	struct flow_report unwanted;

	system_init(&f, u);
	edge_differences(u, s, d);
	weigh_edges(&f, d, mode, into);
	flow_transitions(u, s, t);
	for (unsigned b = 0; b < f.n; b++) {
		double share = mode == FLOW_BLOCKRANK_COUPLED ? t[b] : 1;
		f.factor[b] = is_last_block(&f, b) ? 0 : share;
		f.constant[b] = (1 - f.factor[b]) * into[b];
	}
	flow_solve(&f, limits_or_default(limits), scores, report ? report : &unwanted);
	for (unsigned b = 0; mode == FLOW_BLOCKRANK && b < f.n; b++)
		if (!is_last_block(&f, b))
			scores[b] = t[b] * scores[b] + (1 - t[b]) * into[b];
	order_settle(scores, f.n);
	system_deinit(&f);
}

void flow_statements(const struct units *u, const double *blocks, double *statements)
{
	double lowest = 0;

	for (unsigned b = 0; b < u->blocks->len; b++)
		lowest = MIN(lowest, blocks[b]);
	for (unsigned i = 0; i < u->statements->len; i++) {
		unsigned b = g_array_index(u->statements, struct unit_statement, i).block;
		statements[i] = b == UNIT_NONE ? lowest - MAX(1, -lowest) : blocks[b];
	}
}
