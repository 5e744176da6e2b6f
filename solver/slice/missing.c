/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/missing.h"

#include "solver/base/hash.h"
#include "solver/slice/decision.h"

/* Code that is looked at, nearest to what is missing first. */
struct looking {
	struct reverse_index *index;
	const struct image *image;
	uint64_t bias;
	GArray *places;	  /* uint64_t, link-time */
	GHashTable *seen; /* uint64_t: those, and branches that were executed, by address */
	GArray *steps;
};

static void look_at_missing(struct looking *l, uint64_t link)
{
	if (image_function_at(l->image, link) &&
	    g_hash_table_add(l->seen, g_memdup2(&link, sizeof link)))
		g_array_append_val(l->places, link);
}

static void look_at_calls(struct looking *l, uint64_t link)
{
	const struct image_function *f = image_function_at(l->image, link);
	const struct trace_insn *insns;
	size_t n = image_insns(l->image, &insns);

	f = f && f->parent ? f->parent : f;
	for (size_t i = 0; f && i < n; i++)
		if ((insns[i].flow == TRACE_FLOW_CALL || insns[i].flow == TRACE_FLOW_JUMP) &&
		    insns[i].target == f->entry)
			look_at_missing(l, insns[i].addr);
}

static void look_at_branch(struct looking *l, uint64_t pc)
{
	const uint64_t link = pc - l->bias;
	uint64_t step;

	if (!reverse_index_met(l->index, pc)) {
		look_at_missing(l, link);
		return;
	}
	if (!g_hash_table_add(l->seen, g_memdup2(&link, sizeof link)))
		return;
	step = reverse_index_find_insn(l->index, 0, reverse_index_steps(l->index), &pc, 1);
	if (step != UINT64_MAX)
		g_array_append_val(l->steps, step);
}

void slice_missing(struct reverse_index *index, const struct image *im, uint64_t bias,
		   const uint64_t *places, size_t n, GArray *steps)
{
	struct looking l = { .index = index,
			     .image = im,
			     .bias = bias,
			     .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			     .seen = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL),
			     .steps = steps };
	const uint64_t most = reverse_index_limits(index)->slice_frames;

	for (size_t i = 0; i < n; i++)
		look_at_missing(&l, places[i] - bias);
	for (guint i = 0; i < l.places->len && i < most; i++) {
		const uint64_t link = g_array_index(l.places, uint64_t, i);
		g_autoptr(GArray) pcs = slice_deciding_branches(im, bias, link);

		for (guint k = 0; k < pcs->len; k++)
			look_at_branch(&l, g_array_index(pcs, uint64_t, k));
		if (!pcs->len)
			look_at_calls(&l, link);
	}
	g_hash_table_destroy(l.seen);
	g_array_unref(l.places);
}

void slice_last_decisions(struct reverse_index *index, uint64_t most, uint64_t steps,
			  GArray *instances)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(hash_u64_itself, NULL);
	const uint64_t end = reverse_index_steps(index);

	for (uint64_t k = end; k > 0 && end - k < steps && instances->len < most; k--) {
		const struct reverse_index_step at = *reverse_index_at(index, k - 1);
		const struct reverse_index_insn *info = reverse_index_insn_of(index, &at);
		const struct slice_instance i = { .step = k - 1,
						  .distance = instances->len + 1,
						  .decides = true,
						  .pc = info->pc,
						  .module = info->module,
						  .insn = info->insn,
						  .rbp = at.rbp,
						  .rsp = at.rsp,
						  .value = at.value,
						  .user = k - 1 };

		if (info->insn->flow == TRACE_FLOW_COND &&
		    g_hash_table_add(seen, GSIZE_TO_POINTER(info->pc)))
			g_array_append_val(instances, i);
	}
}
