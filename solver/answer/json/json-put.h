/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds members to a JSON document that is being built; two renderers share it.  name:
 * NULL in an array.
 */
#ifndef SOLVER_ANSWER_JSON_JSON_PUT_H
#define SOLVER_ANSWER_JSON_JSON_PUT_H

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

/* NULL becomes null; what is not UTF-8 is made valid. */
static inline void put_string(JsonBuilder *b, const char *name, const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	if (name)
		json_builder_set_member_name(b, name);
	if (valid)
		json_builder_add_string_value(b, valid);
	else
		json_builder_add_null_value(b);
}

/* From 2^53 on it is written as a string, because a reader's numbers may not hold it. */
static inline void put_count(JsonBuilder *b, const char *name, uint64_t n)
{
	g_autofree char *digits = NULL;

	if (n >> 53) {
		digits = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)n);
		put_string(b, name, digits);
		return;
	}
	if (name)
		json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, (gint64)n);
}

static inline void put_bool(JsonBuilder *b, const char *name, bool value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_boolean_value(b, value);
}

static inline void begin_array(JsonBuilder *b, const char *name)
{
	if (name)
		json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
}

/* A document as a member; NULL becomes null. */
static inline void put_document(JsonBuilder *b, const char *name, const char *text)
{
	JsonNode *node = text ? json_from_string(text, NULL) : NULL;

	json_builder_set_member_name(b, name);
	if (node)
		json_builder_add_value(b, node);
	else
		json_builder_add_null_value(b);
}

/* Ends the document and gives its text, with a newline; free it. */
static inline char *put_end(JsonBuilder *b, bool pretty)
{
	g_autoptr(JsonNode) root = json_builder_get_root(b);
	g_autofree char *text = json_to_string(root, pretty);

	return g_strconcat(text, "\n", NULL);
}

#endif
