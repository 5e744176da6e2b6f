/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One option's value: from its text to its field of struct options. */
#include "gdbext/options/options-private.h"

#include <string.h>

static bool read_size(const struct option_row *row, const char *text, guint64 *out, GError **error)
{
	static const char units[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	g_autofree char *number = g_strndup(text, digits);
	guint64 n = 0;

	if ((text[digits] && (!unit || text[digits + 1])) ||
	    !g_ascii_string_to_unsigned(number, 10, 1, G_MAXINT64 >> shift, &n, NULL))
		return options_wrong(error, "--%s takes a number %ssuch as 500M or 2G, not `%s'",
				     row->name, row->standard > 0 ? "of bytes " : "", text);
	*out = n << shift;
	return true;
}

static void *field_of_option(struct options *o, const struct option_row *row)
{
	return (char *)o + row->at;
}

static bool read_seconds(const struct option_row *row, const char *text, double *out,
			 GError **error)
{
	char *end;
	double seconds = g_ascii_strtod(text, &end);

	if (end == text || *end || !(seconds > 0 && seconds <= 1e9))
		return options_wrong(error, "--%s takes a number of seconds above 0, not `%s'",
				     row->name, text);
	*out = seconds;
	return true;
}

static bool read_count(const struct option_row *row, const char *text, unsigned *out,
		       GError **error)
{
	guint64 n;

	if (!g_ascii_string_to_unsigned(text, 10, row->min, G_MAXINT32, &n, NULL))
		return options_wrong(error, "--%s takes a whole number from %u on, not `%s'",
				     row->name, row->min, text);
	*out = (unsigned)n;
	return true;
}

static bool read_limit(const struct option_row *row, const char *text, struct limits *limits,
		       GError **error)
{
	const struct limit_row *limit = &limit_rows[row->limit];

	if (g_ascii_string_to_unsigned(text, 10, limit->least, limit->most,
				       &limits->value[row->limit], NULL))
		return true;
	return options_wrong(error,
			     "--%s takes a whole number from %" G_GUINT64_FORMAT
			     " to %" G_GUINT64_FORMAT ", not `%s'",
			     row->name, limit->least, limit->most, text);
}

static bool read_choice(const struct option_row *row, const char *text, int *out, GError **error)
{
	g_autofree char *all = NULL;

	for (int i = 0; row->choices[i]; i++) {
		if (strcmp(row->choices[i], text) == 0) {
			*out = i;
			return true;
		}
	}
	all = g_strjoinv(", ", (char **)row->choices);
	return options_wrong(error, "--%s is one of %s, not `%s'", row->name, all, text);
}

bool option_read(const struct option_row *row, union option_raw *raw, struct options *o,
		 GError **error)
{
	void *field = field_of_option(o, row);

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = raw->flag;
		return true;
	case OPTION_FILE:
		if (raw->text && !*raw->text)
			return options_wrong(error, "--%s needs a name, not an empty word",
					     row->name);
		*(char **)field = g_steal_pointer(&raw->text);
		return true;
	case OPTION_FILES:
		*(char ***)field = g_steal_pointer(&raw->texts);
		return true;
	case OPTION_SECONDS:
		*(double *)field = row->standard;
		return !raw->text || read_seconds(row, raw->text, field, error);
	case OPTION_COUNT:
		*(unsigned *)field = (unsigned)row->standard;
		return !raw->text || read_count(row, raw->text, field, error);
	case OPTION_SIZE:
		*(guint64 *)field = (guint64)row->standard;
		return !raw->text || read_size(row, raw->text, field, error);
	case OPTION_LIMIT:
		return !raw->text || read_limit(row, raw->text, field, error);
	case OPTION_CHOICE:
		*(int *)field = (int)row->standard;
		return !raw->text || read_choice(row, raw->text, field, error);
	}
	g_assert_not_reached();
}

void options_raw_clear(union option_raw *raw)
{
	for (size_t i = 0; i < n_option_rows; i++) {
		if (option_rows[i].kind == OPTION_FILES)
			g_strfreev(raw[i].texts);
		else if (option_rows[i].kind != OPTION_FLAG)
			g_free(raw[i].text);
	}
}
