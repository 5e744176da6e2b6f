/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/led-outside.h"

#include "gdbext/question/failing-check.h"
#include "solver/memory/memory.h"

static bool does_record_touch_outside(const struct question *q, const char *record,
				      struct image *const *images)
{
	struct memory_record r = { .folder = record,
				   .images = images,
				   .n_images = q->run.n_images,
				   .thread = q->run.failing.thread,
				   .until = &q->until,
				   .most = UINT64_MAX };

	return memory_is_led_outside(&r, &(struct memory_options){ .tables = true });
}

/* What the record of a changed run shows. */
struct shown {
	bool outside, avoids_check;
};

static struct shown look_at_changed(const struct question *q, const struct run_request *request)
{
	struct runner *runner = q->run.runner;
	struct run_result result = { 0 };
	struct shown s = { 0 };

	if (runner && runner->run(runner, request, &result, NULL) && result.record) {
		s.avoids_check = failing_check_is_avoided(q, result.record, request->images);
		s.outside = !s.avoids_check &&
			    does_record_touch_outside(q, result.record, request->images);
	}
	run_result_clear(&result);
	return s;
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
	struct shown shown = { 0 };

	images[0] = image_changed(s->images[0], actions, n);
	if (images[0])
		shown = look_at_changed(q, &request);
	image_changed_free(images[0]);
	return shown.avoids_check ||
	       (shown.outside && !does_record_touch_outside(q, f->record, s->images));
}
