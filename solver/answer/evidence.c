/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/evidence.h"

#include <string.h>

enum place { PLACE_FIRST, PLACE_SECOND, PLACE_GUARDED, PLACE_USUAL, PLACE_LAST, PLACES };

static enum place place_of(const struct explanation_evidence *v)
{
	bool mends = v && v->change && v->failing && v->mended == v->failing && !v->broken;

	/* A condition is added where the line reads too little: there a passing test speaks
	 * against it, too. */
	if (mends && v->condition)
		return PLACE_GUARDED;
	if (mends)
		return v->contradicted ? PLACE_SECOND : PLACE_FIRST;
	return v && v->contradicted ? PLACE_LAST : PLACE_USUAL;
}

/* In (0, 1], higher for what comes earlier.  Guards fit more often by chance than other changes do,
 * so that the likelier one comes first. */
static double score_in(const struct explanation_evidence *v, double score)
{
	enum place p = place_of(v);

	if (p == PLACE_GUARDED)
		score = 0.999 / (1 + v->effort) + 0.001 * score;
	return (PLACES - 1 - p + score) / PLACES;
}

/* A line that a passing test speaks against only comes behind those that explanations name
 * alike.  Where the fault is that the line reads too little, a passing test speaks against the
 * right line, too (measured: tests/bench/README.md). */
static double score_of_line(const struct explanation_line *l)
{
	enum place p = place_of(l->evidence);

	if (p == PLACE_LAST)
		return score_in(NULL, l->score * (1 - 1e-6));
	/* among equals the likelier slip */
	if (p == PLACE_FIRST || p == PLACE_SECOND)
		return score_in(l->evidence,
				l->score * (1 - 1e-6) + 1e-6 / (1 + l->evidence->effort));
	return score_in(l->evidence, l->score);
}

static bool is_of_line(const struct explanation_suspect *s, const char *file, unsigned line)
{
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);

		if (st->line != line || strcmp(st->file, file) != 0)
			return false;
	}
	return s->statements->len > 0;
}

void evidence_add(struct explanation *e, const char *file, unsigned line,
		  const struct explanation_evidence *evidence)
{
	struct explanation_evidence *own = g_memdup2(evidence, sizeof *evidence);

	own->contradicted = explanation_string(e, evidence->contradicted);
	own->change = explanation_string(e, evidence->change);
	own->condition = explanation_string(e, evidence->condition);
	g_ptr_array_add(e->evidence, own);
	for (guint i = 0; i < e->lines->len; i++) {
		struct explanation_line *l = &g_array_index(e->lines, struct explanation_line, i);

		if (l->line == line && strcmp(l->file, file) == 0)
			l->evidence = own;
	}
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];

		if (is_of_line(s, file, line))
			s->evidence = own;
	}
}

static gint compare_suspects(gconstpointer a, gconstpointer b)
{
	const struct explanation_suspect *x = *(struct explanation_suspect *const *)a;
	const struct explanation_suspect *y = *(struct explanation_suspect *const *)b;
	int px = x->replay == REPLAY_PASSES, py = y->replay == REPLAY_PASSES;

	if (px != py)
		return py - px;
	if (place_of(x->evidence) != place_of(y->evidence))
		return place_of(x->evidence) < place_of(y->evidence) ? -1 : 1;
	if (place_of(x->evidence) == PLACE_GUARDED && x->evidence->effort != y->evidence->effort)
		return x->evidence->effort < y->evidence->effort ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* g_array_sort keeps the order of equal elements. */
static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const struct explanation_line *x = a, *y = b;

	return x->score > y->score ? -1 : x->score < y->score;
}

void evidence_order(struct explanation *e)
{
	g_ptr_array_sort(e->suspects, compare_suspects);
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];

		s->rank = i + 1;
		if (s->replay == REPLAY_PASSES)
			s->score = score_in(s->evidence, s->score);
	}
	for (guint i = 0; i < e->lines->len; i++) {
		struct explanation_line *l = &g_array_index(e->lines, struct explanation_line, i);

		l->score = score_of_line(l);
	}
	g_array_sort(e->lines, compare_lines);
}
