/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/elsewhere.h"

#include "solver/answer/describe.h"
#include "solver/answer/evidence.h"
#include "solver/change/code-line.h"
#include "solver/rank/units.h"

#include <string.h>

/* A line that all failing tests execute. */
struct place {
	const struct unit_line *line;
	unsigned passing; /* tests that execute it */
};

/* One of them, and a change of it that mends them. */
struct found {
	const struct unit_line *line;
	struct explanation_evidence evidence;
	char *change, *condition; /* .condition: NULL = it has none */
	GArray *actions;	  /* struct trace_action */
};

struct elsewhere {
	const struct image *im;
	struct image *const *images;
	size_t n_images;
	struct mutation *m;
	const struct neighbours *tests;
	const struct units *units;
	const struct limits *limits;
	GPtrArray *found; /* struct found *; NULL = nobody has looked */
};

static void found_free(gpointer found)
{
	struct found *f = found;

	g_free(f->change);
	g_free(f->condition);
	g_array_unref(f->actions);
	g_free(f);
}

struct elsewhere *elsewhere_new(const struct question *first, struct mutation *m,
				const struct neighbours *tests, const struct suite_result *r,
				const struct limits *limits)
{
	struct elsewhere *x = g_new0(struct elsewhere, 1);

	x->im = first->run.images[0];
	x->images = first->run.images;
	x->n_images = first->run.n_images;
	x->m = m;
	x->tests = tests;
	x->units = profile_plan_units(r->plan);
	x->limits = limits;
	return x;
}

void elsewhere_free(struct elsewhere *x)
{
	if (x && x->found)
		g_ptr_array_unref(x->found);
	g_free(x);
}

/* For at least so many of the answer's tests. */
static bool is_named(const struct explanation *e, const struct unit_line *line, uint64_t tests)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == line->number && strcmp(l->file, line->file) == 0)
			return l->tests >= tests;
	}
	return false;
}

static unsigned executing(const GPtrArray *tests, guint unit)
{
	unsigned n = 0;

	for (guint i = 0; i < tests->len; i++)
		n += ((const struct neighbour *)tests->pdata[i])->lines[unit] != 0;
	return n;
}

static gint fewest_passing_first(gconstpointer a, gconstpointer b)
{
	const struct place *x = a, *y = b;

	return x->passing < y->passing ? -1 : x->passing > y->passing;
}

/* Those that are named for enough of the n tests were tried already. */
static GArray *places_of(const struct elsewhere *x, const struct explanation *e, unsigned n)
{
	uint64_t enough = (x->limits->evidence_lines * n + 99) / 100;
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));

	for (guint i = 0; i < x->units->lines->len; i++) {
		struct place p = { &g_array_index(x->units->lines, struct unit_line, i), 0 };

		if (executing(x->tests->failing, i) < x->tests->failing->len ||
		    is_named(e, p.line, enough))
			continue;
		p.passing = executing(x->tests->passing, i);
		g_array_append_val(places, p);
	}
	g_array_sort(places, fewest_passing_first);
	return places;
}

static void keep(struct elsewhere *x, const struct unit_line *line,
		 const struct mutation_verdict *v)
{
	struct found *f = g_new0(struct found, 1);

	f->line = line;
	f->change = v->guard ? g_strdup(v->change) : mutation_describe(x->m, &v->best);
	f->condition = g_strdup(v->guard);
	f->actions = v->guard ? g_array_copy((GArray *)v->actions)
			      : g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	if (!v->guard)
		mutant_actions(&v->best, f->actions);
	f->evidence = (struct explanation_evidence){
		.change = f->change,
		.condition = f->condition,
		.effort = v->guard ? v->effort : mutant_effort(&v->best, x->limits),
		.mended = v->mended,
		.failing = v->failing,
		.passing = v->passing
	};
	g_ptr_array_add(x->found, f);
}

static bool look(struct elsewhere *x, const struct explanation *e, unsigned n, GError **error)
{
	g_autoptr(GArray) places = places_of(x, e, n);

	x->found = g_ptr_array_new_with_free_func(found_free);
	for (guint i = 0; i < places->len && x->found->len < x->limits->evidence_elsewhere; i++) {
		const struct unit_line *line = g_array_index(places, struct place, i).line;
		struct mutation_verdict v = { 0 };

		if (!mutation_judge(x->m, line->file, line->number, NULL, &v, error))
			return false;
		if (v.mended && !v.broken)
			keep(x, line, &v);
	}
	return true;
}

static const struct image_statement *statement_of(const struct elsewhere *x,
						  const struct unit_line *line)
{
	const struct trace_insn *insns;
	size_t n = image_insns(x->im, &insns);

	for (size_t i = 0; i < n; i++)
		if (code_stands_on(x->im, insns[i].addr, line->file, line->number))
			return image_statement(x->im,
					       image_row_at(x->im, insns[i].addr)->statement);
	return NULL;
}

static void add(struct elsewhere *x, struct explanation *e, const struct found *f, unsigned n)
{
	const struct code_change change = { .statement = statement_of(x, f->line),
					    .words = f->change,
					    .actions = f->actions };
	struct explanation_line line = { .line = f->line->number, .score = 1, .tests = n };

	if (!change.statement)
		return;
	if (!is_named(e, f->line, 0)) {
		line.file = change.statement->file;
		describe_code_change(e, x->im, &change);
		((struct explanation_suspect *)e->suspects->pdata[e->suspects->len - 1])->tests = n;
		g_array_append_val(e->lines, line);
	}
	evidence_add(e, f->line->file, f->line->number, &f->evidence);
}

bool elsewhere_add(struct elsewhere *x, struct explanation *e, unsigned n, GError **error)
{
	if (!x->found && !look(x, e, n, error))
		return false;
	for (guint i = 0; i < x->found->len; i++)
		add(x, e, x->found->pdata[i], n);
	describe_sources(e, x->images, x->n_images);
	return true;
}
