/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/rank-formula.h"

#include "gdbext/question/ending.h"
#include "gdbext/evidence/evidence.h"
#include "gdbext/evidence/failing.h"
#include "gdbext/question/runs/suite-tests.h"
#include "solver/answer/combine.h"
#include "solver/search/joint.h"
#include "solver/rank/ranking.h"
#include "solver/rank/technique.h"
#include "solver/rank/units.h"

#include <string.h>

static const struct rank_formula kinds[] = {
	{ .name = "ofc" },
	{ .name = "ofc+cw", .weighted = true },
	{ .name = "joint", .weighted = true, .joint = true },
	{ .name = "ba", .all_paths = true },
	{ .name = "ba+cw", .weighted = true, .all_paths = true },
};

const struct rank_formula *rank_formula_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strcasecmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

GArray *rank_formula_techniques(const char *names, const struct limits *limits, GError **error)
{
	g_auto(GStrv) words = g_strsplit(names, ",", -1);
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct technique));

	for (char **w = words; *w; w++) {
		const struct rank_formula *f = rank_formula_find(g_strstrip(*w));
		g_autoptr(GArray) some = f ? NULL : tests_techniques(*w, limits, error);

		if (f) {
			struct technique t = { .given = f->name };

			g_array_append_val(all, t);
		} else if (some) {
			g_array_append_vals(all, some->data, some->len);
		} else {
			g_array_unref(all);
			return NULL;
		}
	}
	return all;
}

/* UNIT_NONE when the line is none of the units. */
static unsigned ranked_unit_of(const struct units *u, const char *file, unsigned number)
{
	for (guint k = 0; k < u->lines->len; k++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, k);

		if (l->number == number && strcmp(l->file, file) == 0)
			return k;
	}
	return UNIT_NONE;
}

static double *scores_of(const struct explanation *e, const struct units *u)
{
	double *lines = g_new0(double, u->lines->len + 1);

	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *from =
			&g_array_index(e->lines, struct explanation_line, i);
		unsigned unit = ranked_unit_of(u, from->file, from->line);

		if (unit != UNIT_NONE)
			lines[unit] = from->score;
	}
	return lines;
}

/* By line: what the explanations of single tests say of it on average. */
static double *scores_of_single(const GPtrArray *es, const struct units *u)
{
	double *lines = g_new0(double, u->lines->len + 1);

	for (guint i = 0; i < es->len; i++) {
		g_autofree double *of_test = scores_of(es->pdata[i], u);

		for (guint k = 0; k < u->lines->len; k++)
			lines[k] += of_test[k] / es->len;
	}
	return lines;
}

/* What the answer does not name comes behind what it names: first what explanations of single
 * tests name where the answer is a joint one (no small change of the line, or not the same one, may
 * mend all tests), then the rest in the order of the formula.  single: NULL = none. */
static void put_behind_named(double *lines, const double *single, const struct units *u,
			     const struct weighting *order)
{
	double least = 1;

	for (guint k = 0; k < u->lines->len; k++)
		if (lines[k] > 0)
			least = MIN(least, lines[k]);
	for (guint k = 0; k < u->lines->len; k++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, k);
		double score;

		if (lines[k] > 0)
			continue;
		score = single && single[k] > 0
				? (1 + MIN(single[k], 1)) / 2
				: weighting_score(order, weighting_of(order, l->file, l->number)) /
					  2;
		lines[k] = least * 0.99 * MIN(score, 1);
	}
}

struct rank_formulas {
	const struct options *o;
	const struct suite_result *r;
	bool wanted[G_N_ELEMENTS(kinds)];    /* it is among the techniques asked for */
	double *lines[G_N_ELEMENTS(kinds)];  /* NULL = not asked for so far */
	bool *proven[G_N_ELEMENTS(kinds)];   /* likewise */
	GArray *extras[G_N_ELEMENTS(kinds)]; /* struct ranking_extra, likewise */
	struct weighting *order; /* of lines that no explanation names; NULL = not made yet */
	GStringChunk *strings;
	char *cut;     /* what cut the explanations; NULL = nothing */
	char *not_run; /* why nothing was proven; NULL = it was */
};

static GArray *extras_of(const struct rank_formulas *f, const struct explanation *e)
{
	const struct units *u = profile_plan_units(f->r->plan);
	GArray *extras = g_array_new(FALSE, FALSE, sizeof(struct ranking_extra));

	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);
		struct ranking_extra x = { .number = l->line, .score = l->score };

		if (!l->file || ranked_unit_of(u, l->file, l->line) != UNIT_NONE)
			continue;
		x.file = g_string_chunk_insert_const(f->strings, l->file);
		g_array_append_val(extras, x);
	}
	return extras;
}

static void note_proven(const struct explanation *e, const struct units *u, bool *proven)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; s->replay == REPLAY_PASSES && k < s->statements->len; k++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, k);
			unsigned unit = ranked_unit_of(u, st->file, st->line);

			if (unit != UNIT_NONE)
				proven[unit] = true;
		}
	}
}

struct rank_formulas *rank_formulas_new(const struct options *o, const struct suite_result *r,
					const GArray *techniques)
{
	struct rank_formulas *f = g_new0(struct rank_formulas, 1);

	f->o = o;
	f->r = r;
	for (guint i = 0; i < techniques->len; i++) {
		const struct technique *t = &g_array_index(techniques, struct technique, i);

		if (t->given)
			f->wanted[rank_formula_find(t->given) - kinds] = true;
	}
	f->strings = g_string_chunk_new(256);
	return f;
}

