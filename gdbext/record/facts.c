/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/record/facts.h"

#include "gdbext/record/archive.h"

#include <stddef.h>
#include <string.h>

enum fact_kind { FACT_TEXT, FACT_LIST, FACT_NUMBER };

struct fact {
	const char *name;
	enum fact_kind kind;
	size_t at;
	guint64 most; /* the largest number; bytes of a text or of one of a list */
};

enum {
	MOST_PATH = 64 << 10,
	MOST_EXPRESSION = 8 << 10,
	MOST_ENVIRONMENT = 8 << 20,
	MOST_VARIABLES = 1 << 16
};

#define AT(field) offsetof(struct facts, field)

/* What the numbers become is an unsigned or an int. */
static const struct fact table[] = {
	{ "streams", FACT_NUMBER, AT(streams), G_MAXINT32 },
	{ "program", FACT_TEXT, AT(program), MOST_PATH },
	{ "arg", FACT_LIST, AT(args), FACTS_MOST_BYTES },
	{ "directory", FACT_TEXT, AT(directory), MOST_PATH },
	{ "module", FACT_LIST, AT(modules), MOST_PATH },
	{ "build-id", FACT_LIST, AT(build_ids), MOST_PATH },
	{ "sum", FACT_LIST, AT(sums), MOST_PATH },
	{ "source", FACT_LIST, AT(sources), MOST_PATH },
	{ "env", FACT_LIST, AT(kept), FACTS_MOST_BYTES },
	{ "env-name", FACT_LIST, AT(dropped), FACTS_MOST_BYTES },
	{ "env-bytes", FACT_NUMBER, AT(strings), MOST_ENVIRONMENT },
	{ "env-count", FACT_NUMBER, AT(variables), MOST_VARIABLES },
	{ "end", FACT_NUMBER, AT(end), RUN_LIMIT },
	{ "status", FACT_NUMBER, AT(status), 255 },
	{ "signal", FACT_NUMBER, AT(signo), 64 },
	{ "thread", FACT_NUMBER, AT(thread), G_MAXINT32 },
	{ "expression", FACT_TEXT, AT(expression), MOST_EXPRESSION },
	{ "file", FACT_TEXT, AT(file), MOST_PATH },
	{ "function", FACT_TEXT, AT(function), MOST_PATH },
	{ "line", FACT_NUMBER, AT(line), G_MAXINT32 },
	{ "caller", FACT_TEXT, AT(caller), MOST_PATH },
	{ "caller-file", FACT_TEXT, AT(caller_file), MOST_PATH },
	{ "caller-line", FACT_NUMBER, AT(caller_line), G_MAXINT32 },
	{ "frame", FACT_LIST, AT(frames), MOST_PATH },
	{ "run-us", FACT_NUMBER, AT(run_us), G_MAXINT64 },
	{ "child", FACT_TEXT, AT(child), MOST_PATH },
	{ "faults-end", FACT_NUMBER, AT(faults_end), 1 },
	{ "memory", FACT_NUMBER, AT(memory), G_MAXINT64 },
};

static void *field_of_fact(const struct facts *f, const struct fact *row)
{
	return (char *)f + row->at;
}

struct facts *facts_new(void)
{
	struct facts *f = g_new0(struct facts, 1);

	f->streams = TRACE_VERSION;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
		if (table[i].kind == FACT_LIST)
			*(GPtrArray **)field_of_fact(f, &table[i]) =
				g_ptr_array_new_with_free_func(g_free);
	return f;
}

void facts_free(struct facts *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (table[i].kind == FACT_LIST)
			g_ptr_array_unref(*(GPtrArray **)field_of_fact(f, &table[i]));
		else if (table[i].kind == FACT_TEXT)
			g_free(*(char **)field_of_fact(f, &table[i]));
	}
	g_free(f);
}

