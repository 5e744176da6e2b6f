/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/plan-private.h"
#include "solver/output/lines.h"

#include <string.h>

char *plan_quoted(const char *text, size_t length)
{
	enum { MOST_SHOWN = 60 };
	size_t n = length && text[length - 1] == '\n' ? length - 1 : length;
	g_autofree char *part = g_strndup(text, MIN(n, MOST_SHOWN));
	g_autofree char *valid = g_utf8_make_valid(part, -1);
	g_autofree char *escaped = NULL;

	for (char *c = valid; *c; c++) /* not g_strescape, which writes UTF-8 as octal numbers */
		if (g_ascii_iscntrl(*c) && *c != '\t')
			*c = '?';
	escaped = g_strdelimit(g_strdup(valid), "\t", ' ');
	return g_strdup_printf("\"%s%s\"", escaped, n > MOST_SHOWN ? "..." : "");
}

static char *line_name(const struct planning *g, unsigned line)
{
	return g_strdup_printf("line %u of the %s", line,
			       g->stream == PRINTED_OUT ? "output" : "error output");
}

bool plan_is_first(const struct planning *g)
{
	return !g->plan->sentence;
}

void plan_say_changed(struct planning *g, guint actual, guint expected)
{
	const struct text_line *a = &g_array_index(g->actual_lines, struct text_line, actual),
			       *e = &g_array_index(g->expected_lines, struct text_line, expected);
	g_autofree char *where = line_name(g, actual + 1);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	plan->actual = plan_quoted(a->text, a->length);
	plan->expected = plan_quoted(e->text, e->length);
	plan->sentence = strcmp(plan->actual, plan->expected) == 0
				 ? g_strdup_printf("%s ends wrongly", where)
				 : g_strdup_printf("%s is %s, expected %s", where, plan->actual,
						   plan->expected);
}

void plan_say_missing(struct planning *g, guint actual, guint expected)
{
	const struct text_line *e = &g_array_index(g->expected_lines, struct text_line, expected);
	g_autofree char *where = line_name(g, actual + 1);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	plan->expected = plan_quoted(e->text, e->length);
	plan->sentence =
		actual < g->actual_lines->len
			? g_strdup_printf("%s should be %s, which is missing", where,
					  plan->expected)
			: g_strdup_printf("the %s ends after %u line%s, expected %s",
					  g->stream == PRINTED_OUT ? "output" : "error output",
					  actual, actual == 1 ? "" : "s", plan->expected);
}

void plan_say_extra(struct planning *g, guint actual)
{
	const struct text_line *a = &g_array_index(g->actual_lines, struct text_line, actual);
	g_autofree char *where = line_name(g, actual + 1);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	plan->actual = plan_quoted(a->text, a->length);
	plan->sentence = g_strdup_printf("%s, %s, should not be there", where, plan->actual);
}
