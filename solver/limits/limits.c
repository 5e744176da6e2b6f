/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/limits/limits.h"

#include <inttypes.h>
#include <string.h>

G_DEFINE_QUARK(gdb - why - limits, limits_error)

#define BOUND LIMIT_BOUND
#define CUT LIMIT_CUT
#define EFFORT LIMIT_EFFORT

const struct limit_row limit_rows[N_LIMITS] = {
#define LIMIT(name, kind, standard, least, most, unit, does, basis) \
	{ #name, kind, standard, least, most, unit, does, basis },
#include "solver/limits/limits.def"
#undef LIMIT
};

static const struct limits defaults = {
	.value = {
#define LIMIT(name, kind, standard, least, most, unit, does, basis) standard,
#include "solver/limits/limits.def"
#undef LIMIT
	},
};

const struct limits *limits_default(void)
{
	return &defaults;
}

const struct limits *limits_or_default(const struct limits *limits)
{
	return limits ? limits : &defaults;
}

void limits_set_all(struct limits *limits, bool most)
{
	for (unsigned i = 0; i < N_LIMITS; i++)
		limits->value[i] = most ? limit_rows[i].most : limit_rows[i].least;
}

/* How many letters have to be put in, left out or replaced (Levenshtein, 1966). */
static unsigned letters_between(const char *a, const char *b)
{
	size_t n = strlen(b);
	g_autofree unsigned *row = g_new(unsigned, n + 1);

	for (unsigned k = 0; k <= n; k++)
		row[k] = k;
	for (unsigned i = 1; *a; a++, i++) {
		unsigned above_left = row[0];

		row[0] = i;
		for (unsigned k = 1; k <= n; k++) {
			unsigned replaced = above_left + (*a != b[k - 1]);

			above_left = row[k];
			row[k] = MIN(replaced, MIN(row[k], row[k - 1]) + 1);
		}
	}
	return row[n];
}

static const char *nearest_name(const char *name)
{
	unsigned best = 0, least = UINT_MAX;

	for (unsigned i = 0; i < N_LIMITS; i++) {
		unsigned far = letters_between(name, limit_rows[i].name);

		if (far < least) {
			least = far;
			best = i;
		}
	}
	return limit_rows[best].name;
}

static int limit_named(const char *name)
{
	for (int i = 0; i < N_LIMITS; i++)
		if (strcmp(limit_rows[i].name, name) == 0)
			return i;
	return -1;
}

static bool set_limit_number(struct limits *limits, int number, const char *text, GError **error)
{
	const struct limit_row *row = &limit_rows[number];
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, row->least, row->most, &value, NULL)) {
		g_set_error(error, LIMITS_ERROR, LIMITS_ERROR_USAGE,
			    "the limit `%s' is a whole number from %" PRIu64 " to %" PRIu64
			    ", not `%s'",
			    row->name, row->least, row->most, text);
		return false;
	}
	limits->value[number] = value;
	return true;
}

bool limits_set(struct limits *limits, const char *assignment, GError **error)
{
	const char *sign = strchr(assignment, '=');
	g_autofree char *name = NULL;
	int number;

	if (!sign) {
		g_set_error(error, LIMITS_ERROR, LIMITS_ERROR_USAGE,
			    "a limit is set by NAME=N, such as runs=200, not by `%s'", assignment);
		return false;
	}
	name = g_strdelimit(g_strndup(assignment, (gsize)(sign - assignment)), "-", '_');
	number = limit_named(name);
	if (number < 0) {
		g_set_error(error, LIMITS_ERROR, LIMITS_ERROR_USAGE,
			    "there is no limit `%s'; the nearest name is `%s', and `gdb-why help "
			    "limits' lists them all",
			    name, nearest_name(name));
		return false;
	}
	return set_limit_number(limits, number, sign + 1, error);
}

void limits_reached(const struct limits *limits, enum limit limit)
{
	if (limits && limits->reached)
		limits->reached->times[limit]++;
}

bool limits_cut(const struct limit_counts *reached)
{
	for (unsigned i = 0; i < N_LIMITS; i++)
		if (limit_rows[i].kind == LIMIT_CUT && reached->times[i])
			return true;
	return false;
}

char *limits_sentence(const struct limits *limits, const struct limit_counts *reached)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autoptr(GString) again = g_string_new(NULL);
	unsigned n = 0;

	for (unsigned i = 0; i < N_LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];
		uint64_t value = limits->value[i], more = MIN(MAX(2 * value, 1), row->most);

		if (row->kind != LIMIT_CUT || !reached->times[i])
			continue;
		g_string_append_printf(names, "%s`%s' (%" PRIu64 ")", n++ ? ", " : "", row->name,
				       value);
		if (value < row->most)
			g_string_append_printf(again, " --limit %s=%" PRIu64, row->name, more);
	}
	if (!n)
		return NULL;
	if (n > 1)
		return g_strdup_printf("cut at the limits %s; there may be more%s", names->str,
				       again->len ? ": --limit NAME=N" : "");
	return g_strdup_printf("cut at the limit %s; there may be more%s%s", names->str,
			       again->len ? ":" : "", again->str);
}
