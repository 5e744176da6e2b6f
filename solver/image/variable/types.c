/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types from DWARF, made when asked for, once for each DIE. */
#include "solver/image/variable/types.h"
#include "solver/image/variable/scopes.h"

#include <dwarf.h>
#include <string.h>

static void free_type(gpointer p)
{
	struct image_type *t = p;

	g_free((gpointer)t->members);
	g_free((gpointer)t->enumerators);
	g_free(t);
}

struct image_types *image_types_of(struct image *im)
{
	if (!im->types) {
		im->types = g_new0(struct image_types, 1);
		im->types->by_die = g_hash_table_new_full(NULL, NULL, NULL, NULL);
		im->types->all = g_ptr_array_new_with_free_func(free_type);
		im->types->variables = g_ptr_array_new_with_free_func(g_free);
		im->types->variable_by_die = g_hash_table_new(NULL, NULL);
		im->types->file_scopes = g_hash_table_new_full(
			NULL, NULL, NULL, (GDestroyNotify)(void *)g_ptr_array_unref);
		im->types->scopes = g_hash_table_new_full(NULL, NULL, NULL, scope_free);
	}
	return im->types;
}

void image_types_free(struct image_types *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->by_die);
	g_ptr_array_free(t->all, TRUE);
	g_ptr_array_free(t->variables, TRUE);
	g_hash_table_destroy(t->variable_by_die);
	g_hash_table_destroy(t->file_scopes);
	g_hash_table_destroy(t->scopes);
	g_clear_pointer(&t->globals, g_ptr_array_unref);
	g_clear_pointer(&t->visible, g_ptr_array_unref);
	g_clear_pointer(&t->by_name, g_hash_table_destroy);
	g_clear_pointer(&t->by_enumerator, g_hash_table_destroy);
	g_clear_pointer(&t->variable_names, g_hash_table_destroy);
	g_clear_pointer(&t->pointers, g_hash_table_destroy);
	g_free(t);
}

static bool number_of_attribute(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word w;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &w) != 0)
		return false;
	*value = w;
	return true;
}

static const struct image_type *target_of(struct image *im, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die target;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &target))
		return NULL;
	return image_type_of_die(im, &target);
}

static void fill_base(struct image_type *t, Dwarf_Die *die)
{
	uint64_t encoding = 0;

	number_of_attribute(die, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		t->kind = IMAGE_TYPE_BOOL;
		break;
	case DW_ATE_float:
		t->kind = IMAGE_TYPE_FLOAT;
		break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		t->kind = IMAGE_TYPE_CHAR;
		break;
	default:
		t->kind = IMAGE_TYPE_INT;
		break;
	}
	t->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static void declare_member(struct image *im, Dwarf_Die *die, struct image_member *m)
{
	Dwarf_Die cu;
	int line = 0;

	if (!dwarf_diecu(die, &cu, NULL, NULL) || dwarf_decl_line(die, &line) != 0 || line <= 0)
		return;
	m->line = (unsigned)line;
	m->file = image_file_name(im, &cu, dwarf_decl_file(die));
}

static void fill_member(struct image *im, Dwarf_Die *die, struct image_member *m)
{
	uint64_t bytes = 0, bits = 0, value;

	m->name = dwarf_diename(die);
	m->type = target_of(im, die);
	declare_member(im, die, m);
	number_of_attribute(die, DW_AT_data_member_location, &bytes);
	m->bit_offset = 8 * bytes;
	if (!number_of_attribute(die, DW_AT_bit_size, &bits))
		return;
	m->bit_size = (uint32_t)bits;
	if (number_of_attribute(die, DW_AT_data_bit_offset, &value))
		m->bit_offset = value;
	else if (m->type && number_of_attribute(die, DW_AT_bit_offset, &value))
		m->bit_offset += 8 * m->type->size - value - bits;
}

/* Does an object of the class hold anything, itself or by its bases? */
static bool has_contents(Dwarf_Die *die)
{
	Dwarf_Die child, base, peeled;
	Dwarf_Attribute attr;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_member)
			return true;
		if (dwarf_tag(&child) == DW_TAG_inheritance &&
		    dwarf_attr_integrate(&child, DW_AT_type, &attr) &&
		    dwarf_formref_die(&attr, &base) && dwarf_peel_type(&base, &peeled) == 0 &&
		    has_contents(&peeled))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* What lies in each object at a place that is the same for all: not a static member, not a
 * virtual base.  An empty base shares its place with other members. */
static bool is_part_of_object(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die base, peeled;

	if (dwarf_tag(die) == DW_TAG_member)
		return !dwarf_hasattr(die, DW_AT_external);
	return dwarf_tag(die) == DW_TAG_inheritance && !dwarf_hasattr(die, DW_AT_virtuality) &&
	       dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &base) &&
	       dwarf_peel_type(&base, &peeled) == 0 && has_contents(&peeled);
}

