/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/decision.h"

/* Is this branch only a check that would have ended the program? Everything after such a check
 * depends on it, so it explains nothing; it explains only the end that it leads to. */
static bool only_checks(const struct image_cfg *cfg, const struct image_block *b,
			const struct image_block *here)
{
	bool stops = false;

	for (uint32_t i = 0; i < b->n_succ; i++) {
		const struct image_block *next = &cfg->blocks[b->succ[i]];

		if (next == here)
			return false;
		stops |= next->stops;
	}
	return stops;
}

static void add_deciding(const struct image_block *b, GArray *blocks)
{
	for (uint32_t i = 0; i < b->n_control; i++) {
		bool known = false;

		for (guint k = 0; k < blocks->len; k++)
			known |= g_array_index(blocks, uint32_t, k) == b->control[i];
		if (!known)
			g_array_append_val(blocks, b->control[i]);
	}
}

/* The last instructions of the blocks whose branches decide whether this code is executed. The
 * block itself is left out, because that a loop went on does not explain why it was entered. */
static GArray *deciding_branches(const struct image *im, uint64_t bias, uint64_t link)
{
	const struct image_function *f = image_function_at(im, link);
	const struct image_cfg *cfg;
	const struct image_block *b;
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GArray *pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	while (f && f->parent)
		f = f->parent;
	cfg = f ? image_cfg(im, f) : NULL;
	b = cfg ? image_block_at(im, f, link) : NULL;
	if (b)
		add_deciding(b, blocks);
	for (guint i = 0; i < blocks->len; i++) {
		const struct image_block *c = &cfg->blocks[g_array_index(blocks, uint32_t, i)];
		uint64_t pc = c->last + bias;

		if (only_checks(cfg, c, b && b->stops ? b : NULL))
			add_deciding(c, blocks);
		else if (c->last != link)
			g_array_append_val(pcs, pc);
	}
	return pcs;
}

uint64_t slice_decision_at(struct reverse_index *index, const struct image *im, uint64_t bias,
			   uint64_t link, uint64_t before, uint32_t depth)
{
	for (unsigned i = 0; i < reverse_index_limits(index)->slice_frames; i++) {
		g_autoptr(GArray) pcs = deciding_branches(im, bias, link);
		const struct reverse_index_insn *info;
		struct reverse_index_step s;
		uint64_t call, branch;

		branch = reverse_index_find_branch(index, before, depth,
						   (const uint64_t *)(const void *)pcs->data,
						   pcs->len, &call);
		if (branch != UINT64_MAX || call == UINT64_MAX)
			return branch;
		s = *reverse_index_at(index, call);
		info = reverse_index_insn_of(index, &s);
		im = info->module->image;
		bias = info->module->bias;
		link = info->insn->addr;
		before = call;
		depth = s.depth;
	}
	return UINT64_MAX;
}

uint64_t slice_decision_before(struct reverse_index *index, uint64_t number)
{
	struct reverse_index_step s;
	const struct reverse_index_insn *info;

	if (number == UINT64_MAX)
		return number;
	s = *reverse_index_at(index, number);
	info = reverse_index_insn_of(index, &s);
	return slice_decision_at(index, info->module->image, info->module->bias, info->insn->addr,
				 number, s.depth);
}
