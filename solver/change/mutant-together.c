/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One slip of the pen may have got into several instructions of a line: `raised++' that should be
 * `left++' loads and stores the wrong variable, and both letters of `'A', 'Z'' may be of the wrong
 * case.
 */
#include "solver/change/code-mutation-private.h"

/* Constants go together when they are changed by the same difference. */
static bool belong_together(const struct mutant *a, const struct mutant *b)
{
	if (a->kind != b->kind || a->beside != b->beside)
		return false;
	if (a->kind == MUTANT_VARIABLE)
		return a->from == b->from && a->to == b->to;
	return a->kind == MUTANT_CONSTANT &&
	       (uint64_t)a->to - (uint64_t)a->from == (uint64_t)b->to - (uint64_t)b->from;
}

static bool is_first(const GArray *all, guint i)
{
	const struct mutant *m = &g_array_index(all, struct mutant, i);

	for (guint k = 0; k < i; k++)
		if (belong_together(&g_array_index(all, struct mutant, k), m))
			return false;
	return true;
}

static bool is_changed_by(const struct mutant *m, uint64_t addr)
{
	for (; m; m = m->also)
		if (m->addr == addr)
			return true;
	return false;
}

void mutants_together(GArray *all, GPtrArray *kept)
{
	guint n = all->len;

	for (guint i = 0; i < n; i++) {
		struct mutant made = g_array_index(all, struct mutant, i);

		if ((made.kind != MUTANT_CONSTANT && made.kind != MUTANT_VARIABLE) ||
		    !is_first(all, i))
			continue;
		for (guint k = n - 1; k > i; k--) {
			struct mutant *other = &g_array_index(all, struct mutant, k);
			struct mutant *copy;

			if (!belong_together(&made, other) || is_changed_by(&made, other->addr))
				continue;
			copy = g_memdup2(other, sizeof *other);
			copy->also = made.also;
			made.also = copy;
			g_ptr_array_add(kept, copy);
		}
		if (made.also)
			g_array_append_val(all, made);
	}
}
