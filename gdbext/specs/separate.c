/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/separate.h"

#include "gdbext/specs/proof.h"

/* What was found when all lines of the call were asked about; NULL: they were not. */
static GHashTable *found_before(const struct study *s, const struct study_test *t,
				locate_set constraints)
{
	for (guint i = 0; i < s->asked->len; i++) {
		const struct study_asked *a = s->asked->pdata[i];

		if (a->test == t && a->constraints == constraints)
			return g_hash_table_ref(a->proven);
	}
	return NULL;
}

static void remember_proven(struct study *s, const struct study_test *t, locate_set constraints,
			    GHashTable *proven)
{
	struct study_asked *a = g_new0(struct study_asked, 1);

	*a = (struct study_asked){ t, constraints, g_hash_table_ref(proven) };
	g_ptr_array_add(s->asked, a);
}

GHashTable *separate_proofs(struct study *s, const struct study_test *t, locate_set constraints,
			    GHashTable *lines)
{
	const struct proof_question q = { s->probe, t,	     s->function, constraints,
					  lines,    s->lift, s->o };
	g_autoptr(GError) error = NULL;
	bool asks_all = lines == t->lines;
	GHashTable *proven = asks_all ? found_before(s, t, constraints) : NULL;

	if (proven)
		return proven;
	proven = proof_find(&q, &error);
	if (!proven)
		g_debug("no proofs: %s", error->message);
	else if (asks_all)
		remember_proven(s, t, constraints, proven);
	return proven;
}

static bool has_plausible(GHashTable *proven)
{
	GHashTableIter i;
	gpointer proof;

	g_hash_table_iter_init(&i, proven);
	while (g_hash_table_iter_next(&i, NULL, &proof))
		if (((struct proof *)proof)->kind >= PROOF_PLACE)
			return true;
	return false;
}

static bool is_several(locate_set constraints)
{
	return constraints & (constraints - 1);
}

unsigned separate_count(locate_set constraints)
{
	unsigned n = 0;

	for (; constraints; constraints &= constraints - 1)
		n++;
	return n;
}

/* char *, a line → locate_set *: what it mends plausibly, each constraint asked about alone. */
static GHashTable *mended_by_line(struct study *s, const struct study_test *t,
				  locate_set constraints)
{
	GHashTable *sets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GHashTableIter i;
	gpointer line, proof;

	for (unsigned c = 0; c < SPEC_MOST_CONSTRAINTS && !deadline_is_over(s->o->until); c++) {
		locate_set one = (locate_set)1 << c;
		g_autoptr(GHashTable) proven =
			constraints & one ? separate_proofs(s, t, one, t->lines) : NULL;

		if (!proven)
			continue;
		g_hash_table_iter_init(&i, proven);
		while (g_hash_table_iter_next(&i, &line, &proof)) {
			locate_set *set = g_hash_table_lookup(sets, line);

			if (((struct proof *)proof)->kind != PROOF_VALUE)
				continue;
			if (!set) {
				set = g_new0(locate_set, 1);
				g_hash_table_insert(sets, g_strdup(line), set);
			}
			*set |= one;
		}
	}
	return sets;
}

/* What a single line mends most of; of equals the one with the first constraint. */
static locate_set largest_set(GHashTable *sets)
{
	locate_set best = 0;
	GHashTableIter i;
	gpointer set;

	g_hash_table_iter_init(&i, sets);
	while (g_hash_table_iter_next(&i, NULL, &set)) {
		locate_set other = *(locate_set *)set;

		if (separate_count(other) > separate_count(best) ||
		    (separate_count(other) == separate_count(best) &&
		     (other & -other) < (best & -best)))
			best = other;
	}
	return best;
}

/* All that some line alone mends plausibly. */
static locate_set union_of_sets(GHashTable *sets)
{
	locate_set all = 0;
	GHashTableIter i;
	gpointer set;

	g_hash_table_iter_init(&i, sets);
	while (g_hash_table_iter_next(&i, NULL, &set))
		all |= *(locate_set *)set;
	return all;
}

GHashTable *separate_one(struct study *s, const struct study_test *t, locate_set *constraints)
{
	GHashTable *proven = separate_proofs(s, t, *constraints, t->lines), *of_one;
	g_autoptr(GHashTable) sets = NULL;
	locate_set one;

	if (!proven || has_plausible(proven) || !is_several(*constraints))
		return proven;
	sets = mended_by_line(s, t, *constraints);
	one = largest_set(sets);
	/* a line that mends all by leaving out what the call does is worse than several faults,
	 * but better than one and something that nobody can explain */
	if (g_hash_table_size(proven) && union_of_sets(sets) != *constraints)
		return proven;
	if (!one || one == *constraints || !(of_one = separate_proofs(s, t, one, t->lines)))
		return proven;
	g_hash_table_unref(proven);
	*constraints = one;
	return of_one;
}

/* ---- faults that were told ---- */

/* The line that the fault's answer has first, if runs have shown it; NULL = they have not. */
static const char *proven_line(const struct study_fault *f)
{
	const GArray *ratings = f->ratings->len ? f->ratings->pdata[f->ratings->len - 1] : NULL;
	const struct locate_rating *first =
		ratings && ratings->len ? &g_array_index(ratings, struct locate_rating, 0) : NULL;

	return first && first->mends > 0 ? first->statement : NULL;
}

locate_set separate_told(const struct study *s, const struct study_fault *but,
			 const struct study_test *t)
{
	locate_set told = 0;

	for (guint i = 0; i < s->faults->len; i++) {
		const struct study_fault *f = s->faults->pdata[i];
		const char *line = proven_line(f);

		if (f != but && (!line || g_hash_table_contains(t->lines, line)))
			told |= f->explains;
	}
	return told & t->violated;
}

/* Can its line mend them, by a change that is as plausible as that which mends its own call?  A
 * line that computes a wrong value is not why another call fails that it mends only when it writes
 * elsewhere. */
static bool mends_constraints(struct study *s, const struct study_fault *f,
			      const struct study_test *t, locate_set constraints)
{
	const char *line = proven_line(f);
	g_autoptr(GHashTable) lines = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) proven = NULL;
	const struct proof *own, *other;

	if (!line || !g_hash_table_contains(t->lines, line))
		return false;
	g_hash_table_add(lines, (gpointer)line);
	proven = found_before(s, t, constraints);
	if (!proven || !g_hash_table_contains(proven, line)) {
		g_clear_pointer(&proven, g_hash_table_unref);
		proven = separate_proofs(s, t, constraints, lines);
	}
	own = f->proven ? g_hash_table_lookup(f->proven, line) : NULL;
	other = proven ? g_hash_table_lookup(proven, line) : NULL;
	return other && (!own || other->kind >= own->kind);
}

bool separate_is_told(struct study *s, const struct study_test *t, locate_set constraints)
{
	for (guint i = 0; i < s->faults->len; i++) {
		struct study_fault *f = s->faults->pdata[i];

		if (mends_constraints(s, f, t, constraints)) {
			f->explains |= constraints;
			return true;
		}
	}
	return false;
}
