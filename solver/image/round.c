/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a function's graph: what one round of them is. */
#include "solver/image/image.h"

/* The blocks to which control can come from one of them, over one edge or more, without entering
 * a barred one. */
static bool *reached_from(const struct image_cfg *cfg, uint32_t from, const bool *barred)
{
	bool *reached = g_new0(bool, cfg->n_blocks);
	g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_val(next, from);
	for (guint i = 0; i < next->len; i++) {
		const struct image_block *b = &cfg->blocks[g_array_index(next, uint32_t, i)];

		for (uint32_t k = 0; k < b->n_succ; k++) {
			uint32_t to = b->succ[k];

			if (reached[to] || (barred && barred[to]))
				continue;
			reached[to] = true;
			g_array_append_val(next, to);
		}
	}
	return reached;
}

/* The blocks of the cycles that hold both blocks and no barred one; NULL = there are none. */
static bool *cycle_with(const struct image_cfg *cfg, uint32_t a, uint32_t b, const bool *barred)
{
	g_autofree bool *from_a = reached_from(cfg, a, barred);
	bool *cycle;

	if (!from_a[a] || !from_a[b])
		return NULL;
	cycle = g_new0(bool, cfg->n_blocks);
	for (uint32_t i = 0; i < cfg->n_blocks; i++) {
		g_autofree bool *from_i = from_a[i] ? reached_from(cfg, i, barred) : NULL;

		cycle[i] = from_i && from_i[a];
	}
	if (!cycle[b])
		g_clear_pointer(&cycle, g_free);
	return cycle;
}

/* Where the cycle is entered; no code that can run has none. */
static bool *heads_of(const struct image_cfg *cfg, const bool *cycle)
{
	bool *heads = g_new0(bool, cfg->n_blocks);

	heads[0] = cycle[0];
	for (uint32_t i = 0; i < cfg->n_blocks; i++)
		for (uint32_t k = 0; k < cfg->blocks[i].n_succ; k++) {
			uint32_t to = cfg->blocks[i].succ[k];

			heads[to] = heads[to] || (cycle[to] && !cycle[i]);
		}
	return heads;
}

/* Bars the heads, too.  Are there any? */
static bool bar_heads(const struct image_cfg *cfg, const bool *heads, bool *barred)
{
	bool any = false;

	for (uint32_t i = 0; i < cfg->n_blocks; i++) {
		any = any || heads[i];
		barred[i] = barred[i] || heads[i];
	}
	return any;
}

bool *image_round_heads(const struct image_cfg *cfg, uint32_t a, uint32_t b)
{
	g_autofree bool *barred = g_new0(bool, cfg->n_blocks);
	bool *cycle = cycle_with(cfg, a, b, barred), *heads = NULL;

	/* a loop inside has none of the heads of the loops around it */
	while (cycle) {
		g_free(heads);
		heads = heads_of(cfg, cycle);
		g_free(cycle);
		cycle = NULL;
		if (bar_heads(cfg, heads, barred) && !barred[a] && !barred[b])
			cycle = cycle_with(cfg, a, b, barred);
	}
	return heads;
}

bool image_leads_to(const struct image_cfg *cfg, uint32_t from, uint32_t to, const bool *heads)
{
	g_autofree bool *reached = reached_from(cfg, from, heads);

	return reached[to];
}
