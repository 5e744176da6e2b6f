/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/initial-values.h"

static gint cheapest_value_first(gconstpointer a, gconstpointer b)
{
	const struct data_mutant *x = a, *y = b;

	return (x->effort > y->effort) - (x->effort < y->effort);
}

static bool number_of_text(const char *text, double *out)
{
	char *end = NULL;

	*out = text ? g_ascii_strtod(text, &end) : 0;
	return text && end != text && (*end == '\0' || *end == ' ');
}

/* struct data_hint: what proven explanations change into what. */
static GArray *data_hints_of(const struct explanation *e)
{
	GArray *hints = g_array_new(FALSE, FALSE, sizeof(struct data_hint));

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; s->replay == REPLAY_PASSES && k < s->instances->len; k++) {
			const struct explanation_instance *one =
				&g_array_index(s->instances, struct explanation_instance, k);
			struct data_hint h;

			if (number_of_text(one->actual, &h.from) &&
			    number_of_text(one->witness, &h.to))
				g_array_append_val(hints, h);
		}
	}
	return hints;
}

/* Of a long run the last part has to do.  The cursor is the caller's. */
static struct trace_cursor *reading_cursor(const struct question *q, struct trace_run *record,
					   struct lift *lift, uint64_t most)
{
	const uint64_t steps = q->index ? reverse_index_steps(q->index) : 0;
	uint64_t first;

	return steps > most ? reverse_index_window(q->index, steps - most, &first)
			    : trace_cursor_new(record, q->run.failing.thread, lift);
}

/* struct data_read, of which the caller owns the array.  NULL with error. */
static GArray *last_reads(const struct question *q, struct trace_run *record,
			  const struct limits *limits, GError **error)
{
	struct lift *lift = lift_new();
	struct trace_cursor *from = reading_cursor(q, record, lift, limits->slip_data_insns);
	GArray *reads =
		data_reads(record, from, q->run.images[0], (unsigned)limits->slip_data, error);

	trace_cursor_free(from);
	lift_free(lift);
	return reads;
}

GArray *initial_value_mutants(const struct question *q, const struct limits *limits, bool only,
			      GError **error)
{
	const struct run_source *run = &q->run;
	struct trace_run *record =
		trace_run_open(run->failing.record, run->images, run->n_images, error);
	GArray *mutants = NULL;
	GArray *reads = NULL;
	g_autoptr(GArray) hints = data_hints_of(q->e);

	if (record)
		trace_run_end_at(record, &q->until);
	if (record && trace_run_choose(record, run->failing.thread, error))
		reads = last_reads(q, record, limits, error);
	if (reads) {
		mutants = data_mutants(run->images[0], 0, reads, hints, only, limits);
		g_array_sort(mutants, cheapest_value_first);
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
