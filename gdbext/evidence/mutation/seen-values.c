/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds constants that a failing test compared something with.  Where `if (c == '#')' should be
 * `if (c == '+')', the failing test comes there with a `+', so the right constant is at hand. */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "solver/change/compared-place.h"

static void add_seen_value(GArray *values, int64_t value)
{
	for (guint i = 0; i < values->len; i++)
		if (g_array_index(values, int64_t, i) == value)
			return;
	g_array_append_val(values, value);
}

GArray *mutation_seen_values(struct mutation *m, const struct mutant *of)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_autoptr(GPtrArray) watches = g_ptr_array_new();
	g_autoptr(GArray) probe = NULL, notes = NULL;
	struct watch place;
	unsigned width = 0;
	size_t n;

	if (!m->failing->len || !compared_place(replay_images(m->replay, &n)[0], of->addr, &place))
		return values;
	g_ptr_array_add(watches, &place);
	probe = mutation_probe(m, of, watches);
	notes = probe ? mutation_notes(m, m->failing->pdata[0], probe, &width) : NULL;
	for (guint i = 0; notes && width && i < notes->len && values->len < m->limits->guard_hits;
	     i += width) {
		const struct trace_note *note = &g_array_index(notes, struct trace_note, i);

		if (note->known)
			add_seen_value(values, watch_value(&place, note->value));
	}
	return values;
}
