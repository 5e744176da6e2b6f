/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/syntax.h"
#include "mi/parse.h"
#include "mi/text.h"

#include <string.h>

struct cursor {
	const char *p, *end;
	unsigned depth;
};

static bool is_at_byte(const struct cursor *c, char byte)
{
	return c->p < c->end && *c->p == byte;
}

static bool skip_byte(struct cursor *c, char byte)
{
	if (!is_at_byte(c, byte))
		return false;
	c->p++;
	return true;
}

/* A key or a class; free it. */
static char *read_mi_word(struct cursor *c)
{
	const char *start = c->p;

	if (c->p == c->end || !(g_ascii_isalpha(*c->p) || *c->p == '_'))
		return NULL;
	while (c->p < c->end && (g_ascii_isalnum(*c->p) || (*c->p && strchr("_-.", *c->p))))
		c->p++;
	return g_strndup(start, (gsize)(c->p - start));
}

static struct mi_value *read_mi_value(struct cursor *c, const char *name);

static struct mi_value *read_item(struct cursor *c)
{
	g_autofree char *name = NULL;

	if (is_at_byte(c, '"') || is_at_byte(c, '{') || is_at_byte(c, '['))
		return read_mi_value(c, NULL);
	name = read_mi_word(c);
	if (!name || !skip_byte(c, '='))
		return NULL;
	return read_mi_value(c, name);
}

static struct mi_value *read_c_string(struct cursor *c, const char *name)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!mi_text_read(&c->p, c->end, text))
		return NULL;
	return mi_value_new_string(name, text->str, text->len);
}

static struct mi_value *read_items(struct cursor *c, const char *name, enum mi_kind kind)
{
	g_autoptr(mi_value) value = mi_value_new(name, kind);
	char close = kind == MI_TUPLE ? '}' : ']';

	if (c->depth == MI_DEPTH_MAX)
		return NULL;
	c->depth++;
	c->p++;
	while (!is_at_byte(c, close)) {
		struct mi_value *item = read_item(c);

		if (!item)
			return NULL;
		mi_value_add(value, item);
		if (!skip_byte(c, ',') && !is_at_byte(c, close))
			return NULL;
	}
	c->p++;
	c->depth--;
	return g_steal_pointer(&value);
}

static struct mi_value *read_mi_value(struct cursor *c, const char *name)
{
	if (is_at_byte(c, '{'))
		return read_items(c, name, MI_TUPLE);
	if (is_at_byte(c, '['))
		return read_items(c, name, MI_LIST);
	return read_c_string(c, name);
}

/* False when there are digits that are not a token. */
static bool read_token(struct cursor *c, struct mi_record *record)
{
	while (c->p < c->end && g_ascii_isdigit(*c->p)) {
		unsigned digit = (unsigned)(*c->p++ - '0');

		if (record->token > (UINT64_MAX - digit) / 10)
			return false;
		record->token = record->token * 10 + digit;
		record->has_token = true;
	}
	return true;
}

static bool read_record_kind(struct cursor *c, struct mi_record *record)
{
	static const char marks[] = "^*+=~@&";
	const char *mark = c->p < c->end && *c->p ? strchr(marks, *c->p) : NULL;

	if (!mark)
		return false;
	record->kind = MI_RESULT + (enum mi_record_kind)(mark - marks);
	c->p++;
	return true;
}

static bool read_results(struct cursor *c, struct mi_record *record)
{
	record->class = read_mi_word(c);
	record->results = mi_value_new(NULL, MI_TUPLE);
	if (!record->class)
		return false;
	while (skip_byte(c, ',')) {
		struct mi_value *item;

		if (c->p == c->end)
			break;
		item = read_item(c);
		if (!item)
			return false;
		mi_value_add(record->results, item);
	}
	return true;
}

static bool read_stream(struct cursor *c, struct mi_record *record)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (record->has_token || !mi_text_read(&c->p, c->end, text))
		return false;
	record->length = text->len;
	record->text = g_string_free(g_steal_pointer(&text), FALSE);
	return true;
}

struct mi_record *mi_syntax_record(const char *line, const char *end)
{
	struct cursor c = { line, end, 0 };
	g_autoptr(mi_record) record = NULL;
	bool good;

	if (line == end || !(g_ascii_isdigit(*line) || strchr("^*+=~@&", *line)))
		return NULL;
	record = g_new0(struct mi_record, 1);
	if (!read_token(&c, record) || !read_record_kind(&c, record))
		return NULL;
	good = record->kind <= MI_NOTIFY ? read_results(&c, record) : read_stream(&c, record);
	if (!good || c.p != end)
		return NULL;
	return g_steal_pointer(&record);
}

bool mi_syntax_prompt(const char *line, const char *end, const char **rest)
{
	if (end - line < 5 || memcmp(line, "(gdb)", 5) != 0)
		return false;
	for (line += 5; line < end && *line == ' '; line++)
		;
	*rest = line;
	return true;
}

static bool begins_with_one_of(const char *word, const char *const *beginnings)
{
	for (; *beginnings; beginnings++) {
		if (g_str_has_prefix(word, *beginnings))
			return true;
	}
	return false;
}

bool mi_syntax_is_usual(const struct mi_record *record)
{
	static const char *const results[] = {
		"done", "running", "connected", "error", "exit", NULL
	};
	static const char *const execs[] = { "running", "stopped", NULL };
	static const char *const notices[] = { "thread-", "library-",	 "breakpoint-",
					       "cmd-",	  "memory-",	 "record-",
					       "tsv-",	  "traceframe-", NULL };

	switch (record->kind) {
	case MI_RESULT:
		return g_strv_contains(results, record->class);
	case MI_EXEC:
		return g_strv_contains(execs, record->class);
	case MI_NOTIFY:
		return begins_with_one_of(record->class, notices);
	case MI_STATUS:
		return false;
	default:
		return true;
	}
}
