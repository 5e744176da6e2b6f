/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/technique.h"

#include "solver/rank/flow.h"
#include "solver/rank/lines.h"
#include "solver/rank/predicates.h"

#include <string.h>

typedef void score_predicates(const struct units *u, const struct spectrum *s,
			      enum predicate_view view, struct predicate_score *scores);

struct technique_kind {
	const char *name;
	score_predicates *predicates; /* NULL: flow */
	enum predicate_view view;
	enum flow_mode flow;
};

static const struct technique_kind kinds[] = {
	{ .name = "cbi", .predicates = predicates_cbi_score, .view = PREDICATE_OUTCOMES },
	{ .name = "sober", .predicates = predicates_sober, .view = PREDICATE_OUTCOMES },
	{ .name = "des-cbi", .predicates = predicates_cbi_score, .view = PREDICATE_SEQUENCES },
	{ .name = "des-sober", .predicates = predicates_sober, .view = PREDICATE_SEQUENCES },
	{ .name = "cp", .flow = FLOW_CP },
	{ .name = "blockrank", .flow = FLOW_BLOCKRANK },
	{ .name = "blockrank-coupled", .flow = FLOW_BLOCKRANK_COUPLED },
};

bool technique_at(unsigned i, struct technique *t)
{
	if (i >= n_formulas + G_N_ELEMENTS(kinds))
		return false;
	*t = i < n_formulas ? (struct technique){ .formula = &formulas[i] }
			    : (struct technique){ .kind = &kinds[i - n_formulas] };
	return true;
}

bool technique_find(const char *name, struct technique *t)
{
	const struct formula *f = formula_find(name);

	if (f) {
		*t = (struct technique){ .formula = f };
		return true;
	}
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (formula_same_name(name, kinds[i].name)) {
			*t = (struct technique){ .kind = &kinds[i] };
			return true;
		}
	}
	return false;
}

const char *technique_name(const struct technique *t)
{
	return t->given ? t->given : t->formula ? t->formula->name : t->kind->name;
}

static void score_groups(const struct formula *f, const struct spectrum *s, const unsigned *group,
			 unsigned n_statements, double *scores, unsigned n)
{
	g_autofree struct spectrum_counts *counts = g_new(struct spectrum_counts, n);

	spectrum_count(s, SPECTRUM_STATEMENT, group, n_statements, counts, n);
	for (unsigned i = 0; i < n; i++)
		scores[i] = formula_score(f, &counts[i]);
}

static void score_by_kind(const struct technique *t, const struct units *u,
			  const struct spectrum *s, double *statements)
{
	const struct technique_kind *kind = t->kind;

	if (kind->predicates) {
		g_autofree struct predicate_score *scores =
			g_new(struct predicate_score, u->predicates->len);
		kind->predicates(u, s, kind->view, scores);
		lines_search(u, scores, LINES_BEST_PREDICATES, statements);
	} else {
		g_autofree double *blocks = g_new(double, u->blocks->len);
		flow_blocks(u, s, kind->flow, t->limits, blocks, NULL);
		flow_statements(u, blocks, statements);
	}
}

void technique_statements(const struct technique *t, const struct units *u,
			  const struct spectrum *s, double *statements)
{
	unsigned n = u->statements->len;

	g_assert(!t->given);
	if (t->formula)
		score_groups(t->formula, s, NULL, n, statements, n);
	else
		score_by_kind(t, u, s, statements);
}

void technique_lines(const struct technique *t, const struct units *u, const struct spectrum *s,
		     double *lines)
{
	unsigned n = u->statements->len;

	if (t->given) {
		memcpy(lines, t->given_lines, u->lines->len * sizeof(*lines));
	} else if (t->formula) {
		g_autofree unsigned *line = g_new(unsigned, n);
		for (unsigned i = 0; i < n; i++)
			line[i] = g_array_index(u->statements, struct unit_statement, i).line;
		score_groups(t->formula, s, line, n, lines, u->lines->len);
	} else {
		g_autofree double *statements = g_new(double, n);
		technique_statements(t, u, s, statements);
		lines_from_statements(u, statements, lines);
	}
}