static void write_one(GByteArray *to, const char *name, const char *value)
{
	g_byte_array_append(to, (const guint8 *)name, (guint)strlen(name));
	g_byte_array_append(to, (const guint8 *)"=", 1);
	g_byte_array_append(to, (const guint8 *)value, (guint)strlen(value) + 1);
}

static void write_field(GByteArray *to, const struct facts *f, const struct fact *row)
{
	const void *field = field_of_fact(f, row);
	const GPtrArray *list;
	char digits[24];

	switch (row->kind) {
	case FACT_TEXT:
		if (*(char *const *)field)
			write_one(to, row->name, *(char *const *)field);
		return;
	case FACT_LIST:
		list = *(GPtrArray *const *)field;
		for (guint i = 0; i < list->len; i++)
			write_one(to, row->name, list->pdata[i]);
		return;
	case FACT_NUMBER:
		g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, *(const guint64 *)field);
		write_one(to, row->name, digits);
		return;
	}
}

GByteArray *facts_write(const struct facts *f)
{
	GByteArray *to = g_byte_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
		write_field(to, f, &table[i]);
	return to;
}

static bool refuse_facts(GError **error, const char *why, const char *name)
{
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FORMAT,
		    "The record cannot be used: what it says of the test %s%s.", why, name);
	return false;
}

static bool read_fact_value(struct facts *f, const struct fact *row, const char *value,
			    GError **error)
{
	void *field = field_of_fact(f, row);

	if (row->kind != FACT_NUMBER && strlen(value) > row->most)
		return refuse_facts(error, "has a text that is too long for ", row->name);
	switch (row->kind) {
	case FACT_TEXT:
		if (*(char **)field)
			return refuse_facts(error, "has two of ", row->name);
		*(char **)field = g_strdup(value);
		return true;
	case FACT_LIST:
		g_ptr_array_add(*(GPtrArray **)field, g_strdup(value));
		return true;
	case FACT_NUMBER:
		return g_ascii_string_to_unsigned(value, 10, 0, row->most, field, NULL) ||
		       refuse_facts(error, "has a wrong number for ", row->name);
	}
	g_assert_not_reached();
}

/* text: NAME=VALUE. */
static bool read_fact(struct facts *f, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;

	if (!equals)
		return refuse_facts(error, "holds a line without a name", "");
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
		if (strlen(table[i].name) == length && memcmp(table[i].name, text, length) == 0)
			return read_fact_value(f, &table[i], equals + 1, error);
	return true;
}

static bool all_absolute(const GPtrArray *paths)
{
	for (guint i = 0; i < paths->len; i++)
		if (!g_path_is_absolute(paths->pdata[i]))
			return false;
	return true;
}

static bool makes_sense(const struct facts *f, GError **error)
{
	if (f->streams < TRACE_OLDEST_VERSION || f->streams > TRACE_VERSION)
		return refuse_facts(error, "is of another version of the recorder; record it again",
				    "");
	if (!f->program || !f->args->len || !g_path_is_absolute(f->program))
		return refuse_facts(error, "does not name a program", "");
	if (!f->directory || !g_path_is_absolute(f->directory))
		return refuse_facts(error, "does not name a folder", "");
	if (!f->modules->len || f->modules->len > TRACE_MAX_MODULES ||
	    f->build_ids->len != f->modules->len || f->sums->len != f->modules->len ||
	    !all_absolute(f->modules))
		return refuse_facts(error, "does not fit the modules that were traced", "");
	return true;
}

struct facts *facts_read(const void *bytes, size_t size, GError **error)
{
	const char *text = bytes, *end = text + size;
	struct facts *f = facts_new();
	bool ok;

	f->streams = 0; /* until it says so */
	ok = size > 0 && size <= FACTS_MOST_BYTES && !end[-1];

	if (!ok)
		refuse_facts(error, "is cut off", "");
	for (; ok && text < end; text += strlen(text) + 1)
		ok = read_fact(f, text, error);
	if (ok && makes_sense(f, error))
		return f;
	facts_free(f);
	return NULL;
}
