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

/* Does a way lead from behind the block to that one; NULL: to where the function returns? */
static bool leads_to(const struct image_cfg *cfg, const struct image_block *b,
		     const struct image_block *to)
{
	g_autoptr(GArray) seen = g_array_new(FALSE, TRUE, sizeof(bool));
	g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	bool may = false;

	g_array_set_size(seen, cfg->n_blocks);
	g_array_append_vals(next, b->succ, b->n_succ);
	while (next->len && !may) {
		const uint32_t at = g_array_index(next, uint32_t, next->len - 1);
		const struct image_block *block = &cfg->blocks[at];

		g_array_set_size(next, next->len - 1);
		if (g_array_index(seen, bool, at))
			continue;
		g_array_index(seen, bool, at) = true;
		may = to ? block == to : block->returns;
		g_array_append_vals(next, block->succ, block->n_succ);
	}
	return may;
}

/* May the function still return from here?  One that reports an error never does, so no check of
 * its own keeps it from going on. */
static bool may_return(const struct image_cfg *cfg, const struct image_block *b)
{
	return b->returns || leads_to(cfg, b, NULL);
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

static const struct image_function *whole_function_at(const struct image *im, uint64_t link)
{
	const struct image_function *f = image_function_at(im, link);

	while (f && f->parent)
		f = f->parent;
	return f;
}

/* The block itself is left out, because that a loop went on does not explain why it was entered. */
GArray *slice_deciding_branches(const struct image *im, uint64_t bias, uint64_t link)
{
	const struct image_function *f = whole_function_at(im, link);
	const struct image_cfg *cfg;
	const struct image_block *b;
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GArray *pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	cfg = f ? image_cfg(im, f) : NULL;
	b = cfg ? image_block_at(im, f, link) : NULL;
	if (b)
		add_deciding(b, blocks);
	for (guint i = 0; i < blocks->len; i++) {
		const struct image_block *c = &cfg->blocks[g_array_index(blocks, uint32_t, i)];
		uint64_t pc = c->last + bias;

		if (only_checks(cfg, c, b->stops ? b : NULL) && may_return(cfg, b))
			add_deciding(c, blocks);
		else if (c->last != link)
			g_array_append_val(pcs, pc);
	}
	return pcs;
}

static const struct image_function *function_of_decision(struct reverse_index *index, uint64_t step,
							 const struct reverse_index_insn **info)
{
	struct reverse_index_step s = *reverse_index_at(index, step);

	*info = reverse_index_insn_of(index, &s);
	return whole_function_at((*info)->module->image, (*info)->insn->addr);
}

/* Optimized code ends `return f (x);' with a jump to f, which then has the frame of the function
 * that it was called in.  The last such jump to this function; UINT64_MAX = it was called.  When
 * its first instruction fails, nothing was executed behind the call. */
static uint64_t jump_in_place_of_call(struct reverse_index *index,
				      const struct image_function *function, uint64_t call,
				      uint64_t before, uint32_t depth)
{
	const uint64_t most = reverse_index_limits(index)->slice_tail_call;
	const struct reverse_index_insn *info;

	if (!function || call + 1 >= before ||
	    function_of_decision(index, call + 1, &info) == function)
		return UINT64_MAX;
	for (uint64_t k = before; k > call + 1 && before - k < most; k--)
		if (reverse_index_at(index, k - 1)->depth == depth &&
		    function_of_decision(index, k - 1, &info) != function)
			return info->insn->flow == TRACE_FLOW_JUMP ||
					       info->insn->flow == TRACE_FLOW_COND
				       ? k - 1
				       : UINT64_MAX;
	return UINT64_MAX;
}

/* A place of a frame, behind step .before. */
struct decided {
	const struct image *im;
	uint64_t bias, link, before;
	uint32_t depth;
};

static struct decided decided_step(struct reverse_index *index, uint64_t number)
{
	struct reverse_index_step s = *reverse_index_at(index, number);
	const struct reverse_index_insn *info = reverse_index_insn_of(index, &s);

	return (struct decided){ info->module->image, info->module->bias, info->insn->addr, number,
				 s.depth };
}

/* The first step of that function's frame that the index has; UINT64_MAX = none before d. */
static uint64_t first_in_frame(struct reverse_index *index, const struct image_function *f,
			       const struct decided *d)
{
	const uint64_t most = MIN(d->before, reverse_index_limits(index)->slice_lost);
	const struct reverse_index_insn *info;

	for (uint64_t k = 0; k < most; k++)
		if (reverse_index_at(index, k)->depth == d->depth &&
		    function_of_decision(index, k, &info) == f)
			return k;
	return UINT64_MAX;
}

/* Does a way lead from one of these branches (runtime addresses) of the function to that step? */
static bool comes_from_one(struct reverse_index *index, const struct image_function *f,
			   const GArray *pcs, uint64_t step)
{
	const struct decided at = decided_step(index, step);
	const struct image_cfg *cfg = image_cfg(at.im, f);
	const struct image_block *to = cfg ? image_block_at(at.im, f, at.link) : NULL;
	bool does = !to;

	for (guint i = 0; i < pcs->len && !does; i++) {
		const struct image_block *b =
			image_block_at(at.im, f, g_array_index(pcs, uint64_t, i) - at.bias);

		does = !b || leads_to(cfg, b, to);
	}
	return does;
}

/* The frame was entered before the first step, and none of the branches (pcs) that decide about d
 * was executed since.  Was one before that, from which control came here?  Nobody decides to call
 * main. */
static bool was_decided_before_all(struct reverse_index *index, const struct decided *d,
				   const GArray *pcs)
{
	const struct image_function *f = whole_function_at(d->im, d->link);
	uint64_t step;

	if (!f || g_strcmp0(f->name, "main") != 0)
		return true;
	if (!pcs->len)
		return false;
	step = first_in_frame(index, f, d);
	return step == UINT64_MAX || comes_from_one(index, f, pcs, step);
}

/* UINT64_MAX: there is none, or *lost: it is not in the index. */
static uint64_t find_decision_of(struct reverse_index *index, struct decided d, bool *lost)
{
	*lost = false;
	for (unsigned i = 0; i < reverse_index_limits(index)->slice_frames; i++) {
		g_autoptr(GArray) pcs = slice_deciding_branches(d.im, d.bias, d.link);
		const struct reverse_index_insn *info;
		struct reverse_index_step s;
		uint64_t call, branch, jump;

		branch = reverse_index_find_branch(index, d.before, d.depth,
						   (const uint64_t *)(const void *)pcs->data,
						   pcs->len, &call);
		if (branch == UINT64_MAX && call == UINT64_MAX)
			*lost = was_decided_before_all(index, &d, pcs);
		if (branch != UINT64_MAX || call == UINT64_MAX)
			return branch;
		jump = jump_in_place_of_call(index, whole_function_at(d.im, d.link), call, d.before,
					     d.depth);
		call = jump == UINT64_MAX ? call : jump;
		s = *reverse_index_at(index, call);
		info = reverse_index_insn_of(index, &s);
		if (info->insn->flow == TRACE_FLOW_COND)
			return call;
		d = decided_step(index, call);
	}
	return UINT64_MAX;
}

uint64_t slice_decision_at(struct reverse_index *index, const struct image *im, uint64_t bias,
			   uint64_t link, uint64_t before, uint32_t depth)
{
	bool lost;

	return find_decision_of(index, (struct decided){ im, bias, link, before, depth }, &lost);
}

uint64_t slice_decision_before(struct reverse_index *index, uint64_t number)
{
	bool lost;

	if (number == UINT64_MAX)
		return number;
	return find_decision_of(index, decided_step(index, number), &lost);
}

bool slice_decision_is_lost(struct reverse_index *index, uint64_t number)
{
	bool lost;

	return find_decision_of(index, decided_step(index, number), &lost) == UINT64_MAX && lost;
}
