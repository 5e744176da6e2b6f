/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which mutants of a line there are, in which order they are tried, and those of data. */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "solver/change/data-mutant.h"

#include <string.h>

char *mutation_line_key(const char *file, unsigned line)
{
	return g_strdup_printf("%s:%u", file, line);
}

bool mutants_have(const GArray *all, const struct mutant *like)
{
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if (m->kind == like->kind && m->addr == like->addr && m->to == like->to)
			return true;
	}
	return false;
}

bool mutation_data_mutant(const struct mutation *m, const struct data_mutant *d, struct mutant *out)
{
	*out = (struct mutant){ .kind = MUTANT_DATA,
				.addr = d->action.addr,
				.length = (uint8_t)d->action.where,
				.size = (uint8_t)d->action.size };
	if (d->reader &&
	    !mutator_literal(m->mutator, d->reader, d->action.value, d->action.size, out))
		return false;
	if (!d->reader)
		memcpy(out->bytes, d->action.value, out->size);
	out->effort = d->effort;
	out->words = g_string_chunk_insert(m->words, d->words);
	return true;
}

void mutation_add_constants(const struct mutation *m, const char *file, unsigned line, GArray *all)
{
	size_t n;
	const struct image *im = replay_images(m->replay, &n)[0];
	g_autoptr(GArray) reads = data_constants(im, file, line);
	g_autoptr(GArray) data = data_mutants(im, 0, reads, NULL, false, m->limits);

	for (guint i = 0; i < data->len; i++) {
		struct mutant made;

		if (mutation_data_mutant(m, &g_array_index(data, struct data_mutant, i), &made))
			g_array_append_val(all, made);
	}
}

/* All mutants of the line, without those that hints suggest; owned by the mutation. */
static const GArray *mutants_of(const struct mutation *m, const char *file, unsigned line)
{
	g_autofree char *key = mutation_line_key(file, line);
	GArray *all = g_hash_table_lookup(m->lines, key);

	if (!all) {
		all = mutator_line(m->mutator, file, line);
		mutation_add_constants(m, file, line, all);
		g_hash_table_insert(m->lines, g_steal_pointer(&key), all);
	}
	return all;
}

/* Appends the mutant with this constant, unless it is among the usual mutants (NULL = there are
 * none). */
static void add_constant_mutant(const struct mutation *m, const struct mutant *of, int64_t to,
				enum mutant_nearness nearness, const GArray *usual, GArray *all)
{
	struct mutant made;

	if (to == of->from || !mutator_constant(m->mutator, of, to, &made) ||
	    mutants_have(all, &made) || (usual && mutants_have(usual, &made)))
		return;
	made.nearness = nearness;
	g_array_append_val(all, made);
}

/* Appends mutants that replace a constant by what a hint says: by the value itself (`x = 5'), or
 * by the constant that makes the same difference (`x = y + 5'). */
static void add_hinted_constants(const struct mutation *m, const struct mutant *of,
				 const GArray *usual, const GArray *hints, GArray *all)
{
	for (guint k = 0; hints && k < hints->len; k++) {
		const struct mutation_hint *h = &g_array_index(hints, struct mutation_hint, k);

		add_constant_mutant(m, of, h->witness, MUTANT_OTHER_VARIABLE, usual, all);
		add_constant_mutant(m, of, of->from + (h->witness - h->actual),
				    MUTANT_OTHER_VARIABLE, usual, all);
	}
}

/* Appends mutants with constants that were seen in a failing test. */
static void add_known(struct mutation *m, const GArray *usual, const GArray *hints, GArray *all)
{
	uint64_t addr = 0;

	for (guint i = 0; i < usual->len; i++) {
		const struct mutant *of = &g_array_index(usual, struct mutant, i);
		g_autoptr(GArray) seen = NULL;

		if (of->kind != MUTANT_CONSTANT || of->addr == addr || of->also)
			continue;
		addr = of->addr;
		seen = mutation_seen_values(m, of);
		for (guint k = 0; k < seen->len; k++)
			add_constant_mutant(m, of, g_array_index(seen, int64_t, k),
					    MUTANT_SEEN_VALUE, NULL, all);
		add_hinted_constants(m, of, usual, hints, all);
	}
}

enum mutation_part mutation_part_of(const struct mutation *m, const struct mutant *mutant)
{
	switch (mutant->kind) {
	case MUTANT_VARIABLE:
	case MUTANT_EXCHANGED:
	case MUTANT_CALLEE:
	case MUTANT_MIRRORED:
	case MUTANT_ZERO_CHECK:
		return MUTATION_VARIABLES;
	case MUTANT_EXPRESSION:
		return mutant->from || mutant->nearness == MUTANT_SAME_VARIABLE ? MUTATION_VARIABLES
										: MUTATION_REST;
	case MUTANT_CONSTANT:
		return mutation_effort(m, mutant) * 100 < (double)m->limits->slip_by_more
			       ? MUTATION_COMMON
			       : MUTATION_REST;
	default:
		return MUTATION_COMMON;
	}
}

struct weighed {
	struct mutant mutant;
	double effort;
};

static gint least_effort_first(gconstpointer a, gconstpointer b)
{
	double x = ((const struct weighed *)a)->effort, y = ((const struct weighed *)b)->effort;

	return (x > y) - (x < y);
}

/* Puts mutants in the order of their effort, and keeps the order of those with the same effort.
 * Mutants that cost too much are left out. */
static GArray *in_order(const struct mutation *m, const GArray *mutants)
{
	const double below = m->least + (double)m->limits->slip_margin / 100;
	GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(struct mutant), mutants->len);
	g_autoptr(GArray) weighed = g_array_new(FALSE, FALSE, sizeof(struct weighed));

	for (guint i = 0; i < mutants->len; i++) {
		const struct mutant *of = &g_array_index(mutants, struct mutant, i);
		struct weighed w = { *of, mutation_effort(m, of) };

		if (w.effort < below)
			g_array_append_val(weighed, w);
	}
	g_array_sort(weighed, least_effort_first);
	for (guint i = 0; i < weighed->len; i++)
		g_array_append_val(all, g_array_index(weighed, struct weighed, i).mutant);
	return all;
}

GArray *mutation_part_mutants(struct mutation *m, const char *file, unsigned line,
			      enum mutation_part part, const GArray *hints)
{
	const GArray *usual = mutants_of(m, file, line);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct mutant));

	if (part == MUTATION_COMMON)
		add_known(m, usual, hints, all); /* some of the usual ones may be among them */
	for (guint i = 0; i < usual->len; i++) {
		const struct mutant *of = &g_array_index(usual, struct mutant, i);

		if (mutation_part_of(m, of) == part)
			g_array_append_vals(all, of, 1);
	}
	return in_order(m, all); /* the first one that mends all is taken */
}
