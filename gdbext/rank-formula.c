/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/rank-formula.h"

#include "gdbext/failing.h"
#include "gdbext/tests.h"
#include "solver/combine.h"
#include "solver/joint.h"
#include "solver/rank/units.h"

#include <string.h>

static const struct rank_formula kinds[] = {
	{ .name = "ofc" },
	{ .name = "ofc+cw", .weighted = true },
	{ .name = "joint", .weighted = true, .joint = true },
};

const struct rank_formula *rank_formula_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_ascii_strcasecmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

static double *scores_of(const struct explanation *e, const struct units *u)
{
	double *lines = g_new0(double, u->lines->len + 1);

	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *from =
			&g_array_index(e->lines, struct explanation_line, i);

		for (guint k = 0; k < u->lines->len; k++) {
			const struct unit_line *to = &g_array_index(u->lines, struct unit_line, k);

			if (to->number == from->line && strcmp(to->file, from->file) == 0)
				lines[k] = from->score;
		}
	}
	return lines;
}

double *rank_formula_lines(const struct rank_formula *t, const struct options *o,
			   const struct suite_result *r, int *status, GError **error)
{
	struct options mine = *o;
	struct weighting *weighting = NULL;
	g_autoptr(GPtrArray) es = g_ptr_array_new();
	const char *technique;
	struct failing *f;
	double *lines = NULL;

	mine.technique = NULL; /* the usual formula weighs */
	mine.max_suspects = 0;
	if (t->weighted)
		weighting = tests_weigh(&mine, r, &technique, error);
	f = failing_new(&mine, r, weighting, error);
	*status = f ? failing_explain(f, es, error) : OPTIONS_EXIT_USAGE;
	if (!*status) {
		if (t->joint)
			joint((struct explanation *const *)es->pdata, es->len, weighting,
			      mine.max_size);
		else
			combine((struct explanation *const *)es->pdata, es->len);
		lines = scores_of(es->pdata[0], profile_plan_units(r->plan));
	}
	failing_free(f);
	weighting_free(weighting);
	return lines;
}
