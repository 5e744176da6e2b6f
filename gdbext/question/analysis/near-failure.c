/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/near-failure.h"

#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/wrong-output.h"
#include "solver/limits/limits.h"
#include "solver/source/failing-lines.h"

/* runner: NULL where only the slice is asked for. */
static struct nearby_options nearby_options_of(const struct question *q,
					       const struct wrong_output_start *start,
					       struct runner *runner)
{
	return (struct nearby_options){
		.before = start->known,
		.place = start->has_place ? &start->place : NULL,
		.place_is_text = start->is_text,
		.wanted = start->has_value ? &start->value : NULL,
		.lacks_text = start->lacks_text,
		.missing = start->missing ? &g_array_index(start->missing, uint64_t, 0) : NULL,
		.n_missing = start->missing ? start->missing->len : 0,
		.mended = q->cut_by == LIMIT_slip_enough_ms || near_failure_check_is_met(q),
		.err = q->run.failing.err,
		.images = q->run.images,
		.n_images = q->run.n_images,
		.record = q->run.failing.record,
		.thread = q->run.failing.thread,
		.point = q->point,
		.index = q->index,
		.runner = runner,
		.requirement = q->requirement,
		.limits = &q->o->limits,
		.until = &q->until,
	};
}

/* Does the failure depend on what a library function made for which the formula has no terms?
 * Only short runs are asked this. */
static bool goes_through_library(const struct question *q, const struct search_options *s)
{
	const struct wrong_output_start start = wrong_output_start(q);
	const struct nearby_options options = nearby_options_of(q, &start, NULL);
	struct slice *slice = nearby_slice(&options);
	uint64_t most = s->limits->nearby_instances;
	bool does = false;

	for (uint64_t i = 0; i < most && !does && !deadline_is_over(&q->until) && slice_next(slice);
	     i++)
		does = slice_goes_through_library(slice);
	does |= slice_goes_through_library(slice);
	slice_free(slice);
	return does;
}

static void note_in_span(struct near_failure_span *span, const struct slice_instance *i,
			 GHashTable *failing)
{
	const struct image *im = i->module->image;
	const struct image_row *row = image_row_at(im, i->insn->addr);

	if (row && failing_lines_has(failing, image_statement(im, row->statement)))
		return;
	span->oldest = MIN(span->oldest, i->step);
	span->latest = MAX(span->latest, i->step);
}

struct near_failure_span near_failure_span(const struct question *q, const struct search_options *s)
{
	const struct wrong_output_start start = wrong_output_start(q);
	const struct nearby_options options = nearby_options_of(q, &start, NULL);
	GHashTable *failing = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct near_failure_span span = { .oldest = UINT64_MAX };
	struct slice *slice = nearby_slice(&options);
	const struct slice_instance *i = NULL;
	uint64_t n = 0;

	for (size_t k = 0; k < q->run.n_images; k++)
		failing_lines_add(failing, q->run.images[k]);
	while (n < s->limits->near_instances && !deadline_is_over(&q->until) &&
	       (i = slice_next(slice))) {
		note_in_span(&span, i, failing);
		n++;
	}
	span.is_whole = n && !i && !deadline_is_over(&q->until) && !slice_reads_unwritten(slice);
	slice_free(slice);
	g_hash_table_destroy(failing);
	return span;
}

bool near_failure_can_change(const struct question *q, const struct search_options *s,
			     const struct runner *runner)
{
	return runner && q->index && s->hijack && !s->all_paths &&
	       !q->requirement->kind->looks_at_record && s->limits->nearby_runs;
}

bool near_failure_is_first(const struct question *q, const struct search_options *s)
{
	/* the output of a short run may need a large formula: all of its lines */
	uint64_t from = s->limits->nearby_from / (q->wrong ? 4 : 1);

	return reverse_index_steps(q->index) >= from || goes_through_library(q, s);
}

bool near_failure_check_is_met(const struct question *q)
{
	return q->cut_by == LIMIT_slip_enough_check_ms;
}

/* A part of the time that is left; the formula gets the rest.  Once a check is met, half of what is
 * still given to all, and what it takes to go through the record once: the runs are other
 * processes, so their time does not count as this one's. */
static struct deadline nearby_until(const struct question *q)
{
	const struct limits *l = &q->o->limits;
	gint64 now = g_get_monotonic_time(), left = MAX(q->until.end - now, 0);
	struct deadline until = q->until;

	until.end = now + left / 100 * (gint64)l->nearby_share;
	if (near_failure_check_is_met(q))
		until.end = MIN(until.end, now + (gint64)l->slip_enough_check_ms * 1000 / 2 +
						   (gint64)(q->walk_ms * 1000));
	return until;
}

/* Its own time is up, but not the question's. */
static bool only_its_time_is_up(const struct question *q, const GError *failed)
{
	return g_error_matches(failed, DEADLINE_ERROR, DEADLINE_ERROR_TIME) &&
	       !deadline_is_over(&q->until);
}

static void tell_nearby(struct question *q, struct describer *describer, struct nearby *nearby,
			GError **failed)
{
	const struct nearby_answer *a;

	while (!analysis_has_enough(q) && (a = nearby_next(nearby, failed))) {
		describe_nearby(describer, a, q->weighting);
		analysis_stream(q);
	}
}

/* With these options, of which the limits and the time are set here. */
static bool change_near(struct question *q, struct describer *describer,
			struct nearby_options *options, const struct search_options *s,
			GError **error)
{
	double before = g_timer_elapsed(q->clock, NULL);
	const struct deadline until = nearby_until(q);
	struct nearby *nearby;
	GError *failed = NULL;

	options->limits = s->limits;
	options->until = &until;
	nearby = nearby_new(options, error);
	if (!nearby)
		return false;
	tell_nearby(q, describer, nearby, &failed);
	if (only_its_time_is_up(q, failed)) {
		limits_reached(s->limits, near_failure_check_is_met(q) ? LIMIT_slip_enough_check_ms
								       : LIMIT_nearby_share);
		g_clear_error(&failed);
		tell_nearby(q, describer, nearby, &failed); /* what it has without further runs */
	}
	explanation_add_stage(q->e, "nearby", 1000 * (g_timer_elapsed(q->clock, NULL) - before),
			      nearby_instances(nearby), "executions changed");
	nearby_free(nearby);
	if (failed)
		g_propagate_error(error, failed);
	return !failed;
}

bool near_failure_change(struct question *q, struct describer *describer, struct runner *runner,
			 const struct search_options *s, GError **error)
{
	const struct wrong_output_start start = wrong_output_start(q);
	struct nearby_options options = nearby_options_of(q, &start, runner);

	return change_near(q, describer, &options, s, error);
}

static bool is_line_proven(const void *explanation, const struct image_statement *s)
{
	const struct explanation *e = explanation;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *suspect = e->suspects->pdata[i];
		const struct explanation_statement *st =
			suspect->statements->len ? &g_array_index(suspect->statements,
								  struct explanation_statement, 0)
						 : NULL;

		if (suspect->replay == REPLAY_PASSES && suspect->size == 1 && st &&
		    st->line == s->line && g_strcmp0(st->file, s->file) == 0)
			return true;
	}
	return false;
}

bool near_failure_turn(struct question *q, struct describer *describer, struct runner *runner,
		       const struct search_options *s, GError **error)
{
	const struct wrong_output_start start = wrong_output_start(q);
	struct nearby_options options = nearby_options_of(q, &start, runner);

	options.decisions = (unsigned)s->limits->nearby_turned;
	options.is_known = is_line_proven;
	options.known_arg = q->e;
	return !options.decisions || change_near(q, describer, &options, s, error);
}
