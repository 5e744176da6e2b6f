/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and types as C would write them. */
#include "solver/image/variable/variable.h"

#include <string.h>

static uint64_t unsigned_value(const uint8_t *bytes, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, bytes, MIN(size, sizeof(v)));
	return v;
}

static int64_t signed_value_of_bytes(const uint8_t *bytes, size_t size)
{
	unsigned spare = 64 - 8 * (unsigned)MIN(size, 8);

	return (int64_t)(unsigned_value(bytes, size) << spare) >> spare;
}

static char *format_number(const struct image_type *t, const uint8_t *bytes, size_t size)
{
	if (t->is_signed)
		return g_strdup_printf("%" G_GINT64_FORMAT, signed_value_of_bytes(bytes, size));
	return g_strdup_printf("%" G_GUINT64_FORMAT, unsigned_value(bytes, size));
}

static char *format_char(const struct image_type *t, const uint8_t *bytes, size_t size)
{
	uint64_t v = unsigned_value(bytes, size);

	if (size != 1)
		return format_number(t, bytes, size);
	if (v == '\'' || v == '\\')
		return g_strdup_printf("'\\%c'", (int)v);
	if (v >= ' ' && v < 127)
		return g_strdup_printf("'%c'", (int)v);
	return v == '\n' ? g_strdup("'\\n'") : format_number(t, bytes, size);
}

static char *format_enumerator(const struct image_type *t, const uint8_t *bytes, size_t size)
{
	int64_t v = t->is_signed ? signed_value_of_bytes(bytes, size)
				 : (int64_t)unsigned_value(bytes, size);

	for (uint32_t i = 0; i < t->n_enumerators; i++)
		if (t->enumerators[i].value == v)
			return g_strdup(t->enumerators[i].name);
	return format_number(t, bytes, size);
}

/* The fewest digits that read back as the same number. */
static char *format_float(const uint8_t *bytes, size_t size)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE] = "?";
	bool same = false;
	double d = 0;
	float f;

	if (size == sizeof(f)) {
		memcpy(&f, bytes, sizeof(f));
		d = (double)f;
	} else if (size == sizeof(d)) {
		memcpy(&d, bytes, sizeof(d));
	} else {
		return g_strdup(text);
	}
	for (int digits = 6; digits <= 17 && !same; digits++) {
		g_autofree char *format = g_strdup_printf("%%.%dg", digits);
		double back;

		back = g_ascii_strtod(g_ascii_formatd(text, sizeof(text), format, d), NULL);
		same = size == sizeof(f) ? (float)back == (float)d : back == d;
	}
	return g_strdup(text);
}

static char *format_pointer(const uint8_t *bytes, size_t size)
{
	uint64_t v = unsigned_value(bytes, size);

	return v ? g_strdup_printf("0x%" G_GINT64_MODIFIER "x", v) : g_strdup("NULL");
}

char *image_format(const struct image_type *type, const uint8_t *bytes, size_t size)
{
	if (!type || size == 0)
		return g_strdup("?");
	switch (type->kind) {
	case IMAGE_TYPE_BOOL:
		return unsigned_value(bytes, size) > 1
			       ? format_number(type, bytes, size)
			       : g_strdup(unsigned_value(bytes, size) ? "true" : "false");
	case IMAGE_TYPE_CHAR:
		return format_char(type, bytes, size);
	case IMAGE_TYPE_INT:
		return format_number(type, bytes, size);
	case IMAGE_TYPE_FLOAT:
		return format_float(bytes, size);
	case IMAGE_TYPE_ENUM:
		return format_enumerator(type, bytes, size);
	case IMAGE_TYPE_POINTER:
	case IMAGE_TYPE_FUNCTION:
		return format_pointer(bytes, size);
	default:
		return g_strdup("{...}");
	}
}

/* Dimensions follow the innermost element, the outermost first. */
static char *array_type_text(const struct image_type *type)
{
	g_autoptr(GString) dimensions = g_string_new(NULL);
	g_autofree char *element = NULL;

	for (; type && type->kind == IMAGE_TYPE_ARRAY; type = type->target)
		g_string_append_printf(dimensions, "[%" G_GUINT64_FORMAT "]", type->count);
	element = image_type_text(type);
	return g_strconcat(element, dimensions->str, NULL);
}

char *image_type_text(const struct image_type *type)
{
	g_autofree char *target = NULL;

	if (!type)
		return g_strdup("void");
	switch (type->kind) {
	case IMAGE_TYPE_POINTER:
		target = image_type_text(type->target);
		return g_strdup_printf("%s%s*", target, g_str_has_suffix(target, "*") ? "" : " ");
	case IMAGE_TYPE_ARRAY:
		return array_type_text(type);
	case IMAGE_TYPE_STRUCT:
		return g_strdup_printf("struct %s", type->name ? type->name : "{...}");
	case IMAGE_TYPE_UNION:
		return g_strdup_printf("union %s", type->name ? type->name : "{...}");
	case IMAGE_TYPE_ENUM:
		return g_strdup_printf("enum %s", type->name ? type->name : "{...}");
	case IMAGE_TYPE_FUNCTION:
		return g_strdup("function");
	default:
		return g_strdup(type->name ? type->name : "void");
	}
}