void rank_formulas_free(struct rank_formulas *f)
{
	for (size_t i = 0; f && i < G_N_ELEMENTS(kinds); i++) {
		g_free(f->lines[i]);
		g_free(f->proven[i]);
		g_clear_pointer(&f->extras[i], g_array_unref);
	}
	if (f) {
		g_free(f->cut);
		g_free(f->not_run);
		weighting_free(f->order);
		g_string_chunk_free(f->strings);
	}
	g_free(f);
}

/* Puts the technique's answer into es[0].  The combination leaves what other techniques make of
 * es as it is, so the joint answer is made last. */
static bool answer_with_formula(struct rank_formulas *f, size_t kind, const GPtrArray *es,
				const struct weighting *weighting, struct evidence *evidence,
				GError **error)
{
	struct explanation *const *all = (struct explanation *const *)es->pdata;
	const struct units *u = profile_plan_units(f->r->plan);
	g_autofree double *single = kinds[kind].joint ? scores_of_single(es, u) : NULL;

	if (!f->not_run)
		f->not_run = g_strdup(all[0]->not_run);
	/* each counts before they are combined, which keeps only the first one as it is */
	f->proven[kind] = g_new0(bool, u->lines->len + 1);
	for (guint i = 0; i < es->len && !kinds[kind].joint; i++)
		note_proven(all[i], u, f->proven[kind]);
	if (kinds[kind].joint)
		joint(all, es->len, weighting, &f->o->limits);
	else
		combine(all, es->len);
	if (evidence && !evidence_gather(evidence, all[0], es->len, error))
		return false;
	/* the evidence adds suspects that it proved itself */
	note_proven(all[0], u, f->proven[kind]);
	f->lines[kind] = scores_of(all[0], u);
	put_behind_named(f->lines[kind], single, u, f->order);
	f->extras[kind] = extras_of(f, all[0]);
	return true;
}

/* Does this technique rest on the same explanations as the other one? */
static bool rests_on_the_same(const struct rank_formula *t, const struct rank_formula *other)
{
	return t->weighted == other->weighted && t->all_paths == other->all_paths;
}

/* All techniques asked for that rest on the same explanations as this one.  The others are left
 * out, because their evidence takes runs of its own. */
static int explain_and_answer(struct rank_formulas *f, const struct rank_formula *like,
			      const struct weighting *weighting, GError **error)
{
	struct options mine = *f->o;
	g_autoptr(GPtrArray) es = g_ptr_array_new();
	struct consistency *c =
		like->weighted && evidence_is_wanted(&mine) ? consistency_new(&mine.limits) : NULL;
	struct evidence *evidence = NULL;
	struct failing *failing;
	int status = OPTIONS_EXIT_USAGE;

	mine.max_suspects = 0;
	mine.paths = like->all_paths ? OPTIONS_PATHS_ALL : OPTIONS_PATHS_ON_DEMAND;
	failing = failing_new(&mine, f->r, weighting, c, error);
	if (failing)
		status = failing_explain(failing, es, error);
	/* evidence has a time of its own */
	if (!status && !f->cut && failing_is_late(failing))
		f->cut = g_strdup_printf(
			"the time of --timeout %g s was up before the failing tests "
			"were explained to the end; with more, the order may be another",
			mine.timeout);
	if (!status)
		evidence = failing_evidence(failing, mine.timeout);
	for (size_t i = 0; !status && i < G_N_ELEMENTS(kinds); i++)
		if (f->wanted[i] && rests_on_the_same(&kinds[i], like) &&
		    !answer_with_formula(f, i, es, weighting, evidence, error))
			status = ending_status(*error);
	failing_free(failing);
	consistency_free(c);
	return status;
}

const double *rank_formulas_lines(struct rank_formulas *f, const struct rank_formula *t,
				  int *status, GError **error)
{
	struct options usual = *f->o;
	struct weighting *weighting = NULL;
	const char *technique;
	size_t kind = (size_t)(t - kinds);

	*status = 0;
	if (!f->lines[kind]) {
		usual.technique = NULL; /* the usual formula weighs */
		if (!f->order)
			f->order = tests_weigh(&usual, f->r, &technique, error);
		if (t->weighted)
			weighting = tests_weigh(&usual, f->r, &technique, error);
		*status = explain_and_answer(f, t, weighting, error);
		weighting_free(weighting);
	}
	return f->lines[kind];
}

GArray *rank_formulas_extras(const struct rank_formulas *f, const struct rank_formula *t,
			     unsigned technique)
{
	GArray *extras = g_array_copy(f->extras[t - kinds]);

	for (guint i = 0; i < extras->len; i++)
		g_array_index(extras, struct ranking_extra, i).technique = technique;
	return extras;
}

const char *rank_formulas_cut(const struct rank_formulas *f)
{
	return f->cut;
}

const char *rank_formulas_not_run(const struct rank_formulas *f)
{
	return f->not_run;
}

const bool *rank_formulas_proven(const struct rank_formulas *f, const struct rank_formula *t)
{
	return f->proven[t - kinds];
}
