/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/search-private.h"
#include "solver/memory/memory.h"
#include "solver/search/technique.h"

static void answer_free(struct search_answer *a)
{
	g_array_free(a->selectors, TRUE);
	g_array_free(a->changed, TRUE);
	model_path_free(a->path);
	g_free(a);
}

void search_forget(struct search *s, struct question *q)
{
	if (q->smt) {
		s->checks += smt_checks(q->smt);
		s->work += smt_work(q->smt);
	}
	if (q->encoding)
		s->clauses = MAX(s->clauses, q->encoding->clauses);
	g_clear_pointer(&q->encoding, encoding_free);
	g_clear_pointer(&q->smt, smt_free);
}

void search_free(struct search *s)
{
	if (!s)
		return;
	search_forget_formula(s);
	comss_free(s->comss);
	g_ptr_array_free(s->answers, TRUE);
	g_ptr_array_free(s->runs, TRUE);
	g_hash_table_destroy(s->tried);
	g_hash_table_destroy(s->ways);
	g_hash_table_destroy(s->flips);
	g_hash_table_destroy(s->refuted);
	g_hash_table_destroy(s->varied);
	selector_table_free(s->selectors);
	trace_summary_free(s->summary);
	memory_code_free(s->code);
	lift_free(s->lift);
	g_timer_destroy(s->clock);
	g_array_free(s->avoided, TRUE);
	g_free(s);
}

struct search_paths search_paths(const struct search *s)
{
	struct search_paths p = s->paths;

	p.by_code = s->runs->len - search_runs(s);
	return p;
}

uint64_t search_insns_of(const struct known_run *k)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < trace_run_threads(k->record); i++)
		most = MAX(most, trace_run_head(k->record, i)->insns);
	return most;
}

uint64_t search_first_insns(const struct search *s)
{
	return search_insns_of(s->runs->pdata[0]);
}

struct search *search_new(struct image *const *images, size_t n_images, const char *record,
			  struct runner *runner, const struct search_options *options,
			  GError **error)
{
	struct search *s = g_new0(struct search, 1);

	s->options = *options;
	s->limits = s->options.walk.limits = limits_or_default(options->limits);
	s->images = images;
	s->n_images = n_images;
	s->runner = runner;
	s->first_record = record;
	s->lift = lift_new();
	s->code = memory_code_new(s->lift);
	s->runs = g_ptr_array_new_with_free_func((GDestroyNotify)known_run_free);
	s->tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->ways = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->flips = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->refuted = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					   (GDestroyNotify)g_bytes_unref, NULL);
	s->varied = g_hash_table_new(NULL, NULL);
	s->selectors = selector_table_new();
	s->options.walk.selectors = s->selectors;
	s->answers = g_ptr_array_new_with_free_func((GDestroyNotify)answer_free);
	s->clock = g_timer_new();
	s->avoided = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	s->complete = true;
	if (!search_add_run(s, record, NULL, NULL, 0, error))
		g_clear_pointer(&s, search_free);
	return s;
}

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

int search_side_taken(const struct search *s, const term_bits *values)
{
	struct term_memo *memo = term_memo_new(s->pool, value_in, (gpointer)values);
	int found = -1;

	for (guint i = 0; found < 0 && i < s->formula->unexplored->len; i++) {
		const struct unexplored *u =
			&g_array_index(s->formula->unexplored, struct unexplored, i);

		if (term_eval(memo, u->taken))
			found = (int)i;
	}
	term_memo_free(memo);
	return found;
}

const struct trace_run *search_first_record(const struct search *s)
{
	return ((struct known_run *)s->runs->pdata[0])->record;
}

struct model_path *search_untried_path(const struct search *s, const term_bits *values)
{
	struct model_path *path =
		values ? model_path_of_model(s->formula, values, search_first_record(s)) : NULL;
	g_autofree char *sum = path ? candidate_sum(path->actions) : NULL;

	if (path && path->changes->len && !g_hash_table_contains(s->tried, sum))
		return path;
	model_path_free(path);
	return NULL;
}

static char *lines_of_set(const struct search *s, const unsigned *set, unsigned n)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < n; i++) {
		const struct image_statement *st = s->selectors->statements->pdata[set[i]];

		g_string_append_printf(text, " %u", st->line);
	}
	return g_string_free(text, FALSE);
}

void search_say_question(const struct search *s, const struct encoding_question *q, const char *how,
			 enum smt_answer answer)
{
	static const char *const answers[] = { "unsat", "sat", "unknown" };
	g_autofree char *asked = lines_of_set(s, q->relaxed, q->n);

