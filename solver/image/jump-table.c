/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an indirect jump of a `switch` can go. */
#include "solver/image/image-private.h"

#include <string.h>

/* What compilers emit, so these are no limits of a search: a table's address is loaded a few
 * instructions before the jump, and one farther back is that of another `switch'. */
enum { MOST_ENTRIES = 4096, LOOK_BACK = 24 };

struct jump_table {
	uint64_t table, size;
	GArray *targets; /* uint64_t, distinct, ascending */
	GArray *entries; /* uint64_t: where each entry leads */
};

static void jump_table_free(gpointer table)
{
	struct jump_table *t = table;

	g_array_free(t->targets, TRUE);
	g_array_free(t->entries, TRUE);
	g_free(t);
}

static bool in_function(const struct image *im, const struct image_function *f, uint64_t addr)
{
	const struct image_function *at = image_function_at(im, addr);

	return at && (at == f || at->parent == f || f->parent == at) && image_insn_at(im, addr);
}

static void add_table_target(struct jump_table *t, uint64_t addr)
{
	guint i = 0;

	while (i < t->targets->len && g_array_index(t->targets, uint64_t, i) < addr)
		i++;
	if (i == t->targets->len || g_array_index(t->targets, uint64_t, i) != addr)
		g_array_insert_val(t->targets, i, addr);
}

/* Where a table lies and how long an entry is: 4 bytes = offset from the table,
 * 8 bytes = address. */
struct place {
	uint64_t address; /* 0 = not known */
	unsigned entry;
};

static bool read_entry(const struct image *im, const struct image_function *f,
		       const struct place *p, unsigned i, uint64_t *target)
{
	size_t avail;
	const uint8_t *bytes = image_bytes(im, p->address + i * (uint64_t)p->entry, &avail);
	int32_t offset;

	if (!bytes || avail < p->entry)
		return false;
	memcpy(p->entry == 4 ? (void *)&offset : (void *)target, bytes, p->entry);
	if (p->entry == 4)
		*target = p->address + (uint64_t)(int64_t)offset;
	return in_function(im, f, *target);
}

/* Takes entries as long as they lead into the function, up to the next table of the function,
 * whose entries would, too. */
static void read_table_entries(const struct image *im, const struct image_function *f,
			       const struct place *p, uint64_t limit, struct jump_table *t)
{
	uint64_t target;

	for (unsigned i = 0; i < MOST_ENTRIES; i++) {
		uint64_t end = (i + 1) * (uint64_t)p->entry;

		if (p->address + end > limit || !read_entry(im, f, p, i, &target))
			break;
		add_table_target(t, target);
		g_array_append_val(t->entries, target);
		t->size = end;
	}
}

/* The address that a rip-relative `lea` gives; 0 if the instruction is no such one. */
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

/* Does this read from an array of addresses, `table(,%reg,8)`? */
static struct place pointer_array_read_by(const struct trace_insn *insn)
{
	struct place p = { 0 };

	if (insn->n_mem && insn->mem[0].base == TRACE_REG_NONE &&
	    insn->mem[0].index != TRACE_REG_NONE && insn->mem[0].scale == 8)
		p = (struct place){ (uint64_t)insn->mem[0].disp, 8 };
	return p;
}

static struct place find_jump_place(const struct image *im, const struct image_function *f,
				    const struct trace_insn *jump)
{
	const struct trace_insn *first = (const struct trace_insn *)(const void *)im->insns->data;
	const struct trace_insn *insn = jump;
	struct place p = pointer_array_read_by(jump);
	bool loads = jump->flow_reg <= TRACE_R15; /* the register has not been written yet */
	uint64_t target;

	if (p.address || jump->n_mem)
		return p;
	for (unsigned i = 0; !p.address && i < LOOK_BACK && insn > first; i++) {
		insn--;
		if (insn->addr < f->lo)
			break;
		if (loads && insn->out_gpr & 1u << jump->flow_reg) {
			p = pointer_array_read_by(insn);
			if (!p.address && insn->n_mem)
				return p; /* a function's address */
			loads = false;
		}
		if (!p.address)
			p = (struct place){ lea_target(im, insn), 4 };
		if (p.address && !read_entry(im, f, &p, 0, &target))
			p.address = 0;
	}
	return p;
}

