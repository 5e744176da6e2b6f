/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test that does not end: its record was cut in the loop that goes on for ever, before a jump
 * back, or before a call of a recursion without end (solver/trace/endless-loop.h).  A path that
 * comes there with the same decisions goes on, so one of them has to be another.
 */
#include "solver/formula/requirement.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

static bool endless_fails_by(const struct requirement_end *end)
{
	return end->end == RUN_TIMEOUT;
}

static bool endless_ends_run(const struct walk *w, const struct run_walker *l,
			     enum requirement_point point)
{
	return point == REQUIREMENT_RAN_OUT && l->run->failed &&
	       w->options->requirement->kind == &requirement_endless;
}

static void endless_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			   bool others_go_on)
{
	(void)others_go_on;
	requirement_forbid_path(w, l, point);
}

/* ---- in words ---- */

static char *endless_in_words(const struct requirement_end *end)
{
	(void)end;
	return g_strdup("no end");
}

static void endless_describe(const struct requirement *r, const struct trace_point *m,
			     struct explanation *e)
{
	const char *called = r->end.endless;
	struct explanation_failure *f = &e->failure;

	requirement_describe_end(e, m, called ? called : "endless loop",
				 called ? "the recursion ends" : "the loop ends");
	f->statement = f->text;
	f->mended = (struct explanation_value){ called ? "the recursion" : "the loop",
						"goes on -> ends" };
	f->avoided = "goes on -> ends";
	if (f->text)
		trace_point_values(m, e, f->text, f->values);
}

const struct requirement_kind requirement_endless = {
	.name = "endless",
	.fails_by = endless_fails_by,
	.ends_run = endless_ends_run,
	.encode = endless_encode,
	.describe = endless_describe,
	.in_words = endless_in_words,
};
