/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/candidate.h"
#include "solver/search/search-private.h"

struct encoding_question candidate_question(const struct candidate *c, enum candidate_ways ways)
{
	return (struct encoding_question){ c->set, c->n, ways == WAYS_KNOWN,
					   ways == WAYS_NEW ? c->avoid : NULL };
}

void candidate_propose(struct candidate *c, struct model_path *path, enum candidate_ways ways,
		       int side)
{
	c->state = CANDIDATE_PROPOSED;
	c->proposed = true;
	c->path = path;
	c->ways = ways;
	c->side = side;
}

/* The candidate was decided or put off, so the next one gets the full number of runs. */
static void leave_candidate(struct search *s, struct candidate *c, enum candidate_state state)
{
	c->state = state;
	c->decided_by = c->by;
	s->candidate_runs = 0;
	s->no_progress = false;
}

static struct search_answer *answer_new(struct search *s, const struct candidate *c,
					struct model_path *path)
{
	struct search_answer *a = g_new0(struct search_answer, 1);

	a->selectors = g_array_new(FALSE, FALSE, sizeof(unsigned));
	if (c->n)
		g_array_append_vals(a->selectors, c->set, c->n);
	a->path = path;
	a->changed = g_array_new(FALSE, FALSE, sizeof(struct definition));
	for (guint i = 0; i < path->changes->len; i++) {
		uint32_t d = g_array_index(path->changes, struct model_path_change, i).def;

		g_array_append_val(a->changed,
				   g_array_index(s->formula->definitions, struct definition, d));
	}
	g_ptr_array_add(s->answers, a);
	return a;
}

void candidate_answer(struct search *s, struct candidate *c, struct model_path *path,
		      enum explanation_replay replay, const char *note)
{
	struct search_answer *a;

	if (replay == REPLAY_PASSES)
		candidate_leave_out_idle(s, path);
	a = answer_new(s, c, path);
	a->replay = replay;
	a->needs_run = replay == REPLAY_NOT_RUN && note != candidate_not_here;
	a->note = note;
	c->answer = a;
	comss_accept(s->comss);
	leave_candidate(s, c, CANDIDATE_ANSWERED);
}

void candidate_came_further(struct search *s, unsigned from, unsigned to)
{
	struct search_answer *a = s->answers->pdata[s->answers->len - 1];

	a->further_from = from;
	a->further_to = to;
}

void candidate_postpone(struct search *s, struct candidate *c)
{
	g_hash_table_add(s->refuted, g_bytes_new(c->set, c->n * sizeof(*c->set)));
	comss_postpone(s->comss);
	leave_candidate(s, c, CANDIDATE_POSTPONED);
}

void candidate_refute(struct search *s, struct candidate *c, const GArray *core)
{
	comss_refute(s->comss, (const unsigned *)(const void *)core->data, core->len);
	leave_candidate(s, c, CANDIDATE_REFUTED);
}

void candidate_defer(struct search *s, struct candidate *c, enum limit because)
{
	if (because < N_LIMITS)
		limits_reached(s->limits, because);
	comss_defer(s->comss);
	leave_candidate(s, c, CANDIDATE_DEFERRED);
}
