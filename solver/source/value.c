/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/value.h"
#include "solver/source/value-private.h"

#include <string.h>

/* Objects refer to each other in circles, so what is written ends at some depth. */
enum { DEEPEST = 4 };

/* ---- memory ---- */

static bool read_value_byte(struct value_reader *r, uint64_t address, uint8_t *byte)
{
	uint64_t v;

	if (r->bytes && address - r->base < r->size) {
		*byte = r->bytes[address - r->base];
	} else {
		if (!r->frame || !r->frame->read || !r->frame->read(r->frame->arg, address, 1, &v))
			return false;
		*byte = (uint8_t)v;
	}
	return true;
}

bool value_read(struct value_reader *r, uint64_t address, uint64_t size, void *out)
{
	for (uint64_t i = 0; i < size; i++)
		if (!read_value_byte(r, address + i, (uint8_t *)out + i))
			return false;
	r->known |= size > 0;
	return true;
}

/* ---- strings ---- */

static bool is_plain_in_string(uint8_t c)
{
	return (c >= ' ' && c < 127) || c == '\n' || c == '\t';
}

static char *quoted_text(GString *s, bool whole)
{
	g_autofree char *escaped = g_strescape(s->str, NULL);

	g_string_free(s, TRUE);
	return g_strdup_printf("\"%s%s\"", escaped, whole ? "" : "...");
}

char *value_quoted(const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++)
		if (!is_plain_in_string((uint8_t)text[i]))
			return NULL;
	return quoted_text(g_string_new_len(text, (gssize)MIN(length, LONGEST_STRING)),
			   length <= LONGEST_STRING);
}

/* The string that a char pointer points to, if it is one; most: bytes that there are at most. */
static char *string_text(struct value_reader *r, uint64_t address, uint64_t most)
{
	GString *s = g_string_new(NULL);
	uint8_t c = 1;

	while (s->len < MIN(LONGEST_STRING, most) && value_read(r, address + s->len, 1, &c) &&
	       is_plain_in_string(c))
		g_string_append_c(s, (char)c);
	if (s->len == LONGEST_STRING && most > LONGEST_STRING &&
	    !(read_value_byte(r, address + s->len, &c) && c == '\0'))
		return quoted_text(s, false);
	if (c == '\0' || s->len == most)
		return quoted_text(s, true);
	g_string_free(s, TRUE);
	return NULL;
}

char *value_string(struct value_reader *r, uint64_t address, uint64_t length)
{
	char text[LONGEST_STRING];
	uint64_t n = MIN(length, sizeof(text));

	if (!value_read(r, address, n, text))
		return NULL;
	for (uint64_t i = 0; i < n; i++)
		if (!is_plain_in_string((uint8_t)text[i]))
			return NULL;
	return quoted_text(g_string_new_len(text, (gssize)n), length <= sizeof(text));
}

/* ---- pointers ---- */

static bool is_base_class(const struct image_member *m)
{
	return !m->name && m->type && m->type->kind == IMAGE_TYPE_STRUCT;
}

/* A short string in a member that is an array of characters or points to one; NULL: it is none. */
static char *telling_string(struct value_reader *r, const struct image_type *t, uint64_t address)
{
	const bool points = t->kind == IMAGE_TYPE_POINTER;
	uint64_t most = t->count;
	g_autofree char *text = NULL;

	if ((!points && t->kind != IMAGE_TYPE_ARRAY) || !t->target ||
	    t->target->kind != IMAGE_TYPE_CHAR)
		return NULL;
	if (points) {
		if (!value_read(r, address, sizeof address, &address) || !address)
			return NULL;
		most = LONGEST_STRING;
	}
	text = string_text(r, address, most);
	return text && strcmp(text, "\"\"") != 0 && !g_str_has_suffix(text, "...\"")
		       ? g_steal_pointer(&text)
		       : NULL;
}

/* "key 3", of the first plain member or string, which may be an inherited one. */
static char *telling_member(struct value_reader *r, const struct image_type *t, uint64_t address)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t at = address + m->bit_offset / 8;
		uint8_t bytes[8];
		g_autofree char *value = NULL;
		bool plain = m->name && m->type && !m->bit_size && m->type->size <= 8 &&
			     m->type->kind >= IMAGE_TYPE_BOOL && m->type->kind <= IMAGE_TYPE_ENUM;

		if (is_base_class(m)) {
			char *inherited = telling_member(r, m->type, at);

			if (inherited)
				return inherited;
		}
		value = m->name && m->type ? telling_string(r, m->type, at) : NULL;
		if (value)
			return g_strdup_printf("%s %s", m->name, value);
		if (!plain || !value_read(r, at, m->type->size, bytes))
			continue;
		value = image_format(m->type, bytes, m->type->size);
		return g_strdup_printf("%s %s", m->name, value);
	}
	return NULL;
}

