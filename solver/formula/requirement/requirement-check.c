/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/requirement/requirement-check.h"
#include "solver/formula/requirement/requirement-condition.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

struct check {
	struct requirement base; /* first */
	struct requirement_check_options options;
};

static const struct check *check_required_by(const struct walk *w)
{
	return (const struct check *)w->options->requirement;
}

struct requirement *requirement_new_check(const struct requirement_end *end,
					  const struct requirement_check_options *options)
{
	struct check *r = g_new0(struct check, 1);

	r->base = (struct requirement){ .kind = options->is_only_one ? &requirement_one_check
								     : &requirement_check,
					.end = *end };
	r->options = *options;
	return &r->base;
}

static void check_free(struct requirement *requirement)
{
	requirement_free(((struct check *)requirement)->options.condition);
	g_free(requirement);
}

static enum requirement_check_here look_at_check(const struct walk *w, const struct run_walker *l,
						 char **condition)
{
	const struct check *r = check_required_by(w);

	*condition = NULL;
	return r->options.check_at(r->options.arg, l, condition);
}

static bool fails_here(const struct walk *w, const struct run_walker *l)
{
	g_autofree char *condition = NULL;

	return look_at_check(w, l, &condition) >= REQUIREMENT_CHECK_FAILS;
}

static bool check_ends_run(const struct walk *w, const struct run_walker *l,
			   enum requirement_point point)
{
	if (point == REQUIREMENT_BEFORE_STEP)
		return requirement_condition_is_next(check_required_by(w)->options.condition, l) ||
		       fails_here(w, l);
	return point != REQUIREMENT_AT_STEP &&
	       (l->step.exit_kind == TRACE_EXIT_AWAY || l->step.exit_kind == TRACE_EXIT_CUT);
}

/* Where a check failed: the one that is asked about, or another one. */
static void encode_here(struct walk *w, struct run_walker *l)
{
	const struct check *r = check_required_by(w);
	g_autofree char *condition = NULL;

	if (requirement_condition_is_next(r->options.condition, l))
		requirement_condition_require(r->options.condition, w, l);
	else if (look_at_check(w, l, &condition) == REQUIREMENT_CHECK_FAILS)
		requirement_condition_require_text(w, l, condition ? condition : "0");
}

/* An earlier check still has to hold.  Other runs in which it fails may go on anywhere, so they
 * are dropped here. */
static void check_pass(struct walk *w, struct run_walker *l)
{
	g_autofree char *condition = NULL;

	if (requirement_condition_is_next(check_required_by(w)->options.condition, l) ||
	    look_at_check(w, l, &condition) != REQUIREMENT_CHECK_HOLDS)
		return;
	requirement_condition_require_text(w, l, condition);
	for (guint i = w->active->len; i > 1; i--)
		if (fails_here(w, w->active->pdata[i - 1]))
			g_ptr_array_remove_index(w->active, i - 1);
}

/* A run that never comes to the call may do well, or not: whether it does, its replay tells.  One
 * that ended within an instruction, or without an end, did not. */
static void check_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			 bool others_go_on)
{
	const struct check *r = check_required_by(w);

	(void)others_go_on;
	if (point == REQUIREMENT_BEFORE_STEP)
		encode_here(w, l);
	else if (!r->options.may_stay_away || l->run->failed)
		requirement_forbid_path(w, l, point);
}

static bool check_met(const struct requirement *requirement, const struct run_result *result,
		      const struct run_request *request)
{
	const struct check *r = (const struct check *)requirement;

	return r->options.judge(r->options.arg, result, request);
}

/* ---- in words ---- */

static void check_describe(const struct requirement *requirement, const struct trace_point *m,
			   struct explanation *e)
{
	const struct check *r = (const struct check *)requirement;
	struct explanation_failure *f = &e->failure;

	const char *wanted = r->options.wanted;

	f->kind = r->options.kind ? r->options.kind : requirement_check.name;
	requirement_describe_end(e, m, r->options.sentence, wanted ? wanted : "the check passes");
	f->statement = f->text;
	if (r->options.is_assertion) {
		trace_point_values(m, e, wanted, f->values);
		f->avoided = "false -> not run";
	}
	if (r->options.compared)
		trace_point_values(m, e, r->options.compared, f->values);
	if (wanted) {
		f->mended = (struct explanation_value){ wanted, "false -> true" };
		return;
	}
	f->mended = (struct explanation_value){ "the check", "fails -> passes" };
}

const struct requirement_kind requirement_check = {
	.name = "check",
	.ends_run = check_ends_run,
	.pass = check_pass,
	.encode = check_encode,
	.met = check_met,
	.looks_at_record = true,
	.describe = check_describe,
	.free = check_free,
};

/* Nothing else keeps the test from passing, so its end tells. */
static bool one_check_met(const struct requirement *requirement, const struct run_result *result,
			  const struct run_request *request)
{
	(void)requirement, (void)request;
	return result->end == RUN_PASSED;
}

const struct requirement_kind requirement_one_check = {
	.name = "only check",
	.ends_run = check_ends_run,
	.pass = check_pass,
	.encode = check_encode,
	.met = one_check_met,
	.describe = check_describe,
	.free = check_free,
};
