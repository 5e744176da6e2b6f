/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/failing-check.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/runs/sanitizer-report.h"
#include "solver/check/check-look.h"
#include "solver/formula/requirement/requirement-check.h"
#include "solver/formula/requirement/requirement-condition.h"

#include <string.h>

enum { MOST_NAMED = 3 };

struct failing_check_question {
	const struct question *q;
	struct checks_seen seen; /* of the failing run */
	struct stop stop;
	char *sentence;
	bool is_only_one, is_relaxed;
};

void failing_check_free(struct failing_check_question *f)
{
	if (!f)
		return;
	checks_seen_clear(&f->seen);
	stop_clear(&f->stop);
	g_free(f->sentence);
	g_free(f);
}

bool failing_check_is_only_one(const struct question *q)
{
	return !q->memory && (!q->check || q->check->is_only_one);
}

void failing_check_note(struct question *q)
{
	if (q->check && q->check->is_relaxed)
		notes_printf(q->e, "the test as a whole passes with none of these values; behind "
				   "the check there may be other failures");
}

bool failing_check_relax(struct question *q)
{
	if (!q->check || !q->requirement || q->requirement->kind != &requirement_one_check)
		return false;
	q->requirement->kind = &requirement_check;
	q->check->is_only_one = false;
	q->check->is_relaxed = true;
	q->e->failure.kind = requirement_check.name;
	return true;
}

static const struct failing_check *check_number(const struct checks_seen *seen, guint i)
{
	return &g_array_index(seen->failing, struct failing_check, i);
}

/* ---- a run ---- */

static bool look_with(const struct question *q, const char *record, struct image *const *images,
		      const struct check_sites *sites, const struct run_request *request,
		      struct checks_seen *seen, GError **error)
{
	const struct run_source *s = &q->run;
	struct trace_run *run = trace_run_open(record, images, s->n_images, error);
	bool ok = run && trace_run_choose(run, s->failing.thread, error);

	if (ok) {
		trace_run_end_at(run, &q->until);
		ok = checks_look(run, sites, request ? request->actions : NULL,
				 request ? request->n_actions : 0,
				 (guint)q->o->limits.failing_checks, seen, error);
	}
	trace_run_free(run);
	return ok;
}

static bool look_at_checks(const struct question *q, const char *record,
			   const struct run_request *request, struct checks_seen *seen,
			   GError **error)
{
	return look_with(q, record, q->run.images, q->run.checks->sites, request, seen, error);
}

static guint executions_of_check(const struct checks_seen *seen, const struct check_site *site)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(seen->came_by, site));
}

/* It failed in the first run, too, at the same execution or at another one; or that run did not
 * come so far, because the check that is asked about had ended its test. */
static bool failed_before(const struct failing_check_question *f, const struct failing_check *c)
{
	const struct failing_check *first = check_number(&f->seen, 0);

	if (c->site == first->site && c->nth == first->nth)
		return false;
	for (guint i = 0; i < f->seen.failing->len; i++)
		if (check_number(&f->seen, i)->site == c->site)
			return true;
	return c->nth > executions_of_check(&f->seen, c->site);
}

static bool ended_well(const struct run_result *result)
{
	return result->end == RUN_PASSED || result->end == RUN_STATUS;
}

static bool passes_check(void *arg, const struct run_result *result,
			 const struct run_request *request)
{
	const struct failing_check_question *f = arg;
	const struct failing_check *first = check_number(&f->seen, 0);
	struct checks_seen seen = { 0 };
	bool met;

	if (!ended_well(result) || !look_at_checks(f->q, result->record, request, &seen, NULL))
		return false;
	met = !first->condition || executions_of_check(&seen, first->site) >= first->nth;
	for (guint i = 0; i < seen.failing->len && met; i++)
		met = failed_before(f, check_number(&seen, i));
	checks_seen_clear(&seen);
	return met;
}

bool failing_check_is_avoided(const struct question *q, const char *record,
			      struct image *const *images)
{
	const struct failing_check *first = q->check ? check_number(&q->check->seen, 0) : NULL;
	struct checks_seen seen = { 0 };
	struct check_sites *sites;
	bool avoided;

	if (!first || !first->condition)
		return false;
	sites = check_sites_new(q->run.checks->table, images, q->run.n_images);
	avoided = look_with(q, record, images, sites, NULL, &seen, NULL);
	for (size_t i = 0; i < q->run.n_images && avoided; i++) {
		const struct check_site *same =
			check_sites_at(sites, images[i], first->site->insn->addr);

		if (q->run.images[i] == first->site->image)
			avoided = same && executions_of_check(&seen, same) < first->nth;
	}
	checks_seen_clear(&seen);
	check_sites_free(sites);
	return avoided;
}

