/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/ways.h"

#include "gdbext/question/wrong-output.h"
#include "solver/answer/chain.h"
#include "solver/answer/describe.h"
#include "solver/answer/stops.h"
#include "solver/answer/way.h"
#include "solver/answer/witness-words.h"

void ways_add(struct question *q)
{
	const struct wrong_output_start start = wrong_output_start(q);
	const struct nearby_options options = { .point = q->point,
						.index = q->index,
						.requirement = q->requirement,
						.before = start.known,
						.place = start.has_place ? &start.place : NULL };
	struct way_run run = { .point = q->point,
			       .index = q->index,
			       .program = q->run.images[0],
			       .limits = &q->o->limits,
			       .until = &q->until,
			       .runner = q->e->not_run ? NULL : q->run.runner,
			       .images = q->run.images,
			       .n_images = q->run.n_images,
			       .thread = q->run.failing.thread };

	if (!q->index || !q->requirement)
		return;
	witness_words_add(q->e, q->index, q->point);
	run.slice = nearby_slice(&options);
	ways_describe(q->e, &run);
	slice_free(run.slice);
	chain_finish(q->e);
	describe_sources(q->e, q->run.images, q->run.n_images);
	if (q->o->format == TUI_JSON)
		stops_describe(q->e, q->point);
}
