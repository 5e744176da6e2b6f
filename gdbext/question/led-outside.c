/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/led-outside.h"

#include "solver/memory/memory.h"

static bool touches_outside(const struct question *q, const char *record,
			    struct image *const *images)
{
	const struct run_source *s = &q->run;
	const struct memory_options options = { .tables = true };
	struct memory_finding finding = { 0 };
	struct trace_run *run = trace_run_open(record, images, s->n_images, NULL);
	bool ok = run && trace_run_choose(run, s->failing.thread, NULL);

	if (ok) {
		trace_run_end_at(run, &q->until);
		ok = memory_check(run, &options, &finding, NULL);
	}
	trace_run_free(run);
	return ok && finding.kind != MEMORY_FINE;
}

static bool changed_run_does(const struct question *q, const struct run_request *request)
{
	struct runner *runner = q->run.runner;
	struct run_result result = { 0 };
	bool outside = runner && runner->run(runner, request, &result, NULL) && result.record &&
		       touches_outside(q, result.record, request->images);

	run_result_clear(&result);
	return outside;
}

bool led_outside(const struct question *q, const struct trace_action *actions, size_t n)
{
	const struct run_source *s = &q->run;
	const struct limits *l = &q->o->limits;
	const struct replay_failing *f = &s->failing;
	g_autofree struct image **images = g_memdup2(s->images, s->n_images * sizeof *images);
	const struct run_request request = {
		.actions = actions,
		.n_actions = n,
		.record = true,
		.max_insns = l->memory_changed_times * replay_insns(f, f->thread) +
			     l->memory_changed_least,
		.images = images,
	};
	bool outside;

	images[0] = image_changed(s->images[0], actions, n);
	outside = images[0] && changed_run_does(q, &request) &&
		  !touches_outside(q, f->record, s->images);
	image_changed_free(images[0]);
	return outside;
}
