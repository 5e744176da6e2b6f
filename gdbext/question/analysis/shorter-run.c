/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/shorter-run.h"

/* How many instructions the run with the suspect's change executes, up to most; 0 = it is not
 * known. */
static uint64_t run_with_change(const struct question *q, const struct explanation_suspect *s,
				uint64_t most)
{
	const struct run_source *source = &q->run;
	const struct trace_action *actions =
		(const struct trace_action *)(const void *)s->actions->data;
	g_autofree struct image **images =
		g_memdup2(source->images, source->n_images * sizeof *images);
	struct image *changed = image_changed(source->images[0], actions, s->actions->len);
	const struct run_request request = { .actions = actions,
					     .n_actions = s->actions->len,
					     .max_insns = most,
					     .images = images };
	struct run_result result = { 0 };
	uint64_t insns = 0;

	if (changed)
		images[0] = changed;
	if (source->runner->run(source->runner, &request, &result, NULL))
		insns = result.insns;
	run_result_clear(&result);
	image_changed_free(changed);
	return insns;
}

void shorter_run_note(struct question *q)
{
	const struct limits *l = &q->o->limits;
	const struct replay_failing *f = &q->run.failing;
	uint64_t least, left = l->shorter_insns;
	guint longer = 0;

	if (g_strcmp0(q->e->failure.kind, "signal") != 0 || !q->run.runner || q->memory)
		return;
	least = (uint64_t)((double)replay_insns(f, f->thread) * (double)l->shorter_percent / 100);
	for (guint i = 0; i < q->e->suspects->len; i++) {
		struct explanation_suspect *s = q->e->suspects->pdata[i];
		uint64_t n;

		if (s->replay != REPLAY_PASSES || !s->actions || !s->actions->len)
			continue;
		if (left < least || deadline_is_over(&q->until))
			break;
		n = run_with_change(q, s, least);
		left -= MIN(n, left);
		g_debug("with the change of suspect %u %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			" instructions are executed",
			s->rank, n, least);
		s->is_shorter = n && n < least;
		longer += !s->is_shorter;
	}
	for (guint i = 0; !longer && i < q->e->suspects->len; i++)
		((struct explanation_suspect *)q->e->suspects->pdata[i])->is_shorter = false;
}
