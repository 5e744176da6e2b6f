/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/failing-check.h"
#include "gdbext/question/check-notes.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/notes.h"
#include "solver/check/check-look.h"
#include "solver/formula/requirement/requirement-check.h"
#include "solver/formula/requirement/requirement-condition.h"
#include "solver/formula/run-walker.h"

#include <string.h>

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

/* The sites in images with changed code, where they are in the run's own. */
static struct check_sites *sites_of_changed(const struct question *q, struct image *const *images)
{
	struct check_sites *sites = check_sites_new(q->run.checks->table, images, q->run.n_images);
	size_t n;
	const struct check_site *all = check_sites_all(q->run.checks->sites, &n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < q->run.n_images && all[i].branch; k++) {
			const struct check_count count = {
				image_insn_at(images[k], all[i].insn->addr),
				image_insn_at(images[k], all[i].branch->addr),
				all[i].returns,
				false,
			};

			if (q->run.images[k] == all[i].image && count.store && count.branch)
				check_sites_add_count(sites, images[k], &count, all[i].counts,
						      all[i].compared);
		}
	return sites;
}

/* The run's own site for one of sites_of_changed; NULL = it has none there. */
static const struct check_site *own_site(const struct question *q, struct image *const *images,
					 const struct check_site *changed)
{
	for (size_t i = 0; i < q->run.n_images; i++)
		if (images[i] == changed->image)
			return check_sites_at(q->run.checks->sites, q->run.images[i],
					      changed->insn->addr);
	return NULL;
}

static guint executions_of_check(const struct checks_seen *seen, const struct check_site *site)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(seen->came_by, site));
}

/* Did the first run count this check as failed, too? */
static bool counted_before(const struct failing_check_question *f, const struct check_site *site,
			   uint64_t made)
{
	for (guint i = 0; i < f->seen.failing->len; i++)
		if (check_number(&f->seen, i)->site == site &&
		    check_number(&f->seen, i)->made == made)
			return true;
	return false;
}

/* It failed in the first run, too, at the same execution or at another one; or that run did not
 * come so far, because the check that is asked about, or another one, had ended its test. */
static bool failed_before(const struct failing_check_question *f, const struct failing_check *c)
{
	const struct failing_check *first = check_number(&f->seen, 0);

	if (c->site == first->site && c->made == first->made)
		return false;
	if (c->site->branch)
		return counted_before(f, c->site, c->made) ||
		       (c->site->returns && c->made > executions_of_check(&f->seen, c->site));
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
	met = !(first->condition || first->site->branch) ||
	      executions_of_check(&seen, first->site) >= first->made;
	for (guint i = 0; i < seen.failing->len && met; i++)
		met = failed_before(f, check_number(&seen, i));
	checks_seen_clear(&seen);
	return met;
}

/* Was each check of the first run made as often, at least? */
static bool made_as_many_checks(const struct failing_check_question *f, struct image *const *images,
				const struct checks_seen *seen)
{
	g_autoptr(GHashTable) now = g_hash_table_new(NULL, NULL);
	GHashTableIter checks;
	gpointer site, times;
	bool as_many = true;

	g_hash_table_iter_init(&checks, seen->came_by);
	while (g_hash_table_iter_next(&checks, &site, &times))
		g_hash_table_insert(now, (gpointer)own_site(f->q, images, site), times);
	g_hash_table_iter_init(&checks, f->seen.came_by);
	while (as_many && g_hash_table_iter_next(&checks, &site, &times))
		as_many =
			GPOINTER_TO_UINT(g_hash_table_lookup(now, site)) >= GPOINTER_TO_UINT(times);
	return as_many;
}

/* The same of a run whose code is that of other images.  It has to make all of the checks. */
static bool changed_passes_check(const struct question *q, const struct run_result *result,
				 struct image *const *images)
{
	const struct failing_check_question *f = q->check;
	struct check_sites *sites = sites_of_changed(q, images);
	struct checks_seen seen = { 0 };
	bool met = ended_well(result) &&
		   look_with(q, result->record, images, sites, NULL, &seen, NULL) && seen.whole;
	for (guint i = 0; met && i < seen.failing->len; i++) {
		struct failing_check c = *check_number(&seen, i);

		c.site = own_site(q, images, c.site);
		met = c.site && failed_before(f, &c);
	}
	met = met && made_as_many_checks(f, images, &seen);
	checks_seen_clear(&seen);
	check_sites_free(sites);
	return met;
}