/* A heap object has no name; a member tells a person which one it is. */
static char *pointed_text(struct value_reader *r, const struct image_type *t, uint64_t address)
{
	g_autofree char *member = telling_member(r, t, address);

	return member ? g_strdup_printf("the %s with %s", t->name ? t->name : "object", member)
		      : NULL;
}

/* "4 bytes into acc" where nothing that has a name begins. */
static char *inside_of(const struct image_lvalue *lv, uint64_t address)
{
	uint64_t bytes = address - lv->part;

	return g_strdup_printf("%" G_GUINT64_FORMAT " byte%s into %s", bytes, bytes == 1 ? "" : "s",
			       lv->text);
}

static char *text_of_address(struct value_reader *r, const struct image_type *target,
			     uint64_t address)
{
	struct image_lvalue lv;
	char *text;

	if (!r->frame || !image_name_object(r->im, r->frame, address, target, &lv))
		return NULL;
	text = lv.part == address ? g_strdup_printf("&%s", lv.text) : inside_of(&lv, address);
	image_lvalue_clear(&lv);
	return text;
}

/* "&l->head", of a part of an object that the variable points to; NULL = the address is in none. */
static char *part_behind(struct value_reader *r, const struct image_variable *v,
			 const struct image_type *target, uint64_t address)
{
	const struct image_type *t =
		v->type && v->type->kind == IMAGE_TYPE_POINTER && !v->type->is_reference
			? v->type->target
			: NULL;
	struct image_place p;
	struct image_part part;
	uint64_t object;
	g_autoptr(GString) text = NULL;

	if (!t || t == target || t->kind != IMAGE_TYPE_STRUCT)
		return NULL;
	p = image_locate(r->im, v, r->frame);
	if (p.kind != IMAGE_PLACE_MEMORY || !value_read(r, p.address, sizeof(object), &object) ||
	    address < object || address - object >= t->size)
		return NULL;
	text = g_string_new(NULL);
	image_part_of_type(t, 8 * (address - object), 8 * target->size, target, text, &part);
	return part.type == target && object + part.at / 8 == address
		       ? g_strdup_printf("&%s->%s", v->name, text->str + 1)
		       : NULL;
}

/* The same of any variable in sight. */
static char *text_behind_pointers(struct value_reader *r, const struct image_type *target,
				  uint64_t address)
{
	const struct image_variable *const *v;
	size_t n = r->frame && target && target->size ? image_variables_at(r->im, r->frame->pc, &v)
						      : 0;
	char *text = NULL;

	for (size_t i = 0; i < n && !text; i++)
		text = part_behind(r, v[i], target, address);
	return text;
}

/* A reference is written as what it refers to; inside an object, only when that is plain. */
static char *referred_text(struct value_reader *r, const struct image_type *t, uint64_t address)
{
	g_autofree char *text = NULL;

	if (!t || !t->size)
		return NULL;
	if (r->depth && image_type_is_aggregate(t))
		return g_strdup("{...}");
	text = value_inner(r, t, address);
	return r->known ? g_steal_pointer(&text) : NULL;
}

static char *pointer_text(struct value_reader *r, const struct image_type *type,
			  const uint8_t *bytes)
{
	const struct image_type *t = type->target;
	uint64_t address;
	char *text = NULL;

	memcpy(&address, bytes, sizeof(address));
	if (type->is_reference) {
		text = referred_text(r, t, address);
		return text ? text : image_format(type, bytes, sizeof(address));
	}
	if (address && t && t->kind == IMAGE_TYPE_CHAR)
		text = string_text(r, address, UINT64_MAX);
	if (address && !text)
		text = text_of_address(r, t, address);
	if (address && !text && t && t->kind == IMAGE_TYPE_STRUCT)
		text = pointed_text(r, t, address);
	if (address && !text)
		text = text_behind_pointers(r, t, address);
	return text ? text : image_format(type, bytes, sizeof(address));
}

static char *scalar_text(struct value_reader *r, const struct image_type *type,
			 const uint8_t *bytes, size_t size)
{
	return type->kind == IMAGE_TYPE_POINTER && size == 8 ? pointer_text(r, type, bytes)
							     : image_format(type, bytes, size);
}

/* ---- parts ---- */

static char *bit_field_text(struct value_reader *r, const struct image_member *m, uint64_t address)
{
	unsigned first = (unsigned)(m->bit_offset % 8), bits = m->bit_size;
	uint64_t value = 0;

	if (bits > 56 || m->type->size > sizeof(value) ||
	    !value_read(r, address + m->bit_offset / 8, (first + bits + 7) / 8, &value))
		return g_strdup("?");
	value = value >> first & ((UINT64_C(1) << bits) - 1);
	if (m->type->is_signed && value >> (bits - 1) & 1)
		value |= ~UINT64_C(0) << bits;
	return image_format(m->type, (const uint8_t *)&value, m->type->size);
}

