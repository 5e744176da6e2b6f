/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/stops.h"

static gint compare_counted_stops(gconstpointer a, gconstpointer b)
{
	const struct step_count *x = *(struct step_count *const *)a;
	const struct step_count *y = *(struct step_count *const *)b;

	return x->step < y->step ? -1 : x->step > y->step;
}

/* at: struct explanation_execution *. */
static bool find_stops_of(struct explanation *e, const struct trace_point *point,
			  const GPtrArray *at)
{
	g_autofree struct step_count *counts = g_new0(struct step_count, at->len);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	for (guint i = 0; i < at->len; i++) {
		const struct explanation_execution *x = at->pdata[i];

		counts[i] = (struct step_count){ .pc = x->pc, .step = x->step };
		g_ptr_array_add(sorted, &counts[i]);
	}
	g_ptr_array_sort(sorted, compare_counted_stops);
	if (!trace_point_executions(point, (struct step_count **)sorted->pdata, sorted->len))
		return false;
	for (guint i = 0; i < at->len; i++) {
		struct explanation_execution *x = at->pdata[i];
		g_autofree char *stop = trace_point_stop_text(point, &counts[i]);

		x->stop = explanation_string(e, stop);
		x->nth = counts[i].nth;
	}
	return true;
}

/* A witness counts executions in the run that it changes.  After a change that goes another way
 * these are not the failing run's, in which nobody can stop there. */
static void forget_stops_elsewhere(struct explanation_suspect *s)
{
	for (guint i = 0; i < s->instances->len; i++) {
		struct explanation_instance *one =
			&g_array_index(s->instances, struct explanation_instance, i);

		if (one->at.pc && (one->at.step == UINT64_MAX || one->at.nth != one->execution))
			one->stop = NULL;
		else if (one->stop && one->start.stop)
			one->stop = one->start.stop;
	}
}

static void add_instances(const struct explanation *e, GPtrArray *at)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; k < s->instances->len; k++) {
			struct explanation_instance *one =
				&g_array_index(s->instances, struct explanation_instance, k);

			g_ptr_array_add(at, &one->at);
			g_ptr_array_add(at, &one->start);
		}
	}
}

void stops_describe(struct explanation *e, const struct trace_point *point)
{
	g_autoptr(GPtrArray) at = g_ptr_array_new();

	for (guint i = 0; i < e->chain->len; i++)
		g_ptr_array_add(at, &g_array_index(e->chain, struct explanation_link, i).at);
	for (guint i = 0; i < e->line_values->len; i++)
		g_ptr_array_add(
			at, &g_array_index(e->line_values, struct explanation_line_value, i).at);
	add_instances(e, at);
	for (guint i = at->len; i > 0; i--) {
		const struct explanation_execution *x = at->pdata[i - 1];

		if (!x->pc || x->step == UINT64_MAX)
			g_ptr_array_remove_index_fast(at, i - 1);
	}
	if (!at->len || !find_stops_of(e, point, at))
		return;
	for (guint i = 0; i < e->suspects->len; i++)
		forget_stops_elsewhere(e->suspects->pdata[i]);
}
