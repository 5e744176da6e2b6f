/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/plan-private.h"
#include "solver/output/lines.h"
#include "solver/output/shown.h"

#include <string.h>

static char *line_name(const struct planning *g, unsigned line)
{
	return g_strdup_printf("line %u of %s", line, g->name);
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
	struct shown_pair shown = shown_pair(a->text, a->length, e->text, e->length);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	if (strcmp(shown.actual, shown.expected) == 0)
		plan->sentence = g_strdup_printf("%s, %s, %s", where, shown.actual,
						 a->length < e->length
							 ? "lacks the newline at its end"
							 : "should have no newline at its end");
	else
		plan->sentence = g_strdup_printf("%s is %s, expected %s%s", where, shown.actual,
						 shown.expected, shown.words);
	plan->actual = g_steal_pointer(&shown.actual);
	plan->expected = g_steal_pointer(&shown.expected);
	shown_pair_clear(&shown);
}

void plan_say_missing(struct planning *g, guint actual, guint expected)
{
	const struct text_line *e = &g_array_index(g->expected_lines, struct text_line, expected);
	g_autofree char *where = line_name(g, actual + 1);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	plan->expected = shown_line(e->text, e->length);
	plan->sentence = actual < g->actual_lines->len
				 ? g_strdup_printf("%s should be %s, which is missing", where,
						   plan->expected)
				 : g_strdup_printf("%s ends after %u line%s, expected %s", g->name,
						   actual, actual == 1 ? "" : "s", plan->expected);
}

void plan_say_extra(struct planning *g, guint actual)
{
	const struct text_line *a = &g_array_index(g->actual_lines, struct text_line, actual);
	g_autofree char *where = line_name(g, actual + 1);
	struct output_plan *plan = g->plan;

	plan->line = actual + 1;
	plan->actual = shown_line(a->text, a->length);
	plan->sentence = g_strdup_printf("%s, %s, should not be there", where, plan->actual);
}
