/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/locate.h"

#include "solver/rank/formulas.h"

struct rating {
	double mends, suspiciousness, confidence, likeness;
};

/* What is known of one statement: sums over the calls that were asked about. */
struct proofs {
	double weight, likeness;
};

struct locate {
	enum locate_technique technique;
	GPtrArray *statements; /* char * */
	GHashTable *suspects;  /* char * → in how many cores it is */
	GHashTable *cleared;   /* char *: the user knows that they are right */
	unsigned n_cores;
	GHashTable *proofs;  /* char * → struct proofs * */
	unsigned n_proofs;   /* calls that were asked about */
	GArray *tests;	     /* struct locate_test */
	locate_set violated; /* by the first test */
	unsigned unchanged;
	unsigned same;	 /* rounds in which no suspect's rating changed */
	GArray *ratings; /* struct locate_rating */
};

struct locate *locate_new(enum locate_technique technique, const struct locate_test *first,
			  unsigned unchanged)
{
	struct locate *l = g_new0(struct locate, 1);

	l->technique = technique;
	l->statements = g_ptr_array_new_with_free_func(g_free);
	l->suspects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	l->cleared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	l->proofs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->tests = g_array_new(FALSE, FALSE, sizeof(struct locate_test));
	l->violated = first->violated;
	l->unchanged = unchanged;
	l->ratings = g_array_new(FALSE, TRUE, sizeof(struct locate_rating));
	g_array_append_val(l->tests, *first);
	return l;
}

void locate_free(struct locate *l)
{
	if (!l)
		return;
	g_ptr_array_unref(l->statements);
	g_hash_table_destroy(l->suspects);
	g_hash_table_destroy(l->cleared);
	g_hash_table_destroy(l->proofs);
	g_array_unref(l->tests);
	g_array_unref(l->ratings);
	g_free(l);
}

void locate_add_statement(struct locate *l, const char *statement)
{
	if (!g_ptr_array_find_with_equal_func(l->statements, statement, g_str_equal, NULL))
		g_ptr_array_add(l->statements, g_strdup(statement));
}

static unsigned bonus_of(const struct locate *l, const char *statement)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(l->suspects, statement));
}

void locate_add_suspect(struct locate *l, const char *statement)
{
	bool counts = l->technique == LOCATE_SAT_TAR || l->technique == LOCATE_SAT;

	if (counts && !g_hash_table_contains(l->cleared, statement))
		g_hash_table_insert(l->suspects, g_strdup(statement),
				    GUINT_TO_POINTER(bonus_of(l, statement) + 1));
}

void locate_add_core(struct locate *l)
{
	l->n_cores++;
}

void locate_add_proofs(struct locate *l)
{
	l->n_proofs++;
}

void locate_add_proof(struct locate *l, const char *statement, double weight, double likeness)
{
	struct proofs *sum = g_hash_table_lookup(l->proofs, statement);

	if (!sum) {
		sum = g_new0(struct proofs, 1);
		g_hash_table_insert(l->proofs, g_strdup(statement), sum);
	}
	sum->weight += weight;
	sum->likeness += likeness;
}

static struct proofs proofs_of(const struct locate *l, const char *statement)
{
	const struct proofs *sum = g_hash_table_lookup(l->proofs, statement);
	unsigned n = MAX(l->n_proofs, 1);

	return sum ? (struct proofs){ sum->weight / n, sum->likeness / n } : (struct proofs){ 0 };
}

void locate_acquit(struct locate *l, const char *statement)
{
	g_hash_table_remove(l->suspects, statement);
}

void locate_clear(struct locate *l, const char *statement)
{
	locate_acquit(l, statement);
	g_hash_table_add(l->cleared, g_strdup(statement));
}

/* ---- ratings ---- */

static const struct locate_test *located_test(const struct locate *l, guint i)
{
	return &g_array_index(l->tests, struct locate_test, i);
}

static struct spectrum_counts count_statement_tests(const struct locate *l, const char *statement)
{
	struct spectrum_counts c = { 0 };

	for (guint i = 0; i < l->tests->len; i++) {
		bool executed = g_hash_table_contains(located_test(l, i)->lines, statement);

		if (located_test(l, i)->violated)
			executed ? c.ef++ : c.nf++;
		else
			executed ? c.ep++ : c.np++;
	}
	return c;
}

static struct rating rate_statement(const struct locate *l, const char *statement)
{
	struct spectrum_counts c = count_statement_tests(l, statement);
	double core = (double)bonus_of(l, statement) / MAX(l->n_cores, 1);
	struct proofs proven = proofs_of(l, statement);

	if (g_hash_table_contains(l->cleared, statement))
		return (struct rating){ 0 };
	return (struct rating){ proven.weight,
				formula_score(formula_find("Tarantula"), &c) +
					MAX(core, proven.weight),
				formula_confidence(&c), proven.likeness };
}

