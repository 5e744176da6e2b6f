/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a changed program still make the check that failed?  With branches of the check's line that
 * are never taken, or always, the check fails each time that it is made. */
#include "gdbext/evidence/mutation/mutation-private.h"

/* Makes the branches of the failed check's line never taken, or always taken: one of the two
 * makes the check fail each time. */
static void set_probe(struct mutation *m, struct servers *s, int64_t taken)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, m->file, m->line);

	servers_forget(s);
	g_array_set_size(s->base, 0);
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *with = &g_array_index(all, struct mutant, i);

		if (with->kind == MUTANT_DROPPED && with->to == taken)
			mutant_actions(with, s->base);
	}
}

/* A passing test makes the check if it fails once the check always fails. */
void mutation_find_checked(struct mutation *m)
{
	for (int64_t taken = 0; m->file && taken < 2 && !m->checked->len; taken++) {
		set_probe(m, &m->probed, taken);
		set_probe(m, &m->excused, !taken);
		for (guint i = 0;
		     m->probed.base->len && i < m->tests->passing->len &&
		     i < m->limits->mutant_probed && m->checked->len < m->limits->mutant_probes;
		     i++)
			if (!mutation_passes(m, &m->probed, m->tests->passing->pdata[i], m->none))
				g_ptr_array_add(m->checked, m->tests->passing->pdata[i]);
	}
	if (!m->checked->len)
		g_array_set_size(m->excused.base, 0);
}

bool mutation_is_still_checked(struct mutation *m, const struct neighbour *mended,
			       const GArray *changes)
{
	if (!m->checked->len && !m->probed.base->len)
		return true;
	for (guint i = 0; i < m->checked->len; i++)
		if (mutation_passes(m, &m->probed, m->checked->pdata[i], changes))
			return false;
	return !mutation_passes(m, &m->probed, mended, changes);
}

/* ---- how often it is made ---- */

/* The first branch of the failed check. */
static bool find_check(const struct mutation *m, struct mutant *out)
{
	g_autoptr(GArray) all = m->file ? mutator_line(m->mutator, m->file, m->line) : NULL;
	bool found = false;

	for (guint i = 0; all && i < all->len; i++) {
		const struct mutant *with = &g_array_index(all, struct mutant, i);

		if (with->kind != MUTANT_DROPPED || (found && with->addr >= out->addr))
			continue;
		*out = *with;
		found = true;
	}
	return found;
}

static bool changes_code_near(const GArray *changes, uint64_t addr)
{
	enum { NEAR = 16 }; /* bytes; no instruction is longer */

	for (guint i = 0; i < changes->len; i++) {
		const uint64_t at = g_array_index(changes, struct trace_action, i).addr;

		if (at + NEAR > addr && at < addr + NEAR)
			return true;
	}
	return false;
}

/* G_MAXUINT = not known. */
static guint checks_made(struct mutation *m, const GArray *changes)
{
	g_autoptr(GPtrArray) nothing = g_ptr_array_new();
	g_autoptr(GArray) probe = NULL, both = NULL, notes = NULL;
	struct mutant check = { 0 };
	unsigned n = 0;

	if (!find_check(m, &check) || changes_code_near(changes, check.addr))
		return G_MAXUINT;
	probe = mutation_probe(m, &check, nothing);
	if (!probe)
		return G_MAXUINT;
	both = g_array_copy((GArray *)changes);
	g_array_append_vals(both, probe->data, probe->len);
	notes = mutation_notes(m, m->failing->pdata[0], both, &n);
	return notes && n == 1 ? notes->len : G_MAXUINT;
}

bool mutation_checks_less(struct mutation *m, const GArray *changes)
{
	guint now;

	if (!m->checks_counted) {
		m->checks_made = checks_made(m, m->none);
		m->checks_counted = true;
	}
	/* whether it is made at all, mutation_is_still_checked knows */
	if (m->checks_made < 2 || m->checks_made == G_MAXUINT)
		return false;
	now = checks_made(m, changes);
	return now < m->checks_made;
}

/* ---- */

void mutation_find_probe(struct mutation *m)
{
	bool passed[2] = { false, false };

	for (int64_t taken = 0; m->file && m->failing->len && taken < 2; taken++) {
		set_probe(m, &m->probed, taken);
		passed[taken] = m->probed.base->len &&
				mutation_passes(m, &m->probed, m->failing->pdata[0], m->none);
	}
	if (passed[0] != passed[1])
		set_probe(m, &m->probed, passed[0] ? 1 : 0);
	else
		g_array_set_size(m->probed.base, 0);
	servers_forget(&m->probed);
}
