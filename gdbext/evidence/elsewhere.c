/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/elsewhere.h"

#include "gdbext/evidence/initial-values.h"
#include "gdbext/evidence/mended-line.h"
#include "gdbext/evidence/mutation/mutation.h"
#include "solver/answer/order/evidence.h"
#include "solver/image/image.h"
#include "solver/rank/units.h"

#include <string.h>

/* A line that all failing tests execute. */
struct place {
	const struct unit_line *line;
	guint unit;
	unsigned passing; /* tests that execute it */
};

struct elsewhere {
	struct mutation *m;
	const struct neighbours *tests;
	const struct units *units;
	const struct image *image;
	const struct limits *limits;
	GPtrArray *found;  /* struct mended_line * */
	uint8_t *tried;	   /* of each unit: so many parts of its plain changes */
	bool looked;	   /* everywhere */
	bool beside;	   /* beside named lines that can be mended */
	bool at_data;	   /* initial values were looked for */
	bool inserted;	   /* statements that may be missing were looked for */
	int64_t statement; /* the one that is missing; 0 = not known; or INSERTED_LIKELY */
};

struct elsewhere *elsewhere_new(struct mutation *m, const struct neighbours *tests,
				const struct suite_result *r, const struct limits *limits)
{
	struct elsewhere *x = g_new0(struct elsewhere, 1);

	x->m = m;
	x->tests = tests;
	x->units = profile_plan_units(r->plan);
	x->image = profile_plan_image(r->plan);
	x->limits = limits;
	x->found = g_ptr_array_new_with_free_func(mended_line_free);
	x->tried = g_new0(uint8_t, x->units->lines->len);
	return x;
}

void elsewhere_free(struct elsewhere *x)
{
	if (!x)
		return;
	g_ptr_array_unref(x->found);
	g_free(x->tried);
	g_free(x);
}

/* For at least so many of the answer's tests. */
static bool is_line_named_enough(const struct explanation *e, const struct unit_line *line,
				 uint64_t tests)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == line->number && strcmp(l->file, line->file) == 0)
			return l->tests >= tests;
	}
	return false;
}

static unsigned count_tests_executing(const GPtrArray *tests, guint unit)
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

/* Collects the lines that may be tried.  Lines that e names for enough of the n tests are left
 * out, because they were tried already (n = 0: none of them was), and so are files of the
 * program's own tests. */
static GArray *places_to_try(const struct elsewhere *x, const struct explanation *e, unsigned n)
{
	uint64_t enough = (x->limits->evidence_lines * n + 99) / 100;
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));

	for (guint i = 0; i < x->units->lines->len; i++) {
		struct place p = { &g_array_index(x->units->lines, struct unit_line, i), i, 0 };

		if (count_tests_executing(x->tests->failing, i) < x->tests->failing->len ||
		    (n && is_line_named_enough(e, p.line, enough)) ||
		    evidence_is_of_test(e, p.line->file) ||
		    image_file_is_given(x->image, p.line->file))
			continue;
		p.passing = count_tests_executing(x->tests->passing, i);
		g_array_append_val(places, p);
	}
	g_array_sort(places, fewest_passing_first);
	return places;
}

static bool is_found(const struct elsewhere *x, const struct unit_line *line)
{
	for (guint i = 0; i < x->found->len; i++) {
		const struct mended_line *l = x->found->pdata[i];

		if (l->line == line->number && strcmp(l->file, line->file) == 0)
			return true;
	}
	return false;
}

/* Plain changes are those of enum mutation_part. */
enum kind { GUARDED = MUTATION_PARTS, INSERTED };

static bool judge_line_elsewhere(const struct elsewhere *x, const struct unit_line *line,
				 unsigned kind, struct mutation_verdict *v, GError **error)
{
	switch (kind) {
	case GUARDED:
		return mutation_judge_guarded(x->m, line->file, line->number, v, error);
	case INSERTED:
		return mutation_judge_inserted(x->m, line->file, line->number, x->statement, v,
					       error);
	default:
		return mutation_judge(x->m, line->file, line->number, (enum mutation_part)kind,
				      NULL, v, error);
	}
}

static bool try_line_elsewhere(struct elsewhere *x, const struct place *p, unsigned kind,
			       GError **error)
{
	const struct unit_line *line = p->line;
	struct mutation_verdict v = { 0 };

	if (is_found(x, line) || kind < x->tried[p->unit])
		return true;
	if (!judge_line_elsewhere(x, line, kind, &v, error))
		return false;
	/* a line for which the time was up may be tried later */
	if (kind < MUTATION_PARTS && !mutation_is_spent(x->m))
		x->tried[p->unit] = (uint8_t)(kind + 1);
	if (!v.mended || v.broken)
		return true;
	g_ptr_array_add(x->found, mended_line_new(x->m, line->file, line->number, &v));
	if (kind == INSERTED)
		x->statement = v.best.to; /* where else may it stand? */
	return true;
}

/* Tries these lines until so many are found. */
static bool try_places(struct elsewhere *x, const GArray *places, unsigned kind, uint64_t enough,
		       GError **error)
{
	for (guint i = 0; i < places->len && x->found->len < enough; i++)
		if (!try_line_elsewhere(x, &g_array_index(places, struct place, i), kind, error))
			return false;
	return true;
}

/* Tries plain changes of these lines, within so many runs.  Once a line is found, lines that
 * more passing tests execute are left out. */
