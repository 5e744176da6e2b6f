/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that the formula is made of: those that were made, and those that the code alone tells.
 */
#include "solver/search/search-private.h"

void known_run_free(struct known_run *k)
{
	trace_run_free(k->record);
	run_result_clear(&k->run.result);
	g_array_free(k->actions, TRUE);
	g_free(k);
}

static bool is_exit_end(enum run_end end)
{
	return end == RUN_PASSED || end == RUN_STATUS;
}

bool search_append_run(struct search *s, const char *directory, struct search_run *run,
		       const struct trace_action *actions, size_t n, GError **error)
{
	const struct requirement_end *first = &s->options.walk.requirement->end;
	struct known_run *k = g_new0(struct known_run, 1);

	k->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	g_array_append_vals(k->actions, actions, (guint)n);
	k->failed = !is_exit_end(run ? run->result.end : first->end);
	if (run)
		k->run = *run;
	else
		k->run.result.status = first->status;
	k->record = trace_run_open(directory, s->images, s->n_images, error);
	if (!k->record || !trace_run_choose(k->record, s->options.thread, error)) {
		known_run_free(k);
		return false;
	}
	trace_run_end_at(k->record, s->options.until);
	g_ptr_array_add(s->runs, k);
	s->work += s->limits->run_work;
	return true;
}

void search_append_static_run(struct search *s, struct trace_run *record,
			      const struct static_run_result *end, const GArray *actions)
{
	struct known_run *k = g_new0(struct known_run, 1);

	k->actions = g_array_copy((GArray *)actions);
	k->record = record;
	k->by_code = true;
	k->open = end->end == STATIC_RUN_UNKNOWN;
	k->failed = end->end == STATIC_RUN_FAILS || end->end == STATIC_RUN_LOOPS;
	k->run.result.status = end->status;
	trace_run_end_at(record, s->options.until);
	g_ptr_array_add(s->runs, k);
	s->work += s->limits->run_work;
}

guint search_runs(const struct search *s)
{
	guint n = 0;

	for (guint i = 0; i < s->runs->len; i++)
		n += !((const struct known_run *)s->runs->pdata[i])->by_code;
	return n;
}