/* The formula ends a path where a check fails. */
static enum requirement_check_here check_at(void *arg, const struct trace_run *run,
					    const struct trace_cursor *cursor, char **condition)
{
	const struct failing_check_question *f = arg;
	const struct failing_check *first = check_number(&f->seen, 0);
	bool fails = false;
	const struct check_site *site =
		checks_at(run, f->q->run.checks->sites, cursor, &fails, condition);

	if (site && !fails && *condition)
		return REQUIREMENT_CHECK_HOLDS;
	if (!site || !fails)
		return REQUIREMENT_NO_CHECK;
	for (guint i = 1; i < f->seen.failing->len; i++)
		if (check_number(&f->seen, i)->site == site && site != first->site)
			return REQUIREMENT_CHECK_FAILED;
	return REQUIREMENT_CHECK_FAILS;
}

/* ---- the failing run ---- */

static const struct image_statement *statement_of_check(const struct check_site *site)
{
	const struct image_row *row = image_row_at(site->image, site->insn->addr);

	return row ? image_statement(site->image, row->statement) : NULL;
}

/* The line of the source without what surrounds the check; NULL = it is not there. */
static char *source_of(const struct check_site *site)
{
	const struct image_statement *s = statement_of_check(site);
	const char *line = s ? image_source_line(site->image, s->file, s->line) : NULL;
	char *text = line ? g_strstrip(g_strdup(line)) : NULL;

	if (text && g_str_has_suffix(text, ";"))
		text[strlen(text) - 1] = 0;
	return text;
}

/* The check in the framework's words or, when they are not known, in the source's. */
static char *words_of_check(const struct failing_check *c)
{
	const struct check_framework *framework = c->site->rule->framework;
	const char *who = framework ? framework->name : c->site->name;
	g_autofree char *source = source_of(c->site);

	if (c->site->condition)
		return g_strdup_printf("assertion `%s' failed", c->site->condition);
	if (c->says && *c->says)
		return g_strdup_printf("%s: %s", who, c->says);
	if (!framework)
		return g_strdup_printf("%s is called", who);
	return source ? g_strdup_printf("%s: %s failed", who, source)
		      : g_strdup_printf("%s: a check failed", who);
}

static void note_others(struct question *q, const struct checks_seen *seen)
{
	guint n = seen->failing->len;

	for (guint i = 1; i < MIN(n, MOST_NAMED + 1); i++) {
		const struct failing_check *c = check_number(seen, i);
		const struct image_statement *s = statement_of_check(c->site);
		g_autofree char *words = words_of_check(c);
		g_autofree char *file = s ? g_path_get_basename(s->file) : g_strdup("?");

		notes_printf(q->e, "another check fails at %s:%u in %s; %s", file, s ? s->line : 0,
			     s ? s->function : "?", words);
	}
	if (n > MOST_NAMED + 1)
		notes_printf(q->e, "%u more checks fail%s", n - MOST_NAMED - 1,
			     n == q->o->limits.failing_checks ? ", or even more" : "");
}

/* Unless a check in the program's own code failed, a library function reported it. */
static void note_report(struct question *q, const struct checks_seen *seen)
{
	const char *where =
		seen->failing->len ? "" : ", in a library function that the program called there";
	const char *path = q->run.failing.err;
	g_autofree char *text = NULL, *report = NULL;

	if (path && g_file_get_contents(path, &text, NULL, NULL))
		report = sanitizer_report_of(text, q->o->directory);
	if (report)
		notes_printf(q->e, "AddressSanitizer reports %s%s", report, where);
}

/* Where a framework runs tests in processes that execute a program anew, for example. */
static void note_none_made(struct question *q, const struct checks_seen *seen)
{
	const struct check_framework *f = check_sites_framework(q->run.checks->sites, 0);

	if (f && f->inserted)
		note_report(q, seen);
	else if (f && !g_hash_table_size(seen->came_by))
		notes_printf(
			q->e,
			"no check of %s was made in the process that was recorded; tests that "
			"run in another program, or in this one executed anew, are not followed",
			f->name);
}

static bool go_to_check(struct question *q, struct failing_check_question *f,
			const struct failing_check *c, GError **error)
{
	const struct run_source *run = &q->run;

	f->stop = (struct stop){ .image = c->site->image,
				 .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
				 .count = c->nth,
				 .text = g_strdup("the check") };
	g_array_append_val(f->stop.places, c->site->insn->addr);
	q->index = reverse_index_new(&q->o->limits);
	q->point = trace_point_new_at(run->images, run->n_images, run->failing.record,
				      run->failing.thread, &f->stop, q->index, &q->until, error);
	return q->point != NULL;
}