static void add_jump_places(struct image *im, const struct image_function *part, GArray *starts)
{
	for (uint64_t a = part->lo; a < part->hi;) {
		const struct trace_insn *insn = image_insn_at(im, a);

		a += insn ? insn->length : 1;
		if (!insn || insn->flow != TRACE_FLOW_JUMP_IND)
			continue;
		struct place p = find_jump_place(im, part, insn);

		if (p.address)
			g_array_append_val(starts, p.address);
	}
}

/* The next table of this function after address. */
static uint64_t next_table(struct image *im, const struct image_function *f, uint64_t address)
{
	const struct image_function *whole = f->parent ? f->parent : f;
	GArray *starts = g_hash_table_lookup(im->table_starts, whole);
	uint64_t next = UINT64_MAX;

	if (!starts) {
		starts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		g_hash_table_insert(im->table_starts, (gpointer)whole, starts);
		for (const struct image_function *part = whole; part;
		     part = image_next_part(im, part))
			add_jump_places(im, part, starts);
	}
	for (guint i = 0; i < starts->len; i++) {
		uint64_t start = g_array_index(starts, uint64_t, i);

		if (start > address && start < next)
			next = start;
	}
	return next;
}

static void add_label(const struct image *im, uint64_t addr)
{
	const struct image_function *f = image_function_at(im, addr);

	if (f && addr != f->entry && addr != f->lo && image_insn_at(im, addr))
		g_array_append_val(im->labels, addr);
}

/* Places within functions whose addresses are data: labels of which `&&' was taken. */
static const GArray *labels_of_image(struct image *im)
{
	if (im->labels)
		return im->labels;
	im->labels = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (guint i = 0; i < im->pointers->len; i++)
		add_label(im, g_array_index(im->pointers, struct image_pointer, i).target);
	return im->labels;
}

/* `goto *labels[i]' may go to each of the function's labels.  Without optimization all such jumps
 * of a function are one, far from where the address is read. */
static void take_labels(struct image *im, const struct image_function *f,
			const struct trace_insn *jump, struct jump_table *t)
{
	const GArray *labels = labels_of_image(im);

	if (jump->n_mem && jump->mem[0].index == TRACE_REG_NONE)
		return; /* of a pointer to a function */
	for (guint i = 0; i < labels->len; i++) {
		const uint64_t to = g_array_index(labels, uint64_t, i);

		if (in_function(im, f, to))
			add_table_target(t, to);
	}
}

static struct jump_table *find_table(struct image *im, const struct trace_insn *jump)
{
	const struct image_function *f = image_function_at(im, jump->addr);
	struct jump_table *t = g_new0(struct jump_table, 1);
	struct place p = { 0 };

	t->targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	t->entries = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	if (f)
		p = find_jump_place(im, f, jump);
	t->table = p.address;
	if (p.address)
		read_table_entries(im, f, &p, next_table(im, f, p.address), t);
	if (f && !t->targets->len) {
		t->table = 0;
		take_labels(im, f, jump, t);
	}
	return t;
}

/* NULL = it is no indirect jump. */
static const struct jump_table *table_of_jump(const struct image *im_const, uint64_t addr)
{
	struct image *im = (struct image *)im_const; /* the cache takes one more */
	const struct trace_insn *jump = image_insn_at(im, addr);
	struct jump_table *t;

	if (!jump || jump->flow != TRACE_FLOW_JUMP_IND)
		return NULL;
	if (!im->jump_tables) {
		im->jump_tables = g_hash_table_new_full(NULL, NULL, NULL, jump_table_free);
		im->table_starts = g_hash_table_new_full(NULL, NULL, NULL,
							 (GDestroyNotify)(void *)g_array_unref);
	}
	t = g_hash_table_lookup(im->jump_tables, jump);
	if (!t) {
		t = find_table(im, jump);
		g_hash_table_insert(im->jump_tables, (gpointer)jump, t);
	}
	return t;
}

size_t image_jump_targets(const struct image *im, uint64_t addr, const uint64_t **out,
			  uint64_t *table, uint64_t *table_size)
{
	const struct jump_table *t = table_of_jump(im, addr);

	if (!t)
		return 0;
	*out = (const uint64_t *)(const void *)t->targets->data;
	*table = t->table;
	*table_size = t->size;
	return t->targets->len;
}

size_t image_jump_entries(const struct image *im, uint64_t addr, const uint64_t **out)
{
	const struct jump_table *t = table_of_jump(im, addr);

	if (!t)
		return 0;
	*out = (const uint64_t *)(const void *)t->entries->data;
	return t->entries->len;
}