/* A base class is a member without a name, as an anonymous struct is. */
static void fill_members(struct image *im, struct image_type *t, Dwarf_Die *die)
{
	g_autoptr(GArray) members = g_array_new(FALSE, TRUE, sizeof(struct image_member));
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		struct image_member m = { 0 };

		if (!is_part_of_object(&child))
			continue;
		fill_member(im, &child, &m);
		g_array_append_val(members, m);
	} while (dwarf_siblingof(&child, &child) == 0);
	t->n_members = members->len;
	t->members = g_memdup2(members->data, members->len * sizeof(struct image_member));
}

static void fill_arguments(struct image *im, struct image_type *t, Dwarf_Die *die)
{
	Dwarf_Die child;
	unsigned n = 0;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
			t->arguments[n++] = target_of(im, &child);
	} while (n < G_N_ELEMENTS(t->arguments) && dwarf_siblingof(&child, &child) == 0);
}

static void fill_enumerators(struct image_type *t, Dwarf_Die *die)
{
	g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(struct image_enumerator));
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		struct image_enumerator e = { dwarf_diename(&child), 0 };
		Dwarf_Attribute attr;
		Dwarf_Sword value;

		if (!dwarf_attr(&child, DW_AT_const_value, &attr) ||
		    dwarf_formsdata(&attr, &value) != 0)
			continue;
		e.value = value;
		t->is_signed |= value < 0;
		g_array_append_val(all, e);
	} while (dwarf_siblingof(&child, &child) == 0);
	t->n_enumerators = all->len;
	t->enumerators = g_memdup2(all->data, all->len * sizeof(struct image_enumerator));
}

/* Elements of each dimension; the first one is the outermost. */
static void fill_array(struct image *im, struct image_type *t, Dwarf_Die *die)
{
	uint64_t counts[8];
	unsigned n = 0;
	Dwarf_Die child;

	t->target = target_of(im, die);
	if (dwarf_child(die, &child) == 0)
		do {
			uint64_t v = 0;

			if (dwarf_tag(&child) != DW_TAG_subrange_type || n == 8)
				continue;
			if (!number_of_attribute(&child, DW_AT_count, &v) &&
			    number_of_attribute(&child, DW_AT_upper_bound, &v))
				v++;
			counts[n++] = v;
		} while (dwarf_siblingof(&child, &child) == 0);
	for (unsigned i = n; i > 1; i--) {
		struct image_type *row = g_new0(struct image_type, 1);

		row->kind = IMAGE_TYPE_ARRAY;
		row->target = t->target;
		row->count = counts[i - 1];
		row->size = t->target ? t->target->size * row->count : 0;
		g_ptr_array_add(im->types->all, row);
		t->target = row;
	}
	t->count = n ? counts[0] : 0;
	t->size = t->target ? t->target->size * t->count : 0;
}

