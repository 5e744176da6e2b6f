/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types, enumerators and names of variables, of the whole image. */
#include "solver/image/variable/types.h"
#include "solver/image/variable/variable.h"

#include <dwarf.h>

static void add_type(struct image_types *t, Dwarf_Die *die, const char *keyword)
{
	const char *name = dwarf_diename(die);
	g_autofree char *key = name ? g_strdup_printf("%s%s", keyword, name) : NULL;

	/* a declaration without its members would hide the type */
	if (key && !dwarf_hasattr(die, DW_AT_declaration) &&
	    !g_hash_table_contains(t->by_name, key))
		g_hash_table_insert(t->by_name, g_steal_pointer(&key),
				    g_memdup2(die, sizeof(*die)));
}

static void add_enumerators(struct image_types *t, Dwarf_Die *die)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		const char *name = dwarf_diename(&child);

		if (name && dwarf_tag(&child) == DW_TAG_enumerator)
			g_hash_table_insert(t->by_enumerator, (gpointer)name,
					    g_memdup2(die, sizeof(*die)));
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void add_variable(struct image_types *t, Dwarf_Die *die, const char *function)
{
	const char *name = dwarf_diename(die);
	struct image_named_variable *v = name ? g_hash_table_lookup(t->variable_names, name) : NULL;
	int line = 0;

	if (v)
		v->has_others = true;
	if (!name || v)
		return;
	v = g_new0(struct image_named_variable, 1);
	v->function = function;
	v->file = dwarf_decl_file(die);
	if (v->file && dwarf_decl_line(die, &line) == 0 && line > 0)
		v->line = (unsigned)line;
	g_hash_table_insert(t->variable_names, (gpointer)name, v);
}

/* function: the one around the scope; NULL = there is none. */
static void add_named_types(struct image_types *t, Dwarf_Die *scope, const char *function,
			    unsigned depth)
{
	Dwarf_Die child;

	if (depth > 8 || dwarf_child(scope, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_typedef:
			add_type(t, &child, "");
			break;
		case DW_TAG_structure_type:
			add_type(t, &child, "struct ");
			break;
		case DW_TAG_union_type:
			add_type(t, &child, "union ");
			break;
		case DW_TAG_enumeration_type:
			add_type(t, &child, "enum ");
			add_enumerators(t, &child);
			break;
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			add_variable(t, &child, function);
			break;
		case DW_TAG_subprogram:
			add_named_types(t, &child, dwarf_diename(&child), depth + 1);
			break;
		case DW_TAG_lexical_block:
			add_named_types(t, &child, function, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

static struct image_types *named_types_of(struct image *im)
{
	struct image_types *t = image_types_of(im);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (t->by_name)
		return t;
	t->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	t->by_enumerator = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	t->variable_names = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	while (dwarf_get_units(im->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		add_named_types(t, &unit, NULL, 0);
	return t;
}

const struct image_type *image_type_named(const struct image *im_const, const char *name)
{
	struct image *im = (struct image *)im_const; /* the tables are made on demand */
	Dwarf_Die *die = g_hash_table_lookup(named_types_of(im)->by_name, name);

	return die ? image_type_of_die(im, die) : NULL;
}

const struct image_type *image_enumerator_named(const struct image *im_const, const char *name,
						int64_t *value)
{
	struct image *im = (struct image *)im_const; /* the tables are made on demand */
	Dwarf_Die *die = g_hash_table_lookup(named_types_of(im)->by_enumerator, name);
	const struct image_type *t = die ? image_type_of_die(im, die) : NULL;

	for (uint32_t i = 0; t && i < t->n_enumerators; i++)
		if (g_str_equal(t->enumerators[i].name, name)) {
			*value = t->enumerators[i].value;
			return t;
		}
	return NULL;
}

const struct image_named_variable *image_variable_named(const struct image *im, const char *name)
{
	/* the tables are made on demand */
	return g_hash_table_lookup(named_types_of((struct image *)im)->variable_names, name);
}

const struct image_type *image_pointer_to(const struct image *im_const,
					  const struct image_type *target)
{
	struct image_types *t = image_types_of((struct image *)im_const); /* made on demand */
	struct image_type *p;

	if (!t->pointers)
		t->pointers = g_hash_table_new(NULL, NULL);
	p = g_hash_table_lookup(t->pointers, target);
	if (p)
		return p;
	p = g_new0(struct image_type, 1);
	p->kind = IMAGE_TYPE_POINTER;
	p->size = 8;
	p->target = target && target->kind != IMAGE_TYPE_VOID ? target : NULL;
	g_ptr_array_add(t->all, p);
	g_hash_table_insert(t->pointers, (gpointer)target, p);
	return p;
}
