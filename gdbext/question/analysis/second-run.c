/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/second-run.h"

#include "gdbext/replay/follow.h"
#include "solver/trace/run.h"

#include <string.h>

static bool can_be_made(const struct question *q)
{
	const struct replay_failing *f = &q->run.failing;

	return q->run.replay && q->run.runner && !q->run.record && !q->e->not_run &&
	       /* a caged run makes none */
	       !follow_has_children(f) && f->end != RUN_TIMEOUT &&
	       f->run_ms <= (double)q->o->limits.second_run_ms && !trace_point_left_out(q->point);
}

static GMappedFile *map_stream(const char *record, unsigned thread)
{
	g_autofree char *path = g_strdup_printf("%s/trace.%u", record, thread);

	return g_mapped_file_new(path, FALSE, NULL);
}

/* Did both runs load the same values?  Both records are complete. */
static bool same_streams(const char *a, const char *b, unsigned thread)
{
	GMappedFile *x = map_stream(a, thread), *y = map_stream(b, thread);
	size_t n = x ? g_mapped_file_get_length(x) : 0;
	bool same = x && y && n == g_mapped_file_get_length(y) && n >= TRACE_STREAM_OFFSET &&
		    !memcmp(g_mapped_file_get_contents(x) + TRACE_STREAM_OFFSET,
			    g_mapped_file_get_contents(y) + TRACE_STREAM_OFFSET,
			    n - TRACE_STREAM_OFFSET);

	g_clear_pointer(&x, g_mapped_file_unref);
	g_clear_pointer(&y, g_mapped_file_unref);
	return same;
}

/* The first value in the failure that is another one.  "it fails with c = 3 now"; NULL = all are
 * the same. */
static char *other_value(const struct explanation *first, const struct explanation *second)
{
	const GArray *a = first->failure.values, *b = second->failure.values;

	for (guint i = 0; i < a->len && i < b->len; i++) {
		const struct explanation_value *x = &g_array_index(a, struct explanation_value, i);
		const struct explanation_value *y = &g_array_index(b, struct explanation_value, i);

		if (g_strcmp0(x->name, y->name) == 0 && g_strcmp0(x->value, y->value) != 0)
			return g_strdup_printf("it fails with %s = %s now", y->name, y->value);
	}
	return NULL;
}

/* Where the failure is the run's end. */
static char *compare_values(const struct question *q, const char *record)
{
	const struct run_source *run = &q->run;
	const struct replay_failing *f = &run->failing;
	struct explanation *first, *second;
	struct trace_point *point;
	char *differs;

	if (same_streams(f->record, record, f->thread))
		return NULL;
	point = trace_point_new(run->images, run->n_images, record, f->thread, f->line, NULL,
				&q->until, NULL);
	if (!point)
		return NULL;
	first = explanation_new();
	second = explanation_new();
	requirement_describe(q->requirement, q->point, first);
	requirement_describe(q->requirement, point, second);
	differs = other_value(first, second);
	explanation_free(first);
	explanation_free(second);
	trace_point_free(point);
	return differs;
}

/* Completes the record, as the first one is. */
static bool complete_second_record(const struct question *q, const char *record)
{
	struct trace_run *run = trace_run_open(record, q->run.images, q->run.n_images, NULL);

	trace_run_free(run);
	return run;
}

static bool values_can_be_compared(const struct question *q)
{
	return !q->memory && !q->check && !q->wrong && !q->endless &&
	       trace_point_instructions(q->point) <= q->o->limits.second_run_insns;
}

void second_run_look(struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	struct run_request request = { .record = true, .thread = f->thread };
	struct run_result result = { 0 };
	g_autofree char *differs = NULL;
	unsigned started;
	bool same_world;

	if (q->was_repeated || !can_be_made(q))
		return;
	q->was_repeated = true;
	started = replay_started(q->run.replay);
	if (!q->run.runner->run(q->run.runner, &request, &result, NULL))
		return;
	/* what it starts does nothing in the cage */
	same_world = replay_started(q->run.replay) == started;
	if (same_world)
		differs = g_strdup(replay_difference(f, &result));
	if (same_world && !differs && values_can_be_compared(q) &&
	    complete_second_record(q, result.record))
		differs = compare_values(q, result.record);
	q->e->differs = explanation_string(q->e, differs);
	run_result_clear(&result);
}
