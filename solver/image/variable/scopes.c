/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/variable/scopes.h"

#include <dwarf.h>

static struct scope *new_scope(Dwarf_Die *die)
{
	struct scope *s = g_new0(struct scope, 1);
	Dwarf_Addr base, lo, hi;

	s->die = *die;
	s->is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	s->ranges = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0;) {
		const uint64_t range[] = { lo, hi };

		g_array_append_vals(s->ranges, range, G_N_ELEMENTS(range));
	}
	if (dwarf_lowpc(die, &lo) == 0 && dwarf_highpc(die, &hi) == 0) {
		s->is_one_piece = true;
		s->lo = lo;
		s->hi = hi;
	}
	return s;
}

void scope_free(gpointer scope)
{
	struct scope *s = scope;

	g_array_unref(s->ranges);
	g_clear_pointer(&s->inner, g_ptr_array_unref);
	g_clear_pointer(&s->variables, g_ptr_array_unref);
	g_free(s);
}

struct scope *scope_of_function(struct image *im, const struct image_function *f)
{
	struct image_types *t = image_types_of(im);
	struct scope *s = f ? g_hash_table_lookup(t->scopes, GUINT_TO_POINTER(f->id)) : NULL;
	Dwarf_Die die;

	if (s || !f ||
	    !dwarf_offdie(im->dwarf, g_array_index(im->function_dies, Dwarf_Off, f->id), &die))
		return s;
	s = new_scope(&die);
	g_hash_table_insert(t->scopes, GUINT_TO_POINTER(f->id), s);
	return s;
}

static void find_inner(struct scope *scope)
{
	Dwarf_Die inner;

	scope->inner = g_ptr_array_new_with_free_func(scope_free);
	if (dwarf_child(&scope->die, &inner) != 0)
		return;
	do {
		const int tag = dwarf_tag(&inner);

		if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
			g_ptr_array_add(scope->inner, new_scope(&inner));
	} while (dwarf_siblingof(&inner, &inner) == 0);
}

static bool scope_has(const struct scope *scope, uint64_t addr)
{
	for (guint i = 0; i < scope->ranges->len; i += 2)
		if (addr >= g_array_index(scope->ranges, uint64_t, i) &&
		    addr < g_array_index(scope->ranges, uint64_t, i + 1))
			return true;
	return false;
}

struct scope *scope_entered(struct scope *scope, uint64_t addr)
{
	if (!scope->inner)
		find_inner(scope);
	for (guint i = 0; i < scope->inner->len; i++)
		if (scope_has(scope->inner->pdata[i], addr))
			return scope->inner->pdata[i];
	return NULL;
}

bool scope_begins_at(const struct scope *scope, uint64_t addr)
{
	return scope->ranges->len && g_array_index(scope->ranges, uint64_t, 0) == addr;
}
