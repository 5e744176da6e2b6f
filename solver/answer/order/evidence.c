/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/order/evidence.h"

#include <string.h>

enum place { PLACE_FIRST, PLACE_SECOND, PLACE_GUARDED, PLACE_USUAL, PLACE_LAST, PLACES };

/* of_test: the line stands in a file of the test. */
static enum place place_in_order(const struct explanation_evidence *v, bool of_test)
{
	bool mends = v && v->change && v->failing && v->mended == v->failing && !v->broken;

	/* A condition is added where the line reads too little: there a passing test speaks
	 * against it, too.  A change of the test may only weaken its check, however small it is. */
	if (mends && (v->condition || of_test))
		return PLACE_GUARDED;
	if (mends)
		return v->contradicted ? PLACE_SECOND : PLACE_FIRST;
	return v && v->contradicted ? PLACE_LAST : PLACE_USUAL;
}

bool evidence_is_of_test(const struct explanation *e, const char *file)
{
	const char *test = e->failure.in_test ? e->failure.file : NULL;

	if (g_strcmp0(test, file) != 0)
		return false;
	for (guint i = 0; i < e->lines->len; i++)
		if (strcmp(g_array_index(e->lines, struct explanation_line, i).file, test) != 0)
			return true;
	return false;
}

/* The score, in (0, 1] and higher for what comes earlier.  Of changes that mend all failing
 * tests, the smaller ones are likelier.  Guards fit by chance more often than other changes, so
 * the other evidence counts little for them. */
static double score_in(const struct explanation_evidence *v, double score, bool of_test,
		       const struct limits *l)
{
	enum place p = place_in_order(v, of_test);
	double share = of_test ? (double)l->order_in_test / 100 : 1;
	double effort = p == PLACE_GUARDED			? (double)l->order_guarded / 1000
			: p == PLACE_FIRST || p == PLACE_SECOND ? (double)l->order_effort / 100
								: 0;

	if (effort > 0)
		score = effort / (1 + v->effort) + (1 - effort) * score;
	return (PLACES - 1 - p + score * share) / PLACES;
}

/* A line that a passing test speaks against only comes behind those that explanations name
 * alike.  Where the fault is that the line reads too little, a passing test speaks against the
 * right line, too (measured: tests/bench/README.md). */
static double score_of_line(const struct explanation *e, const struct explanation_line *line,
			    const struct limits *l)
{
	bool of_test = evidence_is_of_test(e, line->file);

	if (place_in_order(line->evidence, of_test) == PLACE_LAST)
		return score_in(NULL, line->score * (1 - 1e-6), of_test, l);
	return score_in(line->evidence, line->score, of_test, l);
}

bool evidence_is_of_line_alone(const struct explanation_suspect *s, const char *file, unsigned line)
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

		if (evidence_is_of_line_alone(s, file, line))
			s->evidence = own;
	}
}

struct order {
	const struct explanation *e;
	const struct limits *limits;
};

static bool is_of_test(const struct order *o, const struct explanation_suspect *s)
{
	const struct explanation_statement *first =
		s->statements->len ? &g_array_index(s->statements, struct explanation_statement, 0)
				   : NULL;

	return first && evidence_is_of_test(o->e, first->file);
}

static double score_of_suspect(const struct order *o, const struct explanation_suspect *s)
{
	return score_in(s->evidence, s->score, is_of_test(o, s), o->limits);
}

static gint compare_suspects(gconstpointer a, gconstpointer b, gpointer order)
{
	const struct explanation_suspect *x = *(struct explanation_suspect *const *)a;
	const struct explanation_suspect *y = *(struct explanation_suspect *const *)b;
	int px = x->replay == REPLAY_PASSES, py = y->replay == REPLAY_PASSES;
	enum place place = place_in_order(x->evidence, is_of_test(order, x)),
		   other = place_in_order(y->evidence, is_of_test(order, y));

	if (px != py)
		return py - px;
	if (place != other)
		return place < other ? -1 : 1;
	if (place == PLACE_FIRST || place == PLACE_SECOND || place == PLACE_GUARDED) {
		double sx = score_of_suspect(order, x), sy = score_of_suspect(order, y);

		if (sx != sy)
			return sx > sy ? -1 : 1;
	}
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* g_array_sort keeps the order of equal elements. */
static gint compare_line_scores(gconstpointer a, gconstpointer b)
{
	const struct explanation_line *x = a, *y = b;

	return x->score > y->score ? -1 : x->score < y->score;
}

void evidence_order(struct explanation *e, const struct limits *l)
{
	struct order order = { e, l };

	g_ptr_array_sort_with_data(e->suspects, compare_suspects, &order);
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];

		s->rank = i + 1;
		if (s->replay == REPLAY_PASSES)
			s->score = score_of_suspect(&order, s);
	}
	for (guint i = 0; i < e->lines->len; i++) {
		struct explanation_line *line =
			&g_array_index(e->lines, struct explanation_line, i);

		line->score = score_of_line(e, line, l);
	}
	g_array_sort(e->lines, compare_line_scores);
}
