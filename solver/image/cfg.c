/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control-flow graphs of functions. */
#include "solver/image/graph.h"
#include "solver/image/image-private.h"

struct builder {
	struct image *im;
	const struct image_function *f;
	GArray *leaders;       /* uint64_t, ascending */
	GArray *blocks;	       /* struct image_block */
	GArray *first, *edges; /* uint32_t */
};

static const struct image_function *whole_of_cfg_function(const struct image_function *f)
{
	return f->parent ? f->parent : f;
}

static bool ends_block(const struct image *im, const struct trace_insn *insn)
{
	switch (insn->flow) {
	case TRACE_FLOW_NONE:
		return image_is_trap(im, insn);
	case TRACE_FLOW_CALL:
	case TRACE_FLOW_CALL_IND:
		return !image_call_returns(im, insn);
	default:
		return true;
	}
}

static bool is_in_built_function(const struct builder *b, uint64_t addr)
{
	const struct image_function *f = image_function_at(b->im, addr);

	return f && whole_of_cfg_function(f) == b->f && image_insn_at(b->im, addr);
}

static gint compare_block_addresses(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void add_leader(struct builder *b, uint64_t addr)
{
	if (is_in_built_function(b, addr))
		g_array_append_val(b->leaders, addr);
}

static void find_leaders_in(struct builder *b, const struct image_function *part)
{
	add_leader(b, part->lo);
	if (part == b->f)
		add_leader(b, part->entry);
	for (uint64_t a = part->lo; a < part->hi;) {
		const struct trace_insn *insn = image_insn_at(b->im, a);
		const uint64_t *targets;
		uint64_t table, size;

		if (!insn) {
			a++;
			continue;
		}
		a += insn->length;
		if (!ends_block(b->im, insn))
			continue;
		add_leader(b, a);
		if (insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP)
			add_leader(b, insn->target);
		if (insn->flow == TRACE_FLOW_JUMP_IND)
			for (size_t i =
				     image_jump_targets(b->im, insn->addr, &targets, &table, &size);
			     i > 0; i--)
				add_leader(b, targets[i - 1]);
	}
}

/* The entry's block comes first, the others by address. */
static void sort_leaders(struct builder *b)
{
	guint kept = 0;

	g_array_sort(b->leaders, compare_block_addresses);
	for (guint i = 0; i < b->leaders->len; i++) {
		uint64_t a = g_array_index(b->leaders, uint64_t, i);

		if (!kept || g_array_index(b->leaders, uint64_t, kept - 1) != a)
			g_array_index(b->leaders, uint64_t, kept++) = a;
	}
	g_array_set_size(b->leaders, kept);
	for (guint i = 1; i < kept; i++)
		if (g_array_index(b->leaders, uint64_t, i) == b->f->entry) {
			g_array_remove_index(b->leaders, i);
			g_array_prepend_val(b->leaders, b->f->entry);
		}
}

/* The number of the block that starts at addr; -1 = none starts there. */
static int32_t leader_at(const struct builder *b, uint64_t addr)
{
	guint lo = 1, hi = b->leaders->len;

	if (hi && g_array_index(b->leaders, uint64_t, 0) == addr)
		return 0;
	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		uint64_t a = g_array_index(b->leaders, uint64_t, mid);

		if (a == addr)
			return (int32_t)mid;
		if (a < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}

static void add_block(struct builder *b, uint64_t lo)
{
	struct image_block block = { .id = b->blocks->len, .lo = lo, .hi = lo, .last = lo };
	const struct image_function *part = image_function_at(b->im, lo);

	while (block.hi < part->hi) {
		const struct trace_insn *insn = image_insn_at(b->im, block.hi);

		if (!insn || (block.hi != lo && leader_at(b, block.hi) >= 0))
			break;
		block.last = block.hi;
		block.hi += insn->length;
		if (ends_block(b->im, insn))
			break;
	}
	g_array_append_val(b->blocks, block);
}

/* True when there is such a block, so that the edge stays inside of the function. */
static bool add_cfg_edge(struct builder *b, uint64_t addr)
{
	int32_t to = leader_at(b, addr);
	uint32_t id = (uint32_t)to;

	if (to >= 0)
		g_array_append_val(b->edges, id);
	return to >= 0;
}

static void add_block_edges(struct builder *b, struct image_block *block)
{
	const struct trace_insn *insn = image_insn_at(b->im, block->last);
	const uint64_t *targets;
	uint64_t table, size;
	size_t n;

	switch (insn->flow) {
	case TRACE_FLOW_RET:
		block->returns = true;
		return;
	case TRACE_FLOW_COND:
		block->returns |= !add_cfg_edge(b, insn->target);
		block->returns |= !add_cfg_edge(b, block->hi);
		return;
	case TRACE_FLOW_JUMP:
		block->returns = !add_cfg_edge(b, insn->target);
		return;
	case TRACE_FLOW_JUMP_IND:
		n = image_jump_targets(b->im, insn->addr, &targets, &table, &size);
		block->stops = n == 0;
		for (size_t i = 0; i < n; i++)
			add_cfg_edge(b, targets[i]);
		return;
	default:
		if (ends_block(b->im, insn) || !add_cfg_edge(b, block->hi))
			block->stops = true;
	}
}

static uint32_t *copy_numbers(const GArray *a, guint from, guint to)
{
	if (from == to) /* .data may be NULL */
		return NULL;
	return g_memdup2(a->data + from * sizeof(uint32_t), (to - from) * sizeof(uint32_t));
}

/* Successors, post-dominators and control dependence into the blocks. */
static void finish_blocks(struct builder *b)
{
	guint n = b->blocks->len;
	g_autofree bool *exits = g_new0(bool, n + 1);
	struct graph g = { n, NULL, NULL };

	for (guint i = 0; i < n; i++) {
		struct image_block *block = &g_array_index(b->blocks, struct image_block, i);
		guint from = b->edges->len;

		g_array_append_val(b->first, from);
		add_block_edges(b, block);
		block->n_succ = b->edges->len - from;
		block->succ = copy_numbers(b->edges, from, b->edges->len);
		exits[i] = block->returns || block->stops;
	}
	g_array_append_val(b->first, b->edges->len);
	g.first = (const uint32_t *)(const void *)b->first->data;
	g.edge = (const uint32_t *)(const void *)b->edges->data;
	g_autofree int32_t *ipdom = graph_post_dominators(&g, exits);
	g_autoptr(GPtrArray) depends = graph_control_dependence(&g, ipdom);

	for (guint i = 0; i < n; i++) {
		struct image_block *block = &g_array_index(b->blocks, struct image_block, i);
		const GArray *d = depends->pdata[i];

		block->ipdom = ipdom[i];
		block->n_control = d->len;
		block->control = copy_numbers(d, 0, d->len);
	}
}

static struct image_cfg *build_cfg(struct image *im, const struct image_function *f)
{
	struct builder b = { .im = im, .f = f };
	struct image_cfg *cfg = g_new0(struct image_cfg, 1);

	b.leaders = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	b.blocks = g_array_new(FALSE, FALSE, sizeof(struct image_block));
	b.first = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b.edges = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (const struct image_function *part = f; part; part = image_next_part(im, part))
		find_leaders_in(&b, part);
	sort_leaders(&b);
	for (guint i = 0; i < b.leaders->len; i++)
		add_block(&b, g_array_index(b.leaders, uint64_t, i));
	finish_blocks(&b);
	cfg->function = f;
	cfg->n_blocks = b.blocks->len;
	cfg->blocks = (struct image_block *)(void *)g_array_free(b.blocks, FALSE);
	g_array_free(b.leaders, TRUE);
	g_array_free(b.first, TRUE);
	g_array_free(b.edges, TRUE);
	return cfg;
}

static void cfg_free(gpointer p)
{
	struct image_cfg *cfg = p;

	for (uint32_t i = 0; cfg && i < cfg->n_blocks; i++) {
		g_free((gpointer)cfg->blocks[i].succ);
		g_free((gpointer)cfg->blocks[i].control);
	}
	if (cfg)
		g_free((gpointer)cfg->blocks);
	g_free(cfg);
}

void image_cfgs_free(struct image *im)
{
	g_clear_pointer(&im->cfgs, g_ptr_array_unref);
	g_clear_pointer(&im->jump_tables, g_hash_table_destroy);
	g_clear_pointer(&im->table_starts, g_hash_table_destroy);
	g_clear_pointer(&im->labels, g_array_unref);
}

const struct image_cfg *image_cfg(const struct image *im_const, const struct image_function *f)
{
	struct image *im = (struct image *)im_const; /* the cache takes one more */

	if (!f)
		return NULL;
	f = whole_of_cfg_function(f);
	if (!im->cfgs) {
		im->cfgs = g_ptr_array_new_with_free_func(cfg_free);
		g_ptr_array_set_size(im->cfgs, (gint)im->functions->len);
	}
	if (!im->cfgs->pdata[f->id])
		im->cfgs->pdata[f->id] = build_cfg(im, f);
	return im->cfgs->pdata[f->id];
}

const struct image_block *image_block_at(const struct image *im, const struct image_function *f,
					 uint64_t addr)
{
	const struct image_cfg *cfg = image_cfg(im, f);
	uint32_t lo = 1, hi = cfg ? cfg->n_blocks : 0;

	if (hi && addr >= cfg->blocks[0].lo && addr < cfg->blocks[0].hi)
		return &cfg->blocks[0];
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct image_block *b = &cfg->blocks[mid];

		if (addr < b->lo)
			hi = mid;
		else if (addr >= b->hi)
			lo = mid + 1;
		else
			return b;
	}
	return NULL;
}