/* Adds the members, those that are inherited too, up to a number of them. */
static bool add_member_values(struct value_reader *r, const struct image_type *type,
			      uint64_t address, unsigned *n, GString *out)
{
	for (uint32_t i = 0; i < type->n_members; i++) {
		const struct image_member *m = &type->members[i];
		uint64_t at = address + m->bit_offset / 8;
		g_autofree char *value = NULL;

		if (image_member_is_hidden(m))
			continue;
		if (is_base_class(m)) {
			if (!add_member_values(r, m->type, at, n, out))
				return false;
			continue;
		}
		if (!m->type || !m->name || *n == MOST_MEMBERS) {
			g_string_append(out, *n ? ", ..." : "...");
			return false;
		}
		value = m->bit_size ? bit_field_text(r, m, address) : value_inner(r, m->type, at);
		g_string_append_printf(out, "%s%s = %s", (*n)++ ? ", " : "", m->name, value);
	}
	return true;
}

/* Members with such names are nobody's but those of C++'s library; of an array, they tell. */
static bool is_inner_class(const struct image_type *type)
{
	const char *first = type->n_members ? type->members[0].name : NULL;

	return first && g_str_has_prefix(first, "_M_") && strcmp(first, "_M_elems") != 0;
}

static char *members_text(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	GString *out;
	unsigned n = 0;

	if (is_inner_class(type) || !type->n_members)
		return g_strdup("{...}");
	out = g_string_new("{");
	add_member_values(r, type, address, &n, out);
	return g_string_free(g_string_append_c(out, '}'), FALSE);
}

static char *elements_text(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	GString *out = g_string_new("{");
	uint64_t i;

	for (i = 0; i < type->count && i < MOST_MEMBERS && type->target; i++) {
		g_autofree char *value =
			value_inner(r, type->target, address + i * type->target->size);

		g_string_append_printf(out, "%s%s", i ? ", " : "", value);
	}
	if (i < type->count)
		g_string_append(out, i ? ", ..." : "...");
	return g_string_free(g_string_append_c(out, '}'), FALSE);
}

/* Numbers are kept in bytes, too; then the first one may be zero and others are not. */
static bool may_be_text(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	uint8_t byte;

	if (!type->target || type->target->kind != IMAGE_TYPE_CHAR || type->target->size != 1 ||
	    !value_read(r, address, 1, &byte))
		return false;
	for (uint64_t i = 0; !byte && i < type->count; i++)
		if (!value_read(r, address + i, 1, &byte) || byte)
			return false;
	return true;
}

static char *array_value_text(struct value_reader *r, const struct image_type *type,
			      uint64_t address)
{
	char *text = NULL;

	if (may_be_text(r, type, address))
		text = string_text(r, address, type->count);
	return text ? text : elements_text(r, type, address);
}

char *value_object(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	uint8_t bytes[16] = { 0 };
	char *text = NULL;

	switch (type->kind) {
	case IMAGE_TYPE_STRUCT:
		text = value_of_library(r, type, address);
		return text ? text : members_text(r, type, address);
	case IMAGE_TYPE_ARRAY:
		return array_value_text(r, type, address);
	case IMAGE_TYPE_UNION:
		return members_text(r, type, address);
	default:
		if (!type->size || type->size > sizeof(bytes) ||
		    !value_read(r, address, type->size, bytes))
			return g_strdup("?");
		return scalar_text(r, type, bytes, type->size);
	}
}

char *value_inner(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	char *text;

	if (r->depth == DEEPEST && !value_is_library_text(type))
		return g_strdup(image_type_is_aggregate(type) ? "{...}" : "?");
	r->depth++;
	text = value_object(r, type, address);
	r->depth--;
	return text;
}

/* ---- the door ---- */

char *value_text(const struct image *im, const struct image_frame *frame,
		 const struct image_type *type, const uint8_t *bytes, size_t size)
{
	/* no program can have an object there */
	struct value_reader r = { im, frame, UINT64_C(1) << 63, bytes, size, 0, false };

	if (!type)
		return image_format(type, bytes, size);
	if (!image_type_is_aggregate(type))
		return scalar_text(&r, type, bytes, size);
	return value_object(&r, type, r.base);
}

char *value_text_at(const struct image *im, const struct image_frame *frame,
		    const struct image_type *type, uint64_t address)
{
	struct value_reader r = { im, frame, 0, NULL, 0, 0, false };
	g_autofree char *text = value_object(&r, type, address);

	return r.known ? g_steal_pointer(&text) : NULL;
}

/* What a string holds is known. */
bool value_has_holes(const char *text)
{
	bool quoted = false;

	for (; *text; text++) {
		if (quoted && *text == '\\' && text[1])
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted && (*text == '?' || g_str_has_prefix(text, "{...}")))
			return true;
	}
	return false;
}
