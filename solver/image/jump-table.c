/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an indirect jump of a `switch` can go. */
#include "solver/image/image-private.h"

#include <string.h>

enum { MOST_ENTRIES = 4096, LOOK_BACK = 24 };

struct jump_table {
	uint64_t table, size;
	GArray *targets; /* uint64_t, distinct, ascending */
};

void image_jump_table_free(gpointer table)
{
	struct jump_table *t = table;

	g_array_free(t->targets, TRUE);
	g_free(t);
}

static bool in_function(const struct image *im, const struct image_function *f, uint64_t addr)
{
	const struct image_function *at = image_function_at(im, addr);

	return at && (at == f || at->parent == f || f->parent == at) && image_insn_at(im, addr);
}

static void add_target(struct jump_table *t, uint64_t addr)
{
	guint i = 0;

	while (i < t->targets->len && g_array_index(t->targets, uint64_t, i) < addr)
		i++;
	if (i == t->targets->len || g_array_index(t->targets, uint64_t, i) != addr)
		g_array_insert_val(t->targets, i, addr);
}

/* Entries as long as they lead into the function: offsets from the table (4
 * bytes) or addresses (8 bytes). */
static void read_entries(const struct image *im, const struct image_function *f, unsigned size,
			 struct jump_table *t)
{
	for (unsigned i = 0; i < MOST_ENTRIES; i++) {
		size_t avail;
		const uint8_t *bytes = image_bytes(im, t->table + i * size, &avail);
		uint64_t target = 0;
		int32_t offset;

		if (!bytes || avail < size)
			break;
		memcpy(size == 4 ? (void *)&offset : (void *)&target, bytes, size);
		if (size == 4)
			target = t->table + (uint64_t)(int64_t)offset;
		if (!in_function(im, f, target))
			break;
		add_target(t, target);
		t->size = (i + 1) * (uint64_t)size;
	}
}

/* Address that a rip-relative `lea` gives, 0 if the instruction is none. */
static uint64_t lea_target(const struct image *im, const struct trace_insn *insn)
{
	size_t avail;
	const uint8_t *bytes = image_bytes(im, insn->addr, &avail);
	int32_t disp;

	if (!bytes || !insn->rip_disp_offset || insn->n_mem || avail < insn->length)
		return 0;
	memcpy(&disp, bytes + insn->rip_disp_offset, sizeof(disp));
	return insn->addr + insn->length + (uint64_t)(int64_t)disp;
}

static struct jump_table *table_new(uint64_t address)
{
	struct jump_table *t = g_new0(struct jump_table, 1);

	t->table = address;
	t->targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	return t;
}

static struct jump_table *find_table(const struct image *im, const struct trace_insn *jump)
{
	const struct image_function *f = image_function_at(im, jump->addr);
	const struct trace_insn *insn = jump;
	const struct trace_insn *first = (const struct trace_insn *)(const void *)im->insns->data;

	if (f && jump->n_mem && jump->mem[0].base == TRACE_REG_NONE &&
	    jump->mem[0].index != TRACE_REG_NONE && jump->mem[0].scale == 8) {
		struct jump_table *t = table_new((uint64_t)jump->mem[0].disp);

		read_entries(im, f, 8, t);
		return t;
	}
	for (unsigned i = 0; f && i < LOOK_BACK && insn > first; i++) {
		uint64_t address;

		insn--;
		if (insn->addr < f->lo)
			break;
		address = lea_target(im, insn);
		if (!address)
			continue;
		struct jump_table *t = table_new(address);

		read_entries(im, f, 4, t);
		if (t->targets->len)
			return t;
		image_jump_table_free(t);
	}
	return table_new(0);
}

size_t image_jump_targets(const struct image *im_const, uint64_t addr, const uint64_t **out,
			  uint64_t *table, uint64_t *table_size)
{
	struct image *im = (struct image *)im_const; /* the cache grows */
	const struct trace_insn *jump = image_insn_at(im, addr);
	struct jump_table *t;

	if (!jump || jump->flow != TRACE_FLOW_JUMP_IND)
		return 0;
	if (!im->jump_tables)
		im->jump_tables = g_hash_table_new_full(NULL, NULL, NULL, image_jump_table_free);
	t = g_hash_table_lookup(im->jump_tables, jump);
	if (!t) {
		t = find_table(im, jump);
		g_hash_table_insert(im->jump_tables, (gpointer)jump, t);
	}
	*out = (const uint64_t *)(const void *)t->targets->data;
	*table = t->table;
	*table_size = t->size;
	return t->targets->len;
}
