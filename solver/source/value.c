/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/value.h"

#include <string.h>

enum { LONGEST_STRING = 32, MOST_MEMBERS = 6, LARGEST_REFERRED = 4096 };

static bool read_byte(const struct image_frame *f, uint64_t address, uint8_t *byte)
{
	uint64_t v;

	if (!f || !f->read || !f->read(f->arg, address, 1, &v))
		return false;
	*byte = (uint8_t)v;
	return true;
}

static bool is_plain(uint8_t c)
{
	return (c >= ' ' && c < 127) || c == '\n' || c == '\t';
}

/* The string that a char pointer points to, if it is one. */
static char *string_text(const struct image_frame *f, uint64_t address)
{
	GString *s = g_string_new(NULL);
	g_autofree char *escaped = NULL;
	uint8_t c = 0;
	bool whole;

	while (s->len < LONGEST_STRING && read_byte(f, address + s->len, &c) && is_plain(c))
		g_string_append_c(s, (char)c);
	whole = read_byte(f, address + s->len, &c) && c == '\0';
	if (!whole && s->len < LONGEST_STRING) {
		g_string_free(s, TRUE);
		return NULL;
	}
	escaped = g_strescape(s->str, NULL);
	g_string_free(s, TRUE);
	return g_strdup_printf("\"%s%s\"", escaped, whole ? "" : "...");
}

static bool read_bytes(const struct image_frame *f, uint64_t address, uint64_t size, uint8_t *out)
{
	for (uint64_t i = 0; i < size; i++)
		if (!read_byte(f, address + i, &out[i]))
			return false;
	return true;
}

static bool is_base_class(const struct image_member *m)
{
	return !m->name && m->type && m->type->kind == IMAGE_TYPE_STRUCT;
}

/* "key 3", of the first plain member, which may be an inherited one. */
static char *telling_member(const struct image_frame *f, const struct image_type *t,
			    uint64_t address)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t at = address + m->bit_offset / 8;
		uint8_t bytes[8];
		g_autofree char *value = NULL;
		bool plain = m->name && m->type && !m->bit_size && m->type->size <= 8 &&
			     m->type->kind >= IMAGE_TYPE_BOOL && m->type->kind <= IMAGE_TYPE_ENUM;

		if (is_base_class(m)) {
			char *inherited = telling_member(f, m->type, at);

			if (inherited)
				return inherited;
		}
		if (!plain || !read_bytes(f, at, m->type->size, bytes))
			continue;
		value = image_format(m->type, bytes, m->type->size);
		return g_strdup_printf("%s %s", m->name, value);
	}
	return NULL;
}

/* A heap object has no name; a member tells a person which one it is. */
static char *object_text(const struct image_frame *f, const struct image_type *t, uint64_t address)
{
	g_autofree char *member = telling_member(f, t, address);

	return member ? g_strdup_printf("the %s with %s", t->name ? t->name : "object", member)
		      : NULL;
}

/* A reference is written as what it refers to. */
static char *referred_text(const struct image *im, const struct image_frame *f,
			   const struct image_type *t, uint64_t address)
{
	g_autofree uint8_t *bytes = NULL;

	if (!t || !t->size || t->size > LARGEST_REFERRED)
		return NULL;
	bytes = g_malloc0(MAX(t->size, sizeof(uint64_t)));
	return read_bytes(f, address, t->size, bytes) ? value_text(im, f, t, bytes, t->size) : NULL;
}

static char *address_of(const struct image *im, const struct image_frame *f,
			const struct image_type *target, uint64_t address)
{
	struct image_lvalue lv;
	char *text;

	if (!f || !image_name_object(im, f, address, target, &lv))
		return NULL;
	text = g_strdup_printf("&%s", lv.text);
	image_lvalue_clear(&lv);
	return text;
}

static char *pointer_text(const struct image *im, const struct image_frame *f,
			  const struct image_type *type, const uint8_t *bytes)
{
	const struct image_type *t = type->target;
	uint64_t address;
	char *text = NULL;

	memcpy(&address, bytes, sizeof(address));
	if (type->is_reference) {
		text = referred_text(im, f, t, address);
		return text ? text : image_format(type, bytes, sizeof(address));
	}
	if (address && t && t->kind == IMAGE_TYPE_CHAR)
		text = string_text(f, address);
	if (address && !text)
		text = address_of(im, f, t, address);
	if (address && !text && t && t->kind == IMAGE_TYPE_STRUCT)
		text = object_text(f, t, address);
	return text ? text : image_format(type, bytes, sizeof(address));
}

/* The bytes of a member or element; false when they are not all there. */
static bool part_bytes(const struct image_part *part, const uint8_t *bytes, size_t size,
		       uint8_t *out)
{
	unsigned first = part->at % 8, bits = (unsigned)part->bits;
	uint64_t value = 0;

	if (!part->type || !part->type->size || part->at + part->bits > 8 * size)
		return false;
	if (part->bits == 8 * part->type->size) {
		memcpy(out, bytes + part->at / 8, part->type->size);
		return true;
	}
	if (bits > 56 || part->type->size > sizeof(value))
		return false;
	memcpy(&value, bytes + part->at / 8, (first + bits + 7) / 8);
	value = value >> first & ((UINT64_C(1) << bits) - 1);
	if (part->type->is_signed && value >> (bits - 1) & 1)
		value |= ~UINT64_C(0) << bits;
	memcpy(out, &value, part->type->size);
	return true;
}

static struct image_part part_number(const struct image_type *type, uint64_t i)
{
	const struct image_member *m;

	if (type->kind == IMAGE_TYPE_ARRAY) {
		uint64_t bits = type->target ? 8 * type->target->size : 0;

		return (struct image_part){ type->target, i * bits, bits };
	}
	m = &type->members[i];
	return (struct image_part){ m->type, m->bit_offset,
				    m->bit_size ? m->bit_size
				    : m->type	? 8 * m->type->size
						: 0 };
}

static char *members_text(const struct image *im, const struct image_frame *f,
			  const struct image_type *type, const uint8_t *bytes, size_t size)
{
	GString *out = g_string_new("{");
	uint64_t n = type->kind == IMAGE_TYPE_ARRAY ? type->count : type->n_members;
	g_autofree uint8_t *own = g_malloc0(size + sizeof(uint64_t));

	for (uint64_t i = 0; i < n; i++) {
		struct image_part part = part_number(type, i);
		g_autofree char *value = NULL;

		if (i == MOST_MEMBERS || !part_bytes(&part, bytes, size, own)) {
			g_string_append(out, i ? ", ..." : "...");
			break;
		}
		value = value_text(im, f, part.type, own, part.type->size);
		g_string_append_printf(out, "%s%s", i ? ", " : "", value);
	}
	return g_string_free(g_string_append_c(out, '}'), FALSE);
}

char *value_text(const struct image *im, const struct image_frame *frame,
		 const struct image_type *type, const uint8_t *bytes, size_t size)
{
	if (!type)
		return image_format(type, bytes, size);
	switch (type->kind) {
	case IMAGE_TYPE_POINTER:
		return size == 8 ? pointer_text(im, frame, type, bytes)
				 : image_format(type, bytes, size);
	case IMAGE_TYPE_STRUCT:
	case IMAGE_TYPE_ARRAY:
		return members_text(im, frame, type, bytes, size);
	default:
		return image_format(type, bytes, size);
	}
}
