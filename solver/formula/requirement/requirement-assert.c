/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A failed assertion: the program calls a function that says so and does not come back. */
#include "solver/library/library.h"
#include "solver/formula/requirement.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

#include <string.h>

static bool assert_fails_by(const struct requirement_end *end)
{
	return end->end == RUN_ASSERT;
}

static bool assert_ends_run(const struct walk *w, const struct run_walker *l,
			    enum requirement_point point)
{
	(void)w;
	return point == REQUIREMENT_AFTER_STEP && l->step.exit_kind == TRACE_EXIT_AWAY &&
	       library_fails(l->step.native_name);
}

static void assert_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			  bool others_go_on)
{
	(void)others_go_on;
	requirement_forbid_path(w, l, point);
}

/* ---- in words ---- */

static const char *known_name(const char *name)
{
	return name && strcmp(name, "??") != 0 ? name : NULL;
}

/* Is the statement what failed, and not its call of a library that is not traced? */
static bool is_failed_statement(const struct image_statement *s, const struct requirement_end *end)
{
	g_autofree char *here = s ? g_path_get_basename(s->file) : NULL;
	g_autofree char *there = end->file ? g_path_get_basename(end->file) : NULL;

	return s && s->line == end->line && g_strcmp0(here, there) == 0;
}

/* The failure in the words of the recorded run or, where the run cannot say, in the assertion's. */
static void assert_describe(const struct requirement *r, const struct trace_point *m,
			    struct explanation *e)
{
	const struct image_statement *s = trace_point_statement(m);
	const struct requirement_end *end = &r->end;
	struct explanation_failure *f = &e->failure;
	g_autofree char *statement = NULL;

	f->function = explanation_string(e, is_failed_statement(s, end) ? s->function
					    : known_name(end->caller)	? end->caller
					    : known_name(end->function) ? end->function
					    : s				? s->function
									: NULL);
	f->file = explanation_string(e, end->file);
	f->line = end->line;
	if (is_failed_statement(s, end)) {
		f->file = explanation_string(e, s->file);
		f->column = s->column;
	}
	f->requirement = explanation_string(e, end->expression);
	trace_point_values(m, e, end->expression, f->values);
	statement = g_strdup_printf("assert(%s);", f->requirement);
	f->statement = explanation_string(e, statement);
	f->mended = (struct explanation_value){ f->requirement, "false -> true" };
	f->avoided = "false -> not run";
}

static char *assert_in_words(const struct requirement_end *end)
{
	return g_strdup_printf("assertion `%s' failed at %s:%u",
			       end->expression ? end->expression : "?", end->file ? end->file : "?",
			       end->line);
}

const struct requirement_kind requirement_assert = {
	.name = "assert",
	.fails_by = assert_fails_by,
	.ends_run = assert_ends_run,
	.encode = assert_encode,
	.describe = assert_describe,
	.in_words = assert_in_words,
};