	g_debug("%.3f s, %u runs: lines%s%s: %s %s", g_timer_elapsed(s->clock, NULL), s->runs->len,
		asked,
		q->explored ? " where runs went"
		: q->avoid  ? " with new runs"
			    : " anywhere",
		answers[answer], how);
}

GArray *search_sides_to_avoid(const struct search *s)
{
	GArray *avoid = g_array_copy(s->avoided);

	for (uint32_t i = 0; i < s->formula->unexplored->len; i++)
		if (g_array_index(s->formula->unexplored, struct unexplored, i).cut)
			g_array_append_val(avoid, i);
	return avoid;
}

void search_open_question(struct search *s, struct question *q, const struct inlined_scope *scope)
{
	if (q->encoding)
		return;
	q->smt = smt_new(s->pool, s->options.solver);
	smt_end_at(q->smt, s->options.until);
	q->encoding = encode(s->formula, q->smt, scope, search_incremental(s));
}

enum limit search_effort_limit(unsigned n)
{
	return n > 1 ? LIMIT_large_question_effort : LIMIT_question_effort;
}

unsigned search_question_ms(const struct search *s, unsigned n)
{
	return (unsigned)MIN(search_time_left_ms(s),
			     search_effort(s, s->limits->value[search_effort_limit(n)]));
}

unsigned search_time_left_ms(const struct search *s)
{
	return (unsigned)deadline_left_ms(s->options.until, G_MAXINT);
}

uint64_t search_effort(const struct search *s, uint64_t first)
{
	return first << s->pass;
}

void search_cut(struct search *s, enum limit limit)
{
	s->complete = false;
	limits_reached(s->limits, limit);
}

static bool something_is_proven(const struct search *s)
{
	for (guint i = 0; i < s->answers->len; i++)
		if (((const struct search_answer *)s->answers->pdata[i])->replay == REPLAY_PASSES)
			return true;
	return false;
}

/* Work is counted in microseconds of a usual machine, because what is found must not depend on
 * how busy this machine is. */
uint64_t search_work(const struct search *s)
{
	return s->work + (s->full.smt ? smt_work(s->full.smt) : 0) +
	       (s->incremental ? incremental_work(s->incremental) / s->limits->terms_a_us : 0) +
	       (s->intervals ? interval_work(s->intervals) / s->limits->ranges_a_us : 0);
}

static uint64_t work_with_formulas(const struct search *s)
{
	return search_work(s) + s->made_terms * 1000 / s->limits->new_terms_a_ms;
}

/* Making formulas counts where a search is ended, and not in search_work(): what is tried of a
 * formula must not depend on how often it was made anew. */
bool search_is_out_of_work(const struct search *s)
{
	return s->options.most_work && work_with_formulas(s) > s->options.most_work;
}

void search_give_work(struct search *s, uint64_t most_work)
{
	s->options.most_work = most_work;
	s->complete = true;
}

/* A formula costs what the runs are long, however little the new one teaches. */
bool search_is_merged_enough(const struct search *s)
{
	return !s->options.thorough && s->merged_terms > s->limits->merged_terms &&
	       something_is_proven(s);
}

/* All single statements were asked about once. */
static void note_end_of_singles(struct search *s)
{
	if (!s->singles)
		s->singles = work_with_formulas(s);
}

/* Limits the work after the single statements, once something is proven: a share of the work
 * that these took, and a little more, unless the search has to be thorough. */
static bool patience_is_out(struct search *s, unsigned n)
{
	uint64_t now = work_with_formulas(s), patience;

	if (s->options.thorough)
		return false;
	if (n > 1)
		note_end_of_singles(s);
	patience = s->singles * s->limits->patience_percent / 100 + s->limits->patience_work;
	s->stopped_early = s->singles && now > s->singles + patience && something_is_proven(s);
	return s->stopped_early;
}

/* The next candidate.  When none is left in this pass, those that were deferred are tried
 * again, with what runs have shown since.  Then the postponed ones are refuted, which opens
 * larger sets. */
static const unsigned *next_search_candidate(struct search *s, unsigned *n, GError **error)
{
	enum limit limit = s->options.thorough ? LIMIT_thorough_passes : LIMIT_passes;
	const unsigned *candidate;

	while (!(candidate = comss_candidate(s->comss, n))) {
		if (s->unmerged) {
			note_end_of_singles(s);
			if (!search_merge(s, error))
				return NULL;
			comss_resume(s->comss);
		} else if (s->pass + 1 < s->limits->value[limit] && comss_resume(s->comss)) {
			note_end_of_singles(s);
			s->pass++;
			g_debug("pass %u", s->pass);
		} else if (!comss_resume_postponed(s->comss)) {
			if (comss_resume(s->comss)) {
				search_cut(s, limit);
			}
			return NULL;
		}
	}
	return candidate;
}

