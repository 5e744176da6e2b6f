/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search.h"
#include "solver/formula/comss.h"
#include "solver/formula/encode.h"

#include <string.h>

enum { MOST_REFINEMENTS = 4, QUESTION_MS = 10000 };

/* A run and what it was made with. */
struct known_run {
	struct run_result result; /* .record NULL for the failing run: not ours */
	struct trace_run *record;
	GArray *actions; /* struct trace_action */
	bool failed;
};

struct search {
	struct search_options options;
	struct image *const *images;
	size_t n_images;
	struct runner *runner;
	struct lift *lift;
	GPtrArray *runs;   /* struct known_run */
	GHashTable *tried; /* "run:pc:nth" of branches that were turned */
	struct selector_table *selectors;
	/* rebuilt with each run */
	struct term_pool *pool;
	struct formula *formula;
	struct smt *smt;
	struct encoding *encoding;
	struct comss *comss;
	GPtrArray *answers; /* struct search_answer */
	GTimer *clock;
	unsigned iterations, checks, refinements;
	bool complete;
};

static void known_run_free(struct known_run *k)
{
	trace_run_free(k->record);
	run_result_clear(&k->result);
	g_array_free(k->actions, TRUE);
	g_free(k);
}

static void answer_free(struct search_answer *a)
{
	g_array_free(a->selectors, TRUE);
	g_array_free(a->changed, TRUE);
	path_free(a->path);
	g_free(a);
}

static void forget_formula(struct search *s)
{
	if (s->smt)
		s->checks += smt_checks(s->smt);
	g_clear_pointer(&s->encoding, encoding_free);
	g_clear_pointer(&s->smt, smt_free);
	g_clear_pointer(&s->formula, formula_free);
	g_clear_pointer(&s->pool, term_pool_free);
}

void search_free(struct search *s)
{
	if (!s)
		return;
	forget_formula(s);
	comss_free(s->comss);
	g_ptr_array_free(s->answers, TRUE);
	g_ptr_array_free(s->runs, TRUE);
	g_hash_table_destroy(s->tried);
	selector_table_free(s->selectors);
	lift_free(s->lift);
	g_timer_destroy(s->clock);
	g_free(s);
}

static struct walk_run *runs_to_walk(const struct search *s)
{
	struct walk_run *w = g_new0(struct walk_run, s->runs->len);

	for (guint i = 0; i < s->runs->len; i++) {
		const struct known_run *k = s->runs->pdata[i];

		w[i] = (struct walk_run){ k->record,
					  (struct trace_action *)(void *)k->actions->data,
					  k->actions->len, k->failed };
	}
	return w;
}

static bool rebuild(struct search *s, GError **error)
{
	g_autofree struct walk_run *runs = runs_to_walk(s);

	forget_formula(s);
	s->iterations++;
	s->pool = term_pool_new();
	s->formula = walk_runs(s->pool, runs, s->runs->len, s->lift, &s->options.walk, error);
	if (!s->formula)
		return false;
	s->smt = smt_new(s->pool);
	s->encoding = encode(s->formula, s->smt);
	if (s->comss)
		comss_grow(s->comss, s->selectors->statements->len, NULL);
	else
		s->comss = comss_new(s->selectors->statements->len, NULL, s->options.max_size);
	return true;
}

static bool add_run(struct search *s, const char *directory, struct run_result *result,
		    const struct trace_action *actions, size_t n, GError **error)
{
	struct known_run *k = g_new0(struct known_run, 1);

	k->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	g_array_append_vals(k->actions, actions, (guint)n);
	k->failed = !result || (result->end != RUN_PASSED && result->end != RUN_STATUS);
	if (result)
		k->result = *result;
	k->record = trace_run_open(directory, s->images, s->n_images, error);
	if (!k->record) {
		known_run_free(k);
		return false;
	}
	g_ptr_array_add(s->runs, k);
	return rebuild(s, error);
}

