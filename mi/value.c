/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/value.h"
#include "mi/text.h"

#include <errno.h>
#include <string.h>

static void free_item(gpointer item)
{
	mi_value_free(item);
}

struct mi_value *mi_value_new_string(const char *name, const char *text, size_t length)
{
	struct mi_value *value = g_new0(struct mi_value, 1);

	value->kind = MI_STRING;
	value->name = g_strdup(name);
	value->text = g_malloc(length + 1);
	memcpy(value->text, text, length);
	value->text[length] = 0;
	value->length = length;
	return value;
}

struct mi_value *mi_value_new(const char *name, enum mi_kind kind)
{
	struct mi_value *value = g_new0(struct mi_value, 1);

	g_assert(kind != MI_STRING);
	value->kind = kind;
	value->name = g_strdup(name);
	value->items = g_ptr_array_new_with_free_func(free_item);
	return value;
}

void mi_value_free(struct mi_value *value)
{
	if (!value)
		return;
	g_free(value->name);
	g_free(value->text);
	if (value->items)
		g_ptr_array_unref(value->items);
	g_free(value);
}

void mi_value_add(struct mi_value *parent, struct mi_value *item)
{
	g_assert(parent->kind != MI_STRING);
	g_ptr_array_add(parent->items, item);
}

size_t mi_count(const struct mi_value *value)
{
	return value && value->kind != MI_STRING ? value->items->len : 0;
}

const struct mi_value *mi_item(const struct mi_value *value, size_t i)
{
	return i < mi_count(value) ? g_ptr_array_index(value->items, i) : NULL;
}

static const struct mi_value *item_named(const struct mi_value *value, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < mi_count(value); i++) {
		const struct mi_value *item = mi_item(value, i);

		if (item->name && strlen(item->name) == length && !memcmp(item->name, name, length))
			return item;
	}
	return NULL;
}

const struct mi_value *mi_get(const struct mi_value *value, const char *path)
{
	while (value && *path) {
		size_t length = strcspn(path, ".");
		const struct mi_value *item = item_named(value, path, length);

		if (!item && g_ascii_isdigit(*path)) {
			char *end;
			guint64 i = g_ascii_strtoull(path, &end, 10);

			item = end == path + length ? mi_item(value, i) : NULL;
		}
		value = item;
		path += length;
		if (*path == '.')
			path++;
	}
	return value;
}

const char *mi_get_text(const struct mi_value *value, const char *path)
{
	value = mi_get(value, path);
	return value && value->kind == MI_STRING ? value->text : NULL;
}

static bool read_mi_number(const char *text, unsigned base, uint64_t *number)
{
	char *end;
	guint64 n;

	if (!text || !g_ascii_isdigit(*text))
		return false;
	if (base == 10 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16;
	if (base == 16 && !g_ascii_isxdigit(text[2]))
		return false;
	errno = 0;
	n = g_ascii_strtoull(text, &end, base);
	if (errno || end == text || (*end && *end != ' '))
		return false;
	*number = n;
	return true;
}

bool mi_get_u64(const struct mi_value *value, const char *path, uint64_t *number)
{
	return read_mi_number(mi_get_text(value, path), 10, number);
}

bool mi_get_octal(const struct mi_value *value, const char *path, uint64_t *number)
{
	return read_mi_number(mi_get_text(value, path), 8, number);
}

bool mi_value_equal(const struct mi_value *a, const struct mi_value *b)
{
	if (a->kind != b->kind || g_strcmp0(a->name, b->name) != 0)
		return false;
	if (a->kind == MI_STRING)
		return a->length == b->length && !memcmp(a->text, b->text, a->length);
	if (mi_count(a) != mi_count(b))
		return false;
	for (size_t i = 0; i < mi_count(a); i++) {
		if (!mi_value_equal(mi_item(a, i), mi_item(b, i)))
			return false;
	}
	return true;
}

void mi_value_print(const struct mi_value *value, GString *to)
{
	if (value->name)
		g_string_append_printf(to, "%s=", value->name);
	if (value->kind == MI_STRING) {
		mi_text_print(value->text, value->length, to);
		return;
	}
	g_string_append_c(to, value->kind == MI_TUPLE ? '{' : '[');
	for (size_t i = 0; i < mi_count(value); i++) {
		if (i)
			g_string_append_c(to, ',');
		mi_value_print(mi_item(value, i), to);
	}
	g_string_append_c(to, value->kind == MI_TUPLE ? '}' : ']');
}
