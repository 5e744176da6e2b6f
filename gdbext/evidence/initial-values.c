/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/initial-values.h"

static gint cheapest_first(gconstpointer a, gconstpointer b)
{
	const struct data_mutant *x = a, *y = b;

	return (x->effort > y->effort) - (x->effort < y->effort);
}

GArray *initial_value_mutants(const struct question *q, const struct limits *limits, GError **error)
{
	const struct run_source *run = &q->run;
	struct trace_run *record =
		trace_run_open(run->failing.record, run->images, run->n_images, error);
	GArray *mutants = NULL;
	GArray *reads = NULL;

	if (record)
		trace_run_end_at(record, &q->until);
	if (record && trace_run_choose(record, run->failing.thread, error))
		reads = data_reads(record, run->failing.thread, run->images[0],
				   (unsigned)limits->slip_data, error);
	if (reads) {
		mutants = data_mutants(run->images[0], 0, reads, limits);
		g_array_sort(mutants, cheapest_first);
		g_array_unref(reads);
	}
	trace_run_free(record);
	return mutants;
}

struct image_statement initial_value_declared(const struct data_mutant *m)
{
	const struct image_variable *v = m->variable;

	return (struct image_statement){ .function = v->function ? v->function->name : NULL,
					 .file = v->file,
					 .line = m->line };
}
