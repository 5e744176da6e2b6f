/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/record.h"
#include "mi/text.h"

#include <string.h>

/* The character that a kind of record begins with. */
static const struct {
	const char *name;
	char mark;
} kinds[] = {
	[MI_RESULT] = { "result", '^' },
	[MI_EXEC] = { "exec", '*' },
	[MI_STATUS] = { "status", '+' },
	[MI_NOTIFY] = { "notify", '=' },
	[MI_CONSOLE] = { "console", '~' },
	[MI_TARGET] = { "target", '@' },
	[MI_LOG] = { "log", '&' },
	[MI_PROMPT] = { "prompt", 0 },
	[MI_TARGET_OUTPUT] = { "target-output", 0 },
};

void mi_record_free(struct mi_record *record)
{
	if (!record)
		return;
	g_free(record->class);
	mi_value_free(record->results);
	g_free(record->text);
	g_free(record);
}

bool mi_record_is(const struct mi_record *record, enum mi_record_kind kind, const char *class)
{
	return record->kind == kind && g_strcmp0(record->class, class) == 0;
}

static bool same_record_text(const struct mi_record *a, const struct mi_record *b)
{
	if (!a->text || !b->text)
		return a->text == b->text;
	return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

bool mi_record_equal(const struct mi_record *a, const struct mi_record *b)
{
	if (a->kind != b->kind || a->has_token != b->has_token || a->ended != b->ended)
		return false;
	if ((a->has_token && a->token != b->token) || g_strcmp0(a->class, b->class) != 0)
		return false;
	if (!a->results || !b->results)
		return a->results == b->results && same_record_text(a, b);
	return mi_value_equal(a->results, b->results) && same_record_text(a, b);
}

void mi_record_print(const struct mi_record *record, GString *to)
{
	if (record->kind == MI_TARGET_OUTPUT) {
		g_string_append_len(to, record->text, (gssize)record->length);
		if (record->ended)
			g_string_append_c(to, '\n');
		return;
	}
	if (record->kind == MI_PROMPT) {
		g_string_append(to, "(gdb) \n");
		return;
	}
	if (record->has_token)
		g_string_append_printf(to, "%" G_GUINT64_FORMAT, record->token);
	g_string_append_c(to, kinds[record->kind].mark);
	if (record->results) {
		g_string_append(to, record->class);
		for (size_t i = 0; i < mi_count(record->results); i++) {
			g_string_append_c(to, ',');
			mi_value_print(mi_item(record->results, i), to);
		}
	} else {
		mi_text_print(record->text, record->length, to);
	}
	g_string_append_c(to, '\n');
}

const char *mi_record_kind_name(enum mi_record_kind kind)
{
	return kinds[kind].name;
}

void mi_record_dump(FILE *to, const struct mi_record *record)
{
	g_autoptr(GString) line = g_string_new(kinds[record->kind].name);

	if (record->has_token)
		g_string_append_printf(line, " %" G_GUINT64_FORMAT, record->token);
	if (record->class)
		g_string_append_printf(line, " %s", record->class);
	if (record->results) {
		g_string_append_c(line, ' ');
		mi_value_print(record->results, line);
	}
	if (record->text) {
		g_string_append_c(line, ' ');
		mi_text_print(record->text, record->length, line);
	}
	if (record->kind == MI_TARGET_OUTPUT && !record->ended)
		g_string_append(line, " ...");
	fprintf(to, "%s\n", line->str);
}