struct search *search_new(struct image *const *images, size_t n_images, const char *record,
			  struct runner *runner, const struct search_options *options,
			  GError **error)
{
	struct search *s = g_new0(struct search, 1);

	s->options = *options;
	s->images = images;
	s->n_images = n_images;
	s->runner = runner;
	s->lift = lift_new();
	s->runs = g_ptr_array_new_with_free_func((GDestroyNotify)known_run_free);
	s->tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->selectors = selector_table_new();
	s->options.walk.selectors = s->selectors;
	s->answers = g_ptr_array_new_with_free_func((GDestroyNotify)answer_free);
	s->clock = g_timer_new();
	s->complete = true;
	if (!add_run(s, record, NULL, NULL, 0, error))
		g_clear_pointer(&s, search_free);
	return s;
}

static unsigned time_left_ms(const struct search *s)
{
	double left = s->options.timeout - g_timer_elapsed(s->clock, NULL);

	return left <= 0 ? 0 : (unsigned)MIN(left * 1000, QUESTION_MS);
}

static bool may_run_more(struct search *s)
{
	if (s->runs->len < s->options.max_runs && time_left_ms(s))
		return true;
	s->complete = false;
	return false;
}

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

/* The first unexplored side that the model goes down. */
static const struct unexplored *side_taken(const struct search *s, const term_bits *values)
{
	struct term_memo *memo = term_memo_new(s->pool, value_in, (gpointer)values);
	const struct unexplored *found = NULL;

	for (guint i = 0; !found && i < s->formula->unexplored->len; i++) {
		const struct unexplored *u =
			&g_array_index(s->formula->unexplored, struct unexplored, i);

		if (term_eval(memo, u->taken))
			found = u;
	}
	term_memo_free(memo);
	return found;
}

static bool fill_place(const struct search *s, const struct unexplored *u, struct trace_action *a)
{
	const struct known_run *k = s->runs->pdata[u->run];
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(k->record, u->pc, &link);

	if (!m)
		return false;
	*a = (struct trace_action){ .kind = TRACE_ACT_FORCE,
				    .module = trace_run_module_number(k->record, m),
				    .addr = link,
				    .nth = u->nth };
	a->value[0] = u->outcome;
	return true;
}

/* Runs the test along a known run up to a branch and down its other side.
 * False: no such run was made (tried before, or with error). */
static bool hijack(struct search *s, const struct unexplored *u, GError **error)
{
	const struct known_run *k = s->runs->pdata[u->run];
	g_autofree char *name = g_strdup_printf("%u:%lx:%lu", u->run, u->pc, u->nth);
	g_autoptr(GArray) actions = g_array_copy(k->actions);
	struct run_request request = { .record = true };
	struct run_result result = { 0 };
	struct trace_action turn;

	if (!g_hash_table_add(s->tried, g_steal_pointer(&name)) || !fill_place(s, u, &turn))
		return false;
	g_array_append_val(actions, turn);
	request.actions = (const struct trace_action *)(const void *)actions->data;
	request.n_actions = actions->len;
	if (!s->runner->run(s->runner, &request, &result, error))
		return false;
	return add_run(s, result.record, &result, request.actions, request.n_actions, error);
}

static struct search_answer *answer_new(struct search *s, const unsigned *set, unsigned n,
					struct path *path)
{
	struct search_answer *a = g_new0(struct search_answer, 1);

	a->selectors = g_array_new(FALSE, FALSE, sizeof(unsigned));
	if (n)
		g_array_append_vals(a->selectors, set, n);
	a->replay = REPLAY_NOT_RUN;
	a->path = path;
	a->changed = g_array_new(FALSE, FALSE, sizeof(struct def));
	for (guint i = 0; i < path->changes->len; i++) {
		uint32_t d = g_array_index(path->changes, struct path_change, i).def;

		g_array_append_val(a->changed, g_array_index(s->formula->defs, struct def, d));
	}
	g_ptr_array_add(s->answers, a);
	comss_accept(s->comss);
	s->refinements = 0;
	return a;
}

static const struct trace_run *first_record(const struct search *s)
{
	return ((struct known_run *)s->runs->pdata[0])->record;
}

