/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/spec/spec-types.h"

enum { MOST_POINTERS = 4096 };

struct spec_types {
	GHashTable *numbers; /* const struct image_type * → 1 + number */
	GPtrArray *list;
	GPtrArray *blocks; /* struct image_type: our own */
};

static void block_free(gpointer data)
{
	struct image_type *t = data;

	g_free((gpointer)t->members);
	g_free(t);
}

struct spec_types *spec_types_new(void)
{
	struct spec_types *t = g_new0(struct spec_types, 1);

	t->numbers = g_hash_table_new(NULL, NULL);
	t->list = g_ptr_array_new();
	t->blocks = g_ptr_array_new_with_free_func(block_free);
	return t;
}

void spec_types_free(struct spec_types *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->numbers);
	g_ptr_array_unref(t->list);
	g_ptr_array_unref(t->blocks);
	g_free(t);
}

unsigned spec_types_n(const struct spec_types *t)
{
	return t->list->len;
}

const struct image_type *spec_types_get(const struct spec_types *t, unsigned number)
{
	return number < t->list->len ? t->list->pdata[number] : NULL;
}

unsigned spec_types_number(struct spec_types *t, const struct image_type *type)
{
	gpointer known = g_hash_table_lookup(t->numbers, type);

	if (known)
		return GPOINTER_TO_UINT(known) - 1;
	g_ptr_array_add(t->list, (gpointer)type);
	g_hash_table_insert(t->numbers, (gpointer)type, GUINT_TO_POINTER(t->list->len));
	return t->list->len - 1;
}

bool spec_type_leads(const struct image_type *pointer)
{
	const struct image_type *t = pointer->target;

	return pointer->kind == IMAGE_TYPE_POINTER && t && t->size &&
	       t->kind != IMAGE_TYPE_FUNCTION && t->kind != IMAGE_TYPE_VOID;
}

/* Appends the pointers in a type as C text; n counts them. */
static void pointers_of(struct spec_types *all, const struct image_type *t, uint64_t at,
			GString *text, unsigned *n)
{
	if (*n >= MOST_POINTERS)
		return;
	if (spec_type_leads(t)) {
		g_string_append_printf(text, "{ %" G_GUINT64_FORMAT ", %u, 0 }, ", at,
				       spec_types_number(all, t->target));
		++*n;
	}
	for (uint32_t i = 0; t->kind == IMAGE_TYPE_STRUCT && i < t->n_members; i++)
		if (!t->members[i].bit_size && t->members[i].type)
			pointers_of(all, t->members[i].type, at + t->members[i].bit_offset / 8,
				    text, n);
	for (uint64_t i = 0;
	     t->kind == IMAGE_TYPE_ARRAY && t->target && i < t->count && *n < MOST_POINTERS; i++)
		pointers_of(all, t->target, at + i * t->target->size, text, n);
}

static bool is_number_type(const struct image_type *t)
{
	return (t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_BOOL ||
		t->kind == IMAGE_TYPE_ENUM || t->kind == IMAGE_TYPE_CHAR) &&
	       t->size <= sizeof(uint64_t);
}

/* Likewise the numbers in it. */
static void numbers_of(const struct image_type *t, uint64_t at, GString *text, unsigned *n)
{
	if (*n >= MOST_POINTERS)
		return;
	if (is_number_type(t)) {
		g_string_append_printf(text, "{ %" G_GUINT64_FORMAT ", %u }, ", at,
				       (unsigned)t->size);
		++*n;
	}
	for (uint32_t i = 0; t->kind == IMAGE_TYPE_STRUCT && i < t->n_members; i++)
		if (!t->members[i].bit_size && t->members[i].type)
			numbers_of(t->members[i].type, at + t->members[i].bit_offset / 8, text, n);
	for (uint64_t i = 0;
	     t->kind == IMAGE_TYPE_ARRAY && t->target && i < t->count && *n < MOST_POINTERS; i++)
		numbers_of(t->target, at + i * t->target->size, text, n);
}

/* A row of the table, and what it points to. */
static void write_type(unsigned number, const struct image_type *t, const GString *pointers,
		       unsigned n, const GString *numbers, unsigned n_numbers, GString *code,
		       GString *table)
{
	g_string_append_printf(
		code,
		"static const struct why_pointer why_pointers_%u[] = { %s{ 0, 0, 0 } };\n"
		"static const struct why_scalar why_scalars_%u[] = { %s{ 0, 0 } };\n",
		number, pointers->str, number, numbers->str);
	g_string_append_printf(table,
			       "\t{ %" G_GUINT64_FORMAT
			       ", %u, %d, why_pointers_%u, %u, why_scalars_%u },\n",
			       t->size, n, t->kind == IMAGE_TYPE_CHAR, number, n_numbers, number);
}

void spec_types_write(struct spec_types *all, GString *code)
{
	GString *table = g_string_new("static const struct why_type why_types[] = {\n");

	for (guint i = 0; i < all->list->len; i++) { /* it grows */
		const struct image_type *t = all->list->pdata[i];
		GString *pointers = g_string_new(NULL), *numbers = g_string_new(NULL);
		unsigned n = 0, n_numbers = 0;

		pointers_of(all, t, 0, pointers, &n);
		numbers_of(t, 0, numbers, &n_numbers);
		write_type(i, t, pointers, n, numbers, n_numbers, code, table);
		g_string_free(pointers, TRUE);
		g_string_free(numbers, TRUE);
	}
	g_string_append_printf(code, "%s\t{ 0 } };\n", table->str);
	g_string_free(table, TRUE);
}

/* ---- blocks of parameters ---- */

unsigned spec_types_block(struct spec_types *all, const struct image_member *parameters, unsigned n)
{
	struct image_type *t = g_new0(struct image_type, 1);
	struct image_member *members = g_new0(struct image_member, n);
	uint64_t at = 0;

	for (unsigned i = 0; i < n; i++) {
		members[i] = parameters[i];
		members[i].bit_offset = at * 8;
		at += (MAX(parameters[i].type->size, 1) + WHY_BLOCK_ALIGN - 1) / WHY_BLOCK_ALIGN *
		      WHY_BLOCK_ALIGN;
	}
	t->kind = IMAGE_TYPE_STRUCT;
	t->size = at;
	t->n_members = n;
	t->members = members;
	g_ptr_array_add(all->blocks, t);
	return spec_types_number(all, t);
}
