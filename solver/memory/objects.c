/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/memory/objects.h"
#include "solver/base/hash.h"

struct objects {
	GPtrArray *all;	       /* struct memory_object *, number - 1; NULL = forgotten */
	GTree *blocks;	       /* uint64_t lo → number, of those that have not been replaced */
	GHashTable *variables; /* a hash of address and size → number */
	uint64_t lowest, highest;
};

static gint compare_objects(gconstpointer a, gconstpointer b, gpointer data)
{
	uint64_t x = GPOINTER_TO_SIZE(a), y = GPOINTER_TO_SIZE(b);

	(void)data;
	return x < y ? -1 : x > y;
}

struct objects *objects_new(void)
{
	struct objects *o = g_new0(struct objects, 1);

	o->all = g_ptr_array_new_with_free_func(g_free);
	o->blocks = g_tree_new_full(compare_objects, NULL, NULL, NULL);
	o->variables = g_hash_table_new(hash_u64_itself, NULL);
	o->lowest = UINT64_MAX;
	return o;
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	g_tree_destroy(o->blocks);
	g_hash_table_destroy(o->variables);
	g_ptr_array_free(o->all, TRUE);
	g_free(o);
}

struct memory_object *objects_get(const struct objects *o, uint32_t number)
{
	return number && number <= o->all->len ? o->all->pdata[number - 1] : NULL;
}

static uint32_t add_numbered_object(struct objects *o, const struct memory_object *object)
{
	g_ptr_array_add(o->all, g_memdup2(object, sizeof(*object)));
	return o->all->len;
}

static void forget_object(struct objects *o, uint32_t number)
{
	struct memory_object *object = objects_get(o, number);

	if (!object)
		return;
	g_tree_remove(o->blocks, GSIZE_TO_POINTER(object->lo));
	g_clear_pointer(&o->all->pdata[number - 1], g_free);
}

/* The last block that begins before this address, or there. */
static uint32_t block_before(const struct objects *o, uint64_t address)
{
	GTreeNode *above = g_tree_upper_bound(o->blocks, GSIZE_TO_POINTER(address));
	GTreeNode *node = above ? g_tree_node_previous(above) : g_tree_node_last(o->blocks);

	return node ? GPOINTER_TO_UINT(g_tree_node_value(node)) : 0;
}

static uint32_t block_from(const struct objects *o, uint64_t address)
{
	GTreeNode *node = g_tree_lower_bound(o->blocks, GSIZE_TO_POINTER(address));

	return node ? GPOINTER_TO_UINT(g_tree_node_value(node)) : 0;
}

/* What the allocator gives for so many bytes: glibc's chunks are multiples of 16, at least 32, 8 of
 * them are the chunk's size. */
static uint64_t allocated_room_of(uint64_t size)
{
	return MAX(24, ((size + 8 + 15) & ~UINT64_C(15)) - 8);
}

uint32_t objects_add_block(struct objects *o, uint64_t lo, uint64_t size,
			   const struct memory_point *made)
{
	struct memory_object object = {
		.is_block = true, .lo = lo, .hi = lo + size, .made = *made
	};
	uint32_t number = block_before(o, lo);

	if (number && objects_get(o, number)->hi > lo)
		forget_object(o, number);
	while ((number = block_from(o, lo)) && objects_get(o, number)->lo < lo + MAX(size, 1))
		forget_object(o, number);
	o->lowest = MIN(o->lowest, lo);
	o->highest = MAX(o->highest, lo + allocated_room_of(size) + 8);
	number = add_numbered_object(o, &object);
	g_tree_insert(o->blocks, GSIZE_TO_POINTER(lo), GUINT_TO_POINTER(number));
	return number;
}

void objects_extend_block(struct objects *o, uint64_t lo, uint64_t size)
{
	struct memory_object *block = objects_get(o, block_before(o, lo));

	if (block && block->is_block && block->lo == lo)
		block->hi = MAX(block->hi, lo + size);
}

uint32_t objects_add_variable(struct objects *o, uint64_t lo, uint64_t size, const char *name)
{
	struct memory_object object = { .lo = lo, .hi = lo + size, .name = name };
	gpointer key = GSIZE_TO_POINTER(hash_mix(lo) ^ size);
	uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(o->variables, key));
	const struct memory_object *old = objects_get(o, number);

	if (old && old->lo == lo && old->hi == lo + size && old->name == name)
		return number;
	number = add_numbered_object(o, &object);
	g_hash_table_insert(o->variables, key, GUINT_TO_POINTER(number));
	return number;
}

uint32_t objects_block_at(const struct objects *o, uint64_t address)
{
	uint32_t number = objects_in_heap(o, address) ? block_before(o, address) : 0;
	const struct memory_object *b = objects_get(o, number);

	return b && address < b->hi ? number : 0;
}

uint32_t objects_block_beside(const struct objects *o, uint64_t address)
{
	uint32_t before, after;
	const struct memory_object *b, *a;

	if (!objects_in_heap(o, address))
		return 0;
	before = block_before(o, address);
	b = objects_get(o, before);
	if (b && !b->is_freed && !b->is_open && address >= b->hi &&
	    address < b->lo + allocated_room_of(b->hi - b->lo) + 8)
		return before;
	after = block_from(o, address + 1);
	a = objects_get(o, after);
	return a && !a->is_freed && address < a->lo && address >= a->lo - 8 ? after : 0;
}

void objects_free_block(struct objects *o, uint32_t number, const struct memory_point *gone)
{
	struct memory_object *b = objects_get(o, number);

	b->is_freed = true;
	b->gone = *gone;
}

void objects_renew(struct objects *o, uint64_t address, bool also_live)
{
	uint32_t number = objects_in_heap(o, address) ? block_before(o, address) : 0;
	const struct memory_object *b = objects_get(o, number);

	if (b && b->hi > address && !b->is_freed && !also_live)
		return;
	if (b && b->hi > address)
		forget_object(o, number);
	/* how large it is is not known: it may reach to the next block that is allocated */
	while ((number = block_from(o, address)) && objects_get(o, number)->is_freed)
		forget_object(o, number);
}

bool objects_in_heap(const struct objects *o, uint64_t address)
{
	return address + 16 >= o->lowest && address < o->highest;
}