static bool try_most_suspicious(struct elsewhere *x, const GArray *places, GError **error)
{
	unsigned until = mutation_runs(x->m) + (unsigned)x->limits->elsewhere_runs;
	unsigned most = G_MAXUINT;

	for (guint k = 0; k < MUTATION_PARTS * places->len && mutation_runs(x->m) < until; k++) {
		const struct place *p = &g_array_index(places, struct place, k % places->len);
		guint before = x->found->len;

		if (p->passing > most)
			continue;
		if (!try_line_elsewhere(x, p, k / places->len, error))
			return false;
		if (x->found->len > before)
			most = p->passing;
	}
	return true;
}

static bool has_many_tests(const struct elsewhere *x)
{
	return x->tests->failing->len + x->tests->passing->len >= x->limits->elsewhere_tests;
}

bool elsewhere_look_first(struct elsewhere *x, const struct explanation *e, GError **error)
{
	g_autoptr(GArray) places = NULL;

	if (!has_many_tests(x))
		return true;
	places = places_to_try(x, e, 1);
	return try_most_suspicious(x, places, error);
}

const GPtrArray *elsewhere_found(const struct elsewhere *x)
{
	return x->found;
}

const GPtrArray *elsewhere_look(struct elsewhere *x, const struct explanation *e, unsigned n,
				GError **error)
{
	/* the rest is much, and rarely right */
	static const unsigned kinds[] = { MUTATION_COMMON, MUTATION_VARIABLES, GUARDED,
					  MUTATION_REST };
	g_autoptr(GArray) places = NULL;

	if (x->looked)
		return x->found;
	x->looked = true;
	mutation_allow(x->m, x->limits->elsewhere_runs);
	places = places_to_try(x, e, n);
	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!try_places(x, places, kinds[i], x->limits->evidence_elsewhere, error))
			return NULL;
	return x->found;
}

/* Tries the commonest changes of lines that e, the answer about n tests, does not name, within so
 * many runs. */
static bool try_common(struct elsewhere *x, const struct explanation *e, unsigned n, uint64_t runs,
		       GError **error)
{
	unsigned until = mutation_runs(x->m) + (unsigned)runs;
	g_autoptr(GArray) places = NULL;
	bool ok = true;

	mutation_allow(x->m, runs);
	places = places_to_try(x, e, n);
	for (guint i = 0; ok && i < places->len && mutation_runs(x->m) < until; i++) {
		const struct place *p = &g_array_index(places, struct place, i);

		/* another check is not as likely as a slip */
		if (!mutation_is_check(x->m, p->line->file, p->line->number))
			ok = try_line_elsewhere(x, p, MUTATION_COMMON, error);
	}
	return ok;
}

bool elsewhere_look_beside(struct elsewhere *x, const struct explanation *e, unsigned n,
			   GError **error)
{
	if (x->beside || x->looked || !has_many_tests(x) || !x->limits->beside_runs)
		return true;
	x->beside = true;
	return try_common(x, e, n, x->limits->beside_runs, error);
}

bool elsewhere_look_quickly(struct elsewhere *x, const struct explanation *e, GError **error)
{
	return !has_many_tests(x) || !x->limits->quick_runs ||
	       try_common(x, e, 1, x->limits->quick_runs, error);
}

/* The least change of the variable's values that mends. */
static bool try_data(struct elsewhere *x, const struct data_mutant *d, GHashTable *mended,
		     GError **error)
{
	struct image_statement declared;
	struct mutation_verdict v;

	/* constants of the code were tried with their line */
	if (!d->variable || g_hash_table_contains(mended, d->variable))
		return true;
	if (!mutation_judge_data(x->m, d, &v, error))
		return false;
	if (!v.mended || v.broken)
		return true;
	g_hash_table_add(mended, (gpointer)d->variable);
	declared = initial_value_declared(d);
	g_ptr_array_add(x->found, mended_line_of_data(x->m, &declared, &v));
	return true;
}

bool elsewhere_look_at_data(struct elsewhere *x, const struct question *q, GError **error)
{
	g_autoptr(GHashTable) mended = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) data = NULL;
	bool ok = true;

	if (x->at_data || !x->limits->slip_data)
		return true;
	x->at_data = true;
	data = initial_value_mutants(q, x->limits, false, error);
	if (!data)
		return false;
	g_debug("%u other initial values", data->len);
	mutation_allow(x->m, x->limits->data_runs);
	for (guint i = 0; ok && i < data->len && !mutation_is_spent(x->m); i++)
		ok = try_data(x, &g_array_index(data, struct data_mutant, i), mended, error);
	return ok;
}

bool elsewhere_look_inserted(struct elsewhere *x, const struct explanation *e, GError **error)
{
	g_autoptr(GArray) places = NULL;
	uint64_t most;

	if (x->inserted || !has_many_tests(x) || !x->limits->insertion_runs)
		return true;
	x->inserted = true;
	mutation_allow(x->m, x->limits->insertion_runs);
	places = places_to_try(x, e, 0);
	most = x->found->len + x->limits->insertion_lines;
	/* all statements of the first lines would leave no runs to the last ones */
	x->statement = INSERTED_LIKELY;
	if (!try_places(x, places, INSERTED, most, error))
		return false;
	if (x->statement == INSERTED_LIKELY)
		x->statement = 0;
	return try_places(x, places, INSERTED, most, error);
}
