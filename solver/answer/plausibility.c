/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/plausibility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs, chosen on samples/, tests/foreign and tests/endings (`make bench-order'). */
#define COST_NO_SLIP 3.0      /* no small change of the line lets the test pass */
#define COST_UNCHECKED 2.0    /* the run does not come to the failed check any more */
#define COST_HANDS_ON 1.0     /* the statement only hands on a value that others made */
#define COST_FEWER_ROUNDS 0.7 /* a loop is left earlier, or entered less often */
#define COST_ARGUMENTS 0.7    /* the line looks at the program's arguments */
#define COST_OF_LINE 1.5      /* each line beyond the first */
#define COST_OF_EXECUTIONS 0.5
#define COST_FAR_VALUE 0.15 /* for each bit of the distance between witness and value */
#define MOST_FAR_VALUE 2.0
#define COST_OF_HOP 0.05 /* for each step of the way to the failure */
#define MOST_HOPS 20

static const struct explanation_statement *statement_at(const struct explanation_suspect *s,
							guint i)
{
	return &g_array_index(s->statements, struct explanation_statement, i);
}

/* "return v;", "int v = expr();", "f(x, y);": what is wrong is more often made elsewhere. */
static bool hands_on(const struct explanation_statement *st)
{
	static const char copies[] = "^(return\\s+\\w+\\s*;|[\\w\\s*]*\\w+\\s*=\\s*\\w+\\s*;|"
				     "[\\w\\s*]*\\w+\\s*=\\s*\\w+\\s*\\(.*\\)\\s*;)";

	if (g_strcmp0(st->kind, "call") == 0)
		return true;
	return st->text && g_strcmp0(st->kind, "condition") != 0 &&
	       g_regex_match_simple(copies, st->text, 0, 0);
}

/* A whole number; false for other values. */
static bool number_of(const char *text, double *out)
{
	char *end;

	if (!text || !*text)
		return false;
	*out = g_ascii_strtod(text, &end);
	return *end == '\0' && isfinite(*out);
}

static double cost_of_value(const struct explanation_statement *st)
{
	double actual, witness;

	if (!number_of(st->actual, &actual) || !number_of(st->witness, &witness))
		return 0;
	return MIN(COST_FAR_VALUE * log2(1 + fabs(actual - witness)), MOST_FAR_VALUE);
}

/* What the run is asked to do, not how it does it. */
static double cost_of_place(const struct explanation_statement *st)
{
	bool loop = st->text &&
		    (g_str_has_prefix(st->text, "for") || g_str_has_prefix(st->text, "while"));
	double cost = 0;

	if (loop && g_strcmp0(st->kind, "condition") == 0 && g_strcmp0(st->witness, "false") == 0)
		cost += COST_FEWER_ROUNDS;
	if (st->text && g_regex_match_simple("\\b(argc|argv)\\b", st->text, 0, 0))
		cost += COST_ARGUMENTS;
	return cost;
}

static double cost_of_slip(const struct explanation_suspect *s)
{
	return s->evidence && s->evidence->change ? s->evidence->effort - 1 : COST_NO_SLIP;
}

double plausibility_cost(const struct explanation *e, const struct explanation_suspect *s)
{
	double cost = cost_of_slip(s) + (s->unchecked ? COST_UNCHECKED : 0);
	double most = 0;

	(void)e;
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st = statement_at(s, i);

		cost += cost_of_place(st);
		most = MAX(most, cost_of_value(st));
		if (st->changes > 1)
			most = MAX(most, COST_OF_EXECUTIONS);
	}
	if (s->statements->len && hands_on(statement_at(s, 0)))
		cost += COST_HANDS_ON;
	if (s->size > 1)
		cost += COST_OF_LINE * (s->size - 1);
	return cost + most + COST_OF_HOP * MIN(s->chain->len, MOST_HOPS);
}

struct placed {
	struct explanation_suspect *suspect;
	double cost;
};

static gint likelier_first(gconstpointer a, gconstpointer b)
{
	const struct placed *x = a, *y = b;
	int px = x->suspect->replay == REPLAY_PASSES, py = y->suspect->replay == REPLAY_PASSES;

	if (px != py)
		return py - px;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->suspect->rank < y->suspect->rank ? -1 : x->suspect->rank > y->suspect->rank;
}

static gint higher_first(gconstpointer a, gconstpointer b)
{
	const struct explanation_line *x = a, *y = b;

	return x->score > y->score ? -1 : x->score < y->score;
}

/* A line's score is that of its first suspect. */
static void score_lines(struct explanation *e)
{
	for (guint i = 0; i < e->lines->len; i++) {
		struct explanation_line *l = &g_array_index(e->lines, struct explanation_line, i);
		bool scored = false;

		for (guint k = 0; k < e->suspects->len && !scored; k++) {
			const struct explanation_suspect *s = e->suspects->pdata[k];

			for (guint j = 0; j < s->statements->len; j++)
				scored |= statement_at(s, j)->line == l->line &&
					  g_strcmp0(statement_at(s, j)->file, l->file) == 0;
			if (scored)
				l->score = s->score;
		}
	}
	g_array_sort(e->lines, higher_first);
}

void plausibility_order(struct explanation *e)
{
	g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(struct placed));

	for (guint i = 0; i < e->suspects->len; i++) {
		struct placed p = { e->suspects->pdata[i],
				    plausibility_cost(e, e->suspects->pdata[i]) };

		g_array_append_val(placed, p);
	}
	g_array_sort(placed, likelier_first);
	for (guint i = 0; i < placed->len; i++) {
		const struct placed *p = &g_array_index(placed, struct placed, i);

		e->suspects->pdata[i] = p->suspect;
		p->suspect->rank = i + 1;
		p->suspect->score = (p->suspect->replay == REPLAY_PASSES ? 1 : 0.1) / (1 + p->cost);
	}
	score_lines(e);
}
