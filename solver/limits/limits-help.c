/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gdb-why help limits' and the page of the handbook say, made from the table. */
#include "solver/limits/limits.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 6, WIDTH = 79 };

static const char *const kinds[] = {
	[LIMIT_BOUND] = "bound", [LIMIT_CUT] = "cut", [LIMIT_EFFORT] = "effort"
};
static const char about_kinds[] =
	"A bound is part of the question: the answer is complete within it.  When a cut is "
	"reached, something is left out, and the answer says so.  When an effort is used up, "
	"another way or another order is taken, and nothing is left out for that alone.";

static void append_wrapped_limit(GString *out, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = 0;

	for (char **w = words; *w; w++) {
		if (!**w)
			continue;
		if (column && column + 1 + strlen(*w) <= WIDTH) {
			g_string_append_c(out, ' ');
			column++;
		} else {
			g_string_append_printf(out, "%s%*s", column ? "\n" : "", INDENT, "");
			column = INDENT;
		}
		g_string_append(out, *w);
		column += strlen(*w);
	}
	g_string_append_c(out, '\n');
}

char *limits_help(void)
{
	GString *out = g_string_new("The limits that --limit NAME=N sets.\n\n");

	append_wrapped_limit(out, about_kinds);
	for (unsigned i = 0; i < N_LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];

		g_string_append_printf(
			out, "\n  %s=%" PRIu64 "  %s; %s, %" PRIu64 " to %" PRIu64 "\n", row->name,
			row->standard, row->unit, kinds[row->kind], row->least, row->most);
		append_wrapped_limit(out, row->does);
	}
	return g_string_free(out, FALSE);
}

char *limits_page(void)
{
	GString *out = g_string_new(
		"<!-- Made from solver/limits/limits.def by `make gdbext/doc/limits.md'. -->\n"
		"# Limits\n\n"
		"`--limit NAME=N` sets a limit, and may be repeated. `--stats` says which limits "
		"differ from their\ndefault and which were reached; an answer that was cut names "
		"the limit.\n\n");

	g_string_append_printf(
		out,
		"%s\n\n| name | kind | default | from | to | unit | what it does | what "
		"the number rests on |\n|---|---|---|---|---|---|---|---|\n",
		about_kinds);
	for (unsigned i = 0; i < N_LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];

		g_string_append_printf(out,
				       "| `%s` | %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64
				       " | %s | %s | %s |\n",
				       row->name, kinds[row->kind], row->standard, row->least,
				       row->most, row->unit, row->does, row->basis);
	}
	return g_string_free(out, FALSE);
}
