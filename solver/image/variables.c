/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables: which are visible where, and where they are. */
#include "solver/image/location.h"
#include "solver/image/types.h"

#include <dwarf.h>
#include <stdlib.h>

static uint64_t fixed_address(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1 || ops[0].atom != DW_OP_addr)
		return 0;
	return ops[0].number;
}

static struct image_variable *variable_of_die(struct image *im, Dwarf_Die *die)
{
	struct image_types *t = image_types_of(im);
	struct image_variable *v = g_hash_table_lookup(t->variable_by_die, die->addr);
	Dwarf_Attribute attr;
	Dwarf_Die type;
	int line;

	if (v)
		return v;
	if (!dwarf_diename(die) || !dwarf_attr_integrate(die, DW_AT_type, &attr) ||
	    !dwarf_formref_die(&attr, &type))
		return NULL;
	v = g_new0(struct image_variable, 1);
	v->id = t->variables->len;
	v->name = dwarf_diename(die);
	v->type = image_type_of_die(im, &type);
	v->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	v->address = fixed_address(die);
	v->die = die->addr;
	g_ptr_array_add(t->variables, v);
	g_hash_table_insert(t->variable_by_die, die->addr, v);
	return v;
}

static void add_children(struct image *im, Dwarf_Die *scope, const struct image_function *f,
			 GPtrArray *out)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		struct image_variable *v;

		if (dwarf_tag(&child) != DW_TAG_variable &&
		    dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		v = variable_of_die(im, &child);
		if (!v)
			continue;
		if (f && !v->address) {
			v->function = f;
			dwarf_lowpc(scope, &v->scope_lo);
			dwarf_highpc(scope, &v->scope_hi);
		}
		g_ptr_array_add(out, v);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static bool unit_of(const struct image *im, uint64_t addr, Dwarf_Die *unit)
{
	const struct image_function *f = image_function_at(im, addr);
	Dwarf_Die die;

	return f &&
	       dwarf_offdie(im->dwarf, g_array_index(im->function_dies, Dwarf_Off, f->id), &die) &&
	       dwarf_diecu(&die, unit, NULL, NULL);
}

size_t image_variables_at(const struct image *im_const, uint64_t addr,
			  const struct image_variable *const **out)
{
	struct image *im = (struct image *)im_const; /* the cache grows */
	struct image_types *t = image_types_of(im);
	Dwarf_Die unit, *scopes = NULL;
	int n = unit_of(im, addr, &unit) ? dwarf_getscopes(&unit, addr, &scopes) : 0;

	g_clear_pointer(&t->visible, g_ptr_array_unref);
	t->visible = g_ptr_array_new();
	for (int i = 0; i < n; i++)
		add_children(im, &scopes[i], i + 1 < n ? image_function_at(im, addr) : NULL,
			     t->visible);
	free(scopes);
	*out = (const struct image_variable *const *)(void *)t->visible->pdata;
	return t->visible->len;
}

static gint by_address(gconstpointer a, gconstpointer b)
{
	const struct image_variable *x = *(const struct image_variable *const *)a;
	const struct image_variable *y = *(const struct image_variable *const *)b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Static locals stand inside of functions and their blocks. */
static void collect_fixed(struct image *im, Dwarf_Die *scope, unsigned depth, GPtrArray *out)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(scope, &child) != 0)
		return;
	do {
		struct image_variable *v;

		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
			v = fixed_address(&child) ? variable_of_die(im, &child) : NULL;
			if (v)
				g_ptr_array_add(out, v);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
			collect_fixed(im, &child, depth + 1, out);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

size_t image_globals(const struct image *im_const, const struct image_variable *const **out)
{
	struct image *im = (struct image *)im_const; /* the cache grows */
	struct image_types *t = image_types_of(im);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!t->globals) {
		t->globals = g_ptr_array_new();
		while (dwarf_get_units(im->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
			collect_fixed(im, &unit, 0, t->globals);
		g_ptr_array_sort(t->globals, by_address);
	}
	*out = (const struct image_variable *const *)(void *)t->globals->pdata;
	return t->globals->len;
}

static bool frame_base_of(const struct image *im, uint64_t pc, Dwarf_Attribute *attr)
{
	const struct image_function *f = image_function_at(im, pc);
	Dwarf_Die die;

	return f &&
	       dwarf_offdie(im->dwarf, g_array_index(im->function_dies, Dwarf_Off, f->id), &die) &&
	       dwarf_attr_integrate(&die, DW_AT_frame_base, attr);
}

struct image_place image_locate(const struct image *im, const struct image_variable *v,
				const struct image_frame *frame)
{
	struct image_place unknown = { 0 };
	Dwarf_Attribute location, base;
	Dwarf_Die unit, die;
	Dwarf_Op *ops;
	size_t n;
	bool has_base = frame_base_of(im, frame->pc, &base);

	if (v->address) {
		struct image_place fixed = { .kind = IMAGE_PLACE_MEMORY,
					     .address = v->address + frame->bias };

		return fixed;
	}
	if (!unit_of(im, frame->pc, &unit))
		return unknown;
	die = (Dwarf_Die){ .addr = (void *)v->die, .cu = unit.cu };
	if (!dwarf_attr_integrate(&die, DW_AT_location, &location) ||
	    dwarf_getlocation_addr(&location, frame->pc, &ops, &n, 1) != 1)
		return unknown;
	return location_evaluate(im, frame, has_base ? &base : NULL, ops, n);
}