/* Merges the runs that wait before it decides the candidate, once the easy candidates were
 * asked, and unless the formula is too long for that. */
static const struct search_answer *decide_by_techniques(struct search *s, const unsigned *set,
							unsigned n, GError **error)
{
	const unsigned none = 0; /* of no members: not NULL, which means all */
	struct candidate c = { .set = n ? set : &none, .n = n };
	bool all = n > 1 || (s->pass && s->formula->steps < s->limits->merge_pending_steps);

	if (!all || search_merge(s, error))
		technique_decide(s, &c, error);
	return c.answer;
}

const struct search_answer *search_next(struct search *s, GError **error)
{
	const unsigned *candidate;
	GError *failed = NULL;
	unsigned n;

	if (!s->formula || /* the time was up while it was made anew */
	    (s->options.max_suspects && s->answers->len >= s->options.max_suspects)) {
		s->complete = false;
		return NULL;
	}
	if (s->options.all_paths && !s->all_paths) {
		s->all_paths = true;
		search_all_paths(s, &failed);
	}
	while (failed || (candidate = next_search_candidate(s, &n, &failed)) || failed) {
		g_autofree unsigned *set = NULL;
		const struct search_answer *a = NULL;

		if (!failed && deadline_check(s->options.until, &failed) && patience_is_out(s, n)) {
			search_cut(s, LIMIT_patience_percent);
			s->complete = false;
			return NULL;
		}
		if (!failed && search_is_out_of_work(s)) {
			s->complete = false;
			return NULL;
		}
		if (!failed) {
			set = g_memdup2(candidate, n * sizeof(*set));
			a = decide_by_techniques(s, set, n, &failed);
		}
		if (g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_LONG) ||
		    g_error_matches(failed, DEADLINE_ERROR, DEADLINE_ERROR_TIME)) {
			/* what was found so far stands */
			g_clear_error(&failed);
			s->complete = false;
			return NULL;
		}
		if (failed) {
			g_propagate_error(error, failed);
			return NULL;
		}
		if (a)
			return a;
	}
	return NULL;
}

const struct formula *search_formula(const struct search *s)
{
	return s->formula;
}

double search_formula_ms(const struct search *s)
{
	return s->formula_ms;
}

const struct selector_table *search_selectors(const struct search *s)
{
	return s->selectors;
}

double search_weight(const struct search *s, const struct search_answer *a)
{
	double weight = 0;

	for (guint i = 0; s->options.weighting && i < a->selectors->len; i++)
		weight += search_selector_weight(s, g_array_index(a->selectors, unsigned, i));
	return weight;
}

double search_score(const struct search *s, const struct search_answer *a)
{
	return s->options.weighting ? weighting_score(s->options.weighting, search_weight(s, a))
				    : 1.0 / MAX(a->selectors->len, 1);
}

bool search_complete(const struct search *s)
{
	return s->complete;
}

bool search_stopped_early(const struct search *s)
{
	return s->stopped_early;
}

static void tell_concretized(const struct formula *f, struct explanation_stats *stats)
{
	stats->concretized = f->concretized;
	for (guint i = 0; i < f->taken->len && i < EXPLANATION_TAKEN; i++) {
		const struct image_statement *s = f->taken->pdata[i];

		stats->taken[i] = (struct explanation_taken){ s->file, s->line };
	}
}

void search_stats(const struct search *s, struct explanation_stats *stats)
{
	stats->runs = search_runs(s);
	stats->iterations = s->iterations;
	stats->checks = s->checks;
	stats->clauses = s->clauses;
	stats->statements = s->selectors->statements->len;
	if (s->formula)
		tell_concretized(s->formula, stats);
	technique_stats(s, stats->techniques);
}

uint64_t search_executions(const struct search *s, uint64_t pc)
{
	return search_executions_before(s, pc) +
	       (s->summary ? trace_summary_count(s->summary, pc) : 0);
}

uint64_t search_steps_before(const struct search *s)
{
	return prefix_counts_steps(s->options.before);
}

uint64_t search_executions_before(const struct search *s, uint64_t pc)
{
	return prefix_counts_of(s->options.before, pc);
}