/* A model of the candidate, as a path. */
static struct path *path_of_candidate(struct search *s, const unsigned *set, unsigned n)
{
	g_autofree term_bits *values = encoding_model(s->encoding, set, n);

	return path_of_model(s->formula, values, first_record(s));
}

/* Replays the witness.  NULL with no error: the run showed more of the program;
 * it was merged, and the candidate is to be asked again. */
static const struct search_answer *prove(struct search *s, const unsigned *set, unsigned n,
					 GError **error)
{
	struct path *path = path_of_candidate(s, set, n);
	struct run_request request = { (struct trace_action *)(void *)path->actions->data,
				       path->actions->len, true, 0 };
	struct run_result result = { 0 };
	struct search_answer *a;

	if (!s->runner->run(s->runner, &request, &result, error)) {
		path_free(path);
		return NULL;
	}
	if (result.end != RUN_PASSED && s->refinements < MOST_REFINEMENTS && may_run_more(s)) {
		s->refinements++;
		add_run(s, result.record, &result, request.actions, request.n_actions, error);
		path_free(path);
		return NULL;
	}
	a = answer_new(s, set, n, path);
	a->replay = result.end == RUN_PASSED ? REPLAY_PASSES : REPLAY_FAILS;
	if (a->replay == REPLAY_FAILS)
		a->note = "with these values the test fails in another way";
	run_result_clear(&result);
	return a;
}

/* The candidate holds only on a side that no run took. */
static const struct search_answer *explore(struct search *s, const unsigned *set, unsigned n,
					   GError **error)
{
	g_autofree term_bits *values = encoding_model(s->encoding, set, n);
	const struct unexplored *u = side_taken(s, values);
	struct search_answer *a;
	GError *failed = NULL;

	if (u && s->options.hijack && may_run_more(s) && hijack(s, u, &failed))
		return NULL;
	if (failed) {
		g_propagate_error(error, failed);
		return NULL;
	}
	a = answer_new(s, set, n, path_of_model(s->formula, values, first_record(s)));
	a->needs_run = true;
	a->note = "rests on a side of a branch that no run took";
	return a;
}

static const struct search_answer *ask(struct search *s, const unsigned *set, unsigned n,
				       GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer;

	answer = encoding_check(s->encoding, set, n, true, time_left_ms(s), core);
	if (answer == SMT_SAT)
		return prove(s, set, n, error);
	if (answer == SMT_UNSAT)
		answer = encoding_check(s->encoding, set, n, false, time_left_ms(s), core);
	if (answer == SMT_SAT)
		return explore(s, set, n, error);
	if (answer == SMT_UNSAT) {
		comss_refute(s->comss, (const unsigned *)(const void *)core->data, core->len);
	} else {
		s->complete = false;
		comss_give_up(s->comss);
	}
	return NULL;
}

const struct search_answer *search_next(struct search *s, GError **error)
{
	const unsigned *candidate;
	unsigned n;

	if (s->options.max_suspects && s->answers->len >= s->options.max_suspects)
		return NULL;
	while ((candidate = comss_candidate(s->comss, &n))) {
		g_autofree unsigned *set = g_memdup2(candidate, MAX(n, 1) * sizeof(*set));
		const struct search_answer *a;
		GError *failed = NULL;

		if (!time_left_ms(s)) {
			s->complete = false;
			return NULL;
		}
		a = ask(s, set, n, &failed);
		if (failed) {
			g_propagate_error(error, failed);
			return NULL;
		}
		if (a)
			return a;
	}
	return NULL;
}

const struct selector_table *search_selectors(const struct search *s)
{
	return s->selectors;
}

bool search_complete(const struct search *s)
{
	return s->complete;
}

void search_stats(const struct search *s, struct explanation_stats *stats)
{
	stats->runs = s->runs->len;
	stats->iterations = s->iterations;
	stats->checks = s->checks + (s->smt ? smt_checks(s->smt) : 0);
	stats->clauses = s->encoding ? s->encoding->clauses : 0;
	stats->statements = s->selectors->statements->len;
	stats->concretized = s->formula ? s->formula->concretized : 0;
}
