/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/follow.h"
#include "gdbext/replay/internal.h"

#include <string.h>

unsigned follow_failed_child(const struct replay_failing *run, int *status)
{
	struct trace_plan plan;

	if (!replay_read_plan(run->record, &plan))
		return 0;
	for (unsigned i = 0; i < MIN(plan.n_forks, TRACE_MAX_FORKS); i++)
		if (plan.forks[i].pid && plan.forks[i].status) {
			*status = plan.forks[i].status;
			return i + 1;
		}
	return 0;
}

bool follow_has_children(const struct replay_failing *run)
{
	struct trace_plan plan;

	return !replay_read_plan(run->record, &plan) || plan.n_forks;
}

void follow_tell_of_children(struct follow *f, const struct replay_failing *run)
{
	struct trace_plan plan;

	if (!replay_read_plan(run->record, &plan) || !plan.n_forks ||
	    plan.n_forks > TRACE_MAX_FORKS)
		return;
	f->is_known = f->absent = true;
	memcpy(f->forks, plan.forks, sizeof(f->forks));
}

bool follow_take(struct follow *f, const struct replay_failing *run, unsigned child)
{
	struct trace_plan plan;

	if (!replay_read_plan(run->record, &plan))
		return false;
	f->child = child;
	f->is_known = f->absent = false;
	memcpy(f->forks, plan.forks, sizeof(f->forks));
	return true;
}

char *follow_in_words(const struct follow *f)
{
	GString *word;

	if (!f->child)
		return NULL;
	word = g_string_new(NULL);
	g_string_printf(word, "%u:", f->child);
	for (unsigned i = 0; i + 1 < MIN(f->child, TRACE_MAX_FORKS); i++)
		g_string_append_printf(word, "%s%d", i ? "," : "", f->forks[i].status);
	return g_string_free(word, FALSE);
}

bool follow_read(struct follow *f, const char *word)
{
	char *end;
	guint64 child = g_ascii_strtoull(word, &end, 10);

	if (*end != ':' || !child || child > G_MAXINT32)
		return false;
	*f = (struct follow){ .child = (uint32_t)child };
	for (unsigned i = 0; end[0] && end[1] && i < TRACE_MAX_FORKS; i++)
		f->forks[i].status = (int32_t)g_ascii_strtoll(end + 1, &end, 10);
	return !*end || (*end == ':' && !end[1]);
}