bool failing_check_passes_with(const struct question *q, const struct trace_action *actions,
			       size_t n, bool *all)
{
	const struct run_source *s = &q->run;
	const struct limits *l = &q->o->limits;
	g_autofree struct image **images = g_memdup2(s->images, s->n_images * sizeof *images);
	const struct run_request request = {
		.actions = actions,
		.n_actions = n,
		.record = true,
		.images = images,
		.max_insns =
			l->memory_changed_times * replay_insns(&s->failing, s->failing.thread) +
			l->memory_changed_least,
		.thread = s->failing.thread,
	};
	struct run_result result = { 0 };
	bool passes = false;

	images[0] = image_changed(s->images[0], actions, n);
	if (images[0] && s->runner && s->runner->run(s->runner, &request, &result, NULL))
		passes = changed_passes_check(q, &result, images);
	*all = passes && result.end == RUN_PASSED;
	run_result_clear(&result);
	image_changed_free(images[0]);
	return passes;
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

/* One that failed in the first run, and is not asked about, does not end a path. */
static enum requirement_check_here counted_check_at(const struct failing_check_question *f,
						    const struct check_site *site,
						    const struct run_walker *l)
{
	const struct failing_check *first = check_number(&f->seen, 0);
	const uint64_t bias = trace_cursor_pc(l->cursor) - site->insn->addr;
	const uint64_t made = walker_count(l, site->branch->addr + bias);

	return counted_before(f, site, made) && (site != first->site || made != first->made)
		       ? REQUIREMENT_NO_CHECK
		       : REQUIREMENT_CHECK_FAILS;
}

/* The formula ends a path where a check fails. */
static enum requirement_check_here check_at(void *arg, const struct run_walker *l, char **condition)
{
	const struct failing_check_question *f = arg;
	const struct failing_check *first = check_number(&f->seen, 0);
	bool fails = false;
	const struct check_site *site =
		checks_at(l->run->record, f->q->run.checks->sites, l->cursor, &fails, condition);

	if (site && site->branch)
		return counted_check_at(f, site, l);
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

const struct image_statement *failing_check_decided_at(const struct question *q)
{
	const struct check_site *site = q->check ? check_number(&q->check->seen, 0)->site : NULL;
	const struct image_row *row =
		site && site->branch ? image_row_at(site->image, site->branch->addr) : NULL;

	return row ? image_statement(site->image, row->statement) : NULL;
}

const struct image_statement *failing_check_called_at(const struct question *q)
{
	return q->check ? check_number(&q->check->seen, 0)->caller : NULL;
}

/* The failing run before the check; stop is filled, and outlives the point. */
static struct trace_point *point_of_check(const struct question *q, const struct failing_check *c,
					  struct stop *stop, struct reverse_index *index,
					  GError **error)
{
	const struct run_source *run = &q->run;
	const struct image_row *row = image_row_at(c->site->image, c->site->insn->addr);

	*stop = (struct stop){ .image = c->site->image,
			       .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			       .count = c->nth,
			       .text = g_strdup("the check") };
	g_array_append_val(stop->places, c->site->insn->addr);
	return trace_point_new_at(run->images, run->n_images, run->failing.record,
				  run->failing.thread, stop,
				  row ? image_statement(c->site->image, row->statement)->line : 0,
				  index, &q->until, error);
}

static bool go_to_check(struct question *q, struct failing_check_question *f,
			const struct failing_check *c, GError **error)
{
	q->index = reverse_index_new(&q->o->limits);
	q->point = point_of_check(q, c, &f->stop, q->index, error);
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
	if (first->site->branch)
		requirement_condition_count(r.condition,
					    first->pc - first->site->insn->addr +
						    first->site->branch->addr,
					    first->made);
	f->is_only_one =
		f->seen.failing->len == 1 && f->seen.whole && q->run.failing.end != RUN_PASSED;
	f->sentence = check_notes_sentence(first);
	r.sentence = f->sentence;
	r.compared = first->site->compared;
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
	check_notes_none_made(q, &f->seen);
	if (!*found) {
		g_clear_pointer(&q->check, failing_check_free);
		return 0;
	}
	question_forget_requirement(q);
	if (!go_to_check(q, f, check_number(&f->seen, 0), error) ||
	    !require_failed_checks(q, f, error))
		return ending_status(*error);
	check_notes_call(q, check_number(&f->seen, 0));
	check_notes_others(q, &f->seen);
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