static struct requirement *requirement_of_check(const struct question *q,
						const struct failing_check_question *f,
						const char *condition, GError **error)
{
	bool holds;

	return requirement_new_condition(q->run.images, q->run.n_images, q->run.failing.thread,
					 q->point, &f->stop, condition, &holds, error);
}

static bool require_failed_checks(struct question *q, struct failing_check_question *f,
				  GError **error)
{
	const struct failing_check *first = check_number(&f->seen, 0);
	const struct requirement_end end = failure_end(&q->run.failing);
	struct requirement_check_options r = { .may_stay_away = !first->condition,
					       .judge = passes_check,
					       .check_at = check_at,
					       .arg = f };

	if (first->condition)
		r.condition = requirement_of_check(q, f, first->condition, NULL);
	r.may_stay_away |= !r.condition;
	if (!r.condition)
		r.condition = requirement_of_check(q, f, "0", error);
	if (!r.condition)
		return false;
	f->is_only_one =
		f->seen.failing->len == 1 && f->seen.whole && q->run.failing.end != RUN_PASSED;
	f->sentence = words_of_check(first);
	r.sentence = f->sentence;
	r.is_only_one = f->is_only_one;
	if (first->site->condition && f->is_only_one) {
		r.kind = "assert";
		r.wanted = first->site->condition;
		r.is_assertion = true;
	}
	q->requirement = requirement_new_check(&end, &r);
	q->requirement->reporting = q->run.checks->reporting;
	q->requirement->inserted = q->run.checks->inserted;
	return true;
}

/* Does the run's end leave room for a failing check, and its record for finding it? */
static bool may_have_failed(const struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t bytes, insns;
	size_t n = 0;

	if (q->run.checks && q->run.checks->sites)
		check_sites_all(q->run.checks->sites, &n);
	return n && f->end != RUN_ASSERT && f->end != RUN_TIMEOUT && f->end != RUN_LIMIT &&
	       replay_is_whole(f, &bytes, &insns);
}

static int require_failing_check(struct question *q, bool *found, GError **error)
{
	struct failing_check_question *f = g_new0(struct failing_check_question, 1);

	failing_check_free(q->check);
	q->check = f;
	f->q = q;
	if (!look_at_checks(q, q->run.failing.record, NULL, &f->seen, error))
		return ending_status(*error);
	*found = f->seen.failing->len > 0;
	note_none_made(q, &f->seen);
	if (!*found)
		return 0;
	question_forget_requirement(q);
	if (!go_to_check(q, f, check_number(&f->seen, 0), error) ||
	    !require_failed_checks(q, f, error))
		return ending_status(*error);
	note_others(q, &f->seen);
	return 0;
}

int failing_check_require(struct question *q, bool *found, GError **error)
{
	*found = false;
	return may_have_failed(q) ? require_failing_check(q, found, error) : 0;
}

/* ---- assertions that the program defines itself ---- */

/* The call that reported one, from the innermost frame outwards; NULL = there is none. */
static const struct trace_insn *own_report(const struct question *q)
{
	struct image_frame frame = *trace_point_frame(q->point);
	const struct image *im = trace_point_image(q->point);
	uint64_t cfa;

	/* a direct call has five bytes, and .pc is in its last one */
	for (uint64_t i = 0; i < q->o->limits.overflow_frames && image_unwind(im, &frame, &cfa);
	     i++) {
		const struct trace_insn *call = image_insn_at(im, frame.pc - 4);

		if (call && check_sites_add_own(q->run.checks->sites, im, call))
			return call;
	}
	return NULL;
}

int failing_check_require_own(struct question *q, bool *found, GError **error)
{
	struct checks *c = q->run.checks;
	uint64_t bytes, insns;

	*found = false;
	if (!c || !c->sites || !q->point || q->run.failing.end == RUN_ASSERT ||
	    !replay_is_whole(&q->run.failing, &bytes, &insns) || !own_report(q))
		return 0;
	for (size_t i = 0; i < q->run.n_images; i++)
		check_sites_add_own_lines(q->run.images[i], c->reporting);
	return require_failing_check(q, found, error);
}

bool failing_check_is_own(const struct question *q)
{
	return q->check && q->check->seen.failing->len &&
	       check_number(&q->check->seen, 0)->site->condition;
}