static int compare_ratings(struct rating a, struct rating b)
{
	if (a.mends != b.mends)
		return a.mends < b.mends ? -1 : 1;
	if (a.suspiciousness != b.suspiciousness)
		return a.suspiciousness < b.suspiciousness ? -1 : 1;
	if (a.confidence != b.confidence)
		return a.confidence < b.confidence ? -1 : 1;
	return a.likeness < b.likeness ? -1 : a.likeness > b.likeness;
}

static gint worse_last(gconstpointer a, gconstpointer b)
{
	const struct locate_rating *x = a, *y = b;

	return -compare_ratings(
		(struct rating){ x->mends, x->suspiciousness, x->confidence, x->likeness },
		(struct rating){ y->mends, y->suspiciousness, y->confidence, y->likeness });
}

const GArray *locate_ratings(struct locate *l)
{
	g_array_set_size(l->ratings, 0);
	for (guint i = 0; i < l->statements->len; i++) {
		const char *s = l->statements->pdata[i];
		struct rating r = rate_statement(l, s);
		struct locate_rating shown = { s,
					       r.suspiciousness,
					       r.confidence,
					       r.mends,
					       r.likeness,
					       0,
					       g_hash_table_contains(l->suspects, s) };

		g_array_append_val(l->ratings, shown);
	}
	g_array_sort(l->ratings, worse_last); /* it keeps equal ones in their order */
	for (guint i = l->ratings->len; i-- > 0;) {
		struct locate_rating *r = &g_array_index(l->ratings, struct locate_rating, i);

		r->rank = i + 1 < l->ratings->len && worse_last(r, r + 1) == 0 ? r[1].rank : i + 1;
	}
	return l->ratings;
}

/* ---- tests ---- */

static bool is_same_ranking(const struct locate *l, GHashTable *a, GHashTable *b,
			    bool suspects_only)
{
	for (guint i = 0; i < l->statements->len; i++) {
		const char *s = l->statements->pdata[i];

		if ((!suspects_only || g_hash_table_contains(l->suspects, s)) &&
		    g_hash_table_contains(a, s) != g_hash_table_contains(b, s))
			return false;
	}
	return true;
}

unsigned locate_similarity(const struct locate *l, const struct locate_test *t)
{
	bool tells_suspects = l->same >= l->unchanged && g_hash_table_size(l->suspects);
	unsigned n = 0;

	for (guint i = 0; i < l->tests->len; i++)
		if (is_same_ranking(l, located_test(l, i)->lines, t->lines, false) ||
		    (tells_suspects &&
		     is_same_ranking(l, located_test(l, i)->lines, t->lines, true)))
			return 0;
	for (guint i = 0; i < l->statements->len; i++) {
		const char *s = l->statements->pdata[i];
		bool counts = l->technique == LOCATE_SAT_TAR
				      ? g_hash_table_contains(l->suspects, s)
				      : g_hash_table_contains(located_test(l, 0)->lines, s);

		n += counts && g_hash_table_contains(t->lines, s);
	}
	return l->technique == LOCATE_TAR_RAND ? n > 0 : n;
}

unsigned locate_best_similarity(const struct locate *l)
{
	if (l->technique == LOCATE_TAR_RAND)
		return 1;
	return g_hash_table_size(l->technique == LOCATE_SAT_TAR ? l->suspects
								: located_test(l, 0)->lines);
}

/* What a failing test makes less likely is probably right. */
static void acquit_dropped(struct locate *l, const struct rating *before)
{
	for (guint i = 0; i < l->statements->len; i++)
		if (compare_ratings(rate_statement(l, l->statements->pdata[i]), before[i]) < 0)
			locate_acquit(l, l->statements->pdata[i]);
}

static bool suspects_changed(const struct locate *l, const struct rating *before)
{
	for (guint i = 0; i < l->statements->len; i++) {
		const char *s = l->statements->pdata[i];

		if (g_hash_table_contains(l->suspects, s) &&
		    compare_ratings(rate_statement(l, s), before[i]))
			return true;
	}
	return false;
}

bool locate_add(struct locate *l, const struct locate_test *t)
{
	g_autofree struct rating *before = g_new(struct rating, l->statements->len + 1);
	bool is_part = !(t->violated & ~l->violated) && t->violated != l->violated;

	if (t->violated && !(t->violated & l->violated))
		return false;
	for (guint i = 0; i < l->statements->len; i++)
		before[i] = rate_statement(l, l->statements->pdata[i]);
	g_array_append_val(l->tests, *t);
	l->same = suspects_changed(l, before) ? 0 : l->same + 1;
	if (t->violated && !is_part)
		acquit_dropped(l, before);
	return true;
}
