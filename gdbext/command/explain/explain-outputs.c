/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain/explain-outputs.h"
#include "gdbext/question/analysis/output-diff.h"

/* was: how it is without the change.  False when the run could not be made. */
static bool look_at_changed_output(struct question *q, struct explanation_suspect *s,
				   const struct run_result *was)
{
	struct runner *runner = replay_runner(q->run.replay);
	const struct trace_action *actions = (const void *)s->actions->data;
	struct run_request changed = { .actions = actions,
				       .n_actions = s->actions->len,
				       .native = actions->kind == TRACE_ACTION_CODE };
	struct run_result is = { 0 };
	bool ok = runner->run(runner, &changed, &is, NULL);
	g_autofree char *printed = ok ? output_diff_of_runs(was, &is, &q->until, NULL) : NULL;

	s->printed = explanation_string(q->e, printed);
	run_result_clear(&is);
	return ok;
}

void explain_outputs_add(struct question *q)
{
	struct run_request plain = { 0 };
	struct run_result was = { 0 };
	struct runner *runner = q->run.replay ? replay_runner(q->run.replay) : NULL;
	bool ok = runner && !q->e->not_run && runner->run(runner, &plain, &was, NULL);

	for (guint i = 0; ok && i < q->e->suspects->len && !deadline_is_over(&q->until); i++) {
		struct explanation_suspect *s = q->e->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES && s->actions && s->actions->len)
			ok = look_at_changed_output(q, s, &was);
	}
	run_result_clear(&was);
}