static void fill_type(struct image *im, struct image_type *t, Dwarf_Die *die)
{
	uint64_t convention = 0;

	t->name = dwarf_diename(die);
	number_of_attribute(die, DW_AT_byte_size, &t->size);
	number_of_attribute(die, DW_AT_calling_convention, &convention);
	t->by_reference = convention == DW_CC_pass_by_reference;
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		fill_base(t, die);
		break;
	case DW_TAG_enumeration_type:
		t->kind = IMAGE_TYPE_ENUM;
		fill_enumerators(t, die);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		t->is_reference = dwarf_tag(die) != DW_TAG_pointer_type;
		t->kind = IMAGE_TYPE_POINTER;
		t->size = 8;
		t->target = target_of(im, die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		t->kind = IMAGE_TYPE_STRUCT;
		fill_members(im, t, die);
		fill_arguments(im, t, die);
		break;
	case DW_TAG_union_type:
		t->kind = IMAGE_TYPE_UNION;
		fill_members(im, t, die);
		break;
	case DW_TAG_array_type:
		t->kind = IMAGE_TYPE_ARRAY;
		fill_array(im, t, die);
		break;
	case DW_TAG_subroutine_type:
		t->kind = IMAGE_TYPE_FUNCTION;
		break;
	default:
		t->kind = IMAGE_TYPE_VOID;
		break;
	}
}

const struct image_type *image_type_of_die(struct image *im, Dwarf_Die *die)
{
	struct image_types *types = image_types_of(im);
	Dwarf_Die peeled;
	struct image_type *t;

	if (dwarf_peel_type(die, &peeled) != 0)
		return NULL;
	t = g_hash_table_lookup(types->by_die, peeled.addr);
	if (t)
		return t;
	t = g_new0(struct image_type, 1);
	/* known before it is filled: a struct may point to itself */
	g_ptr_array_add(types->all, t);
	g_hash_table_insert(types->by_die, peeled.addr, t);
	fill_type(im, t, &peeled);
	return t;
}

const struct image_type *image_return_type(const struct image *im_const,
					   const struct image_function *f)
{
	struct image *im = (struct image *)im_const; /* types are made on demand */
	Dwarf_Die die;

	if (!dwarf_offdie(im->dwarf, g_array_index(im->function_dies, Dwarf_Off, f->id), &die))
		return NULL;
	return target_of(im, &die);
}

bool image_type_is_aggregate(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_ARRAY || t->kind == IMAGE_TYPE_STRUCT ||
	       t->kind == IMAGE_TYPE_UNION;
}

bool image_result_in_memory(const struct image_type *t)
{
	enum { IN_REGISTERS = 16 }; /* bytes at most */

	return t && image_type_is_aggregate(t) && (t->by_reference || t->size > IN_REGISTERS);
}

bool image_member_is_hidden(const struct image_member *m)
{
	return m->name && g_str_has_prefix(m->name, "_vptr");
}

static bool is_member_named_at(const struct image_member *m, uint64_t offset, uint64_t size)
{
	uint64_t first = m->bit_offset / 8, end = first + (m->type ? m->type->size : 0);

	if (m->bit_size)
		end = (m->bit_offset + m->bit_size + 7) / 8;
	if (!m->type || image_member_is_hidden(m))
		return false;
	/* a flexible array has no size */
	if (!m->type->size)
		return m->type->kind == IMAGE_TYPE_ARRAY && offset + size > first;
	if (offset >= end || offset + size <= first)
		return false;
	if (m->bit_size)
		return true;
	return image_type_is_named_at(m->type, offset > first ? offset - first : 0,
				      MIN(offset + size, end) - MAX(offset, first));
}

bool image_type_is_named_at(const struct image_type *t, uint64_t offset, uint64_t size)
{
	uint64_t one;

	if (t->kind == IMAGE_TYPE_ARRAY && t->target && t->target->size) {
		one = t->target->size;
		/* the rest of one element, and then what lies in others */
		return offset % one + size > one
			       ? image_type_is_named_at(t->target, offset % one,
							one - offset % one) ||
					 image_type_is_named_at(t, 0, size - one + offset % one)
			       : image_type_is_named_at(t->target, offset % one, size);
	}
	if ((t->kind != IMAGE_TYPE_STRUCT && t->kind != IMAGE_TYPE_UNION) || !t->n_members)
		return true;
	for (uint32_t i = 0; i < t->n_members; i++)
		if (is_member_named_at(&t->members[i], offset, size))
			return true;
	return false;
}
