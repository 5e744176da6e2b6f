/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/secant-search.h"
#include "solver/query/concrete-search.h"
#include "solver/query/witness.h"
#include "solver/search/search-private.h"

/* What bounds a question about a set of n. */
static enum limit effort_limit(unsigned n)
{
	return n > 1 ? LIMIT_large_question_effort : LIMIT_question_effort;
}

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

/* The first unexplored side that the model goes down: its index, or -1. */
static int side_taken(const struct search *s, const term_bits *values)
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

static const struct trace_run *first_record(const struct search *s)
{
	return ((struct known_run *)s->runs->pdata[0])->record;
}

/* The path of these values (may be NULL) if it changes something and was not tried
 * before, or NULL. */
static struct model_path *untried_path(const struct search *s, const term_bits *values)
{
	struct model_path *path =
		values ? model_path_of_model(s->formula, values, first_record(s)) : NULL;
	g_autofree char *sum = path ? candidate_sum(path->actions) : NULL;

	if (path && path->changes->len && !g_hash_table_contains(s->tried, sum))
		return path;
	model_path_free(path);
	return NULL;
}

static char *lines_of(const struct search *s, const unsigned *set, unsigned n)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < n; i++) {
		const struct image_statement *st = s->selectors->statements->pdata[set[i]];

		g_string_append_printf(text, " %u", st->line);
	}
	return g_string_free(text, FALSE);
}

/* With GDB_WHY_LOG=search:debug: what is asked, when. */
static void say_question(const struct search *s, const struct encoding_question *q, const char *how,
			 enum smt_answer answer)
{
	static const char *const answers[] = { "unsat", "sat", "unknown" };
	g_autofree char *asked = lines_of(s, q->relaxed, q->n);

	g_debug("%.3f s, %u runs: lines%s%s: %s %s", g_timer_elapsed(s->clock, NULL), s->runs->len,
		asked,
		q->explored ? " where runs went"
		: q->avoid  ? " with new runs"
			    : " anywhere",
		answers[answer], how);
}

/* For questions that need no circuit, NULL where it does not serve.  To compare, Z3
 * is asked itself. */
static struct interval_solver *bisection(struct search *s)
{
	if (s->options.solver != SMT_BITBLAST || s->formula->has_floats)
		return NULL;
	if (!s->intervals)
		s->intervals = interval_solver_new(s->formula, search_incremental(s));
	return s->intervals;
}

/* The solver's model; *side: as side_taken says. */
static struct model_path *path_of_question(struct search *s, const struct encoding_question *q,
					   int *side)
{
	g_autofree term_bits *model = encoding_model(s->own.encoding, q), *values = NULL;

	if (bisection(s))
		values = interval_improve(s->intervals, q, s->limits->interval_work / 8, model);
	if (!values)
		values = witness_near_the_run(
			s->own.encoding, q,
			search_time_left_ms(s) ? (unsigned)s->limits->witness_questions : 0);
	*side = side_taken(s, values);
	return model_path_of_model(s->formula, values, first_record(s));
}

/* *path, *side: after SMT_SAT. */
static enum smt_answer intervals(struct search *s, const struct encoding_question *q,
				 struct model_path **path, int *side)
{
	g_autofree term_bits *values = NULL;
	enum smt_answer answer;

	if (!q->n || !bisection(s))
		return SMT_UNKNOWN;
	answer = interval_solver_decide(
		s->intervals, q, search_effort(s, s->limits->interval_work / (q->n > 1 ? 2 : 1)),
		&values);
	say_question(s, q, "by bisection", answer);
	if (answer == SMT_SAT) {
		*side = side_taken(s, values);
		*path = model_path_of_model(s->formula, values, first_record(s));
	}
	return answer;
}

static struct model_path *
path_by_concrete_search(struct search *s, const struct encoding_question *q, bool quick, int *side)
{
	g_autofree term_bits *values =
		concrete_search_witness(s->formula, search_incremental(s), q, quick);
	struct model_path *path = untried_path(s, values);

	if (path)
		*side = side_taken(s, values);
	return path;
}

/* Where there is floating point: circuits of it are large, and a solver cares
 * little for the numbers that it finds. */
static struct model_path *path_by_secant_search(struct search *s, unsigned selector, bool anywhere)
{
	g_autofree term_bits *values = NULL;
	struct model_path *path;

	if (!s->formula->has_floats)
		return NULL;
	/* not by time: what is found should not depend on the machine */
	values = secant_search_witness(s->formula, search_incremental(s), selector, anywhere,
				       search_effort(s, s->limits->secant_work),
				       g_get_monotonic_time() +
					       1000 * (gint64)search_time_left_ms(s));
	path = untried_path(s, values);
	g_debug("%.3f s, by descent: %s", g_timer_elapsed(s->clock, NULL), path ? "found" : "none");
	return path;
}

/* The solver gave up: likely values. */
static const struct search_answer *try_values(struct search *s, const struct encoding_question *q,
					      GError **error)
{
	const struct search_answer *found;
	struct model_path *path = NULL;
	int side;

	if (q->n != 1 || !s->formula->has_floats)
		path = path_by_concrete_search(s, q, false, &side);
	else if (s->pass && candidate_may_run(s)) /* new ways cost runs: once all were asked */
		path = path_by_secant_search(s, *q->relaxed, true);
	g_debug("%.3f s, by trial: %s", g_timer_elapsed(s->clock, NULL), path ? "found" : "none");
	if (path)
		return candidate_prove(s, q, path, error);
	found = q->n == 1 ? candidate_vary(s, q, error) : NULL;
	if (!found)
		candidate_defer(s, effort_limit(q->n));
	return found;
}

/* A single statement's likely values, before a circuit is made. */
static struct model_path *quick_path(struct search *s, const struct encoding_question *q, int *side)
{
	return q->n == 1 && !s->formula->has_floats ? path_by_concrete_search(s, q, true, side)
						    : NULL;
}

static unsigned question_ms(const struct search *s, unsigned n)
{
	return (unsigned)MIN(search_time_left_ms(s),
			     search_effort(s, s->limits->value[effort_limit(n)]));
}

static enum smt_answer check(struct search *s, const struct encoding_question *q, GArray *core)
{
	/* that the formula contradicts the requirement as it is has to be known */
	unsigned ms = q->n ? question_ms(s, q->n) : search_time_left_ms(s);
	enum smt_answer answer = encoding_check(s->own.encoding, q, ms, core);

	say_question(s, q, "by the solver", answer);
	return answer;
}

/* Sides that are not gone down: what runs did not explain, and ends of loops. */
static GArray *sides_to_avoid(const struct search *s)
{
	GArray *avoid = g_array_copy(s->avoided);

	for (uint32_t i = 0; i < s->formula->unexplored->len; i++)
		if (g_array_index(s->formula->unexplored, struct unexplored, i).cut)
			g_array_append_val(avoid, i);
	return avoid;
}

static void open_question(struct search *s, struct question *q, const unsigned *only, unsigned n,
			  uint32_t first)
{
	if (q->encoding)
		return;
	q->smt = smt_new(s->pool, s->options.solver);
	smt_set_end(q->smt, g_get_monotonic_time() + 1000 * (gint64)search_time_left_ms(s));
	q->encoding = encode(s->formula, q->smt, only, n, first);
}

/* The candidate is none.  Its core is asked for when the others were tried: each
 * run changes the formula, and with all selectors that is expensive. */
static void postpone(struct search *s, const unsigned *set, unsigned n)
{
	g_hash_table_add(s->refuted, g_bytes_new(set, n * sizeof(*set)));
	comss_postpone(s->comss);
	candidate_is_done(s);
}

/* All that matter, but those relaxed. */
static void blame_all_others(struct search *s, const struct encoding_question *q, GArray *core)
{
	g_array_set_size(core, 0);
	for (guint i = 0; i < s->full.encoding->selectors->len; i++) {
		unsigned other = g_array_index(s->full.encoding->selectors, unsigned, i);
		bool relaxed = false;

		for (unsigned k = 0; k < q->n; k++)
			relaxed |= q->relaxed[k] == other;
		if (!relaxed)
			g_array_append_val(core, other);
	}
}

/* Why it is none, bisection tells, or the formula with all selectors; should that
 * take too long: all the others are to blame.  So they are, unasked, when
 * nothing is relaxed: a smaller core would spare less than it takes. */
static void refute(struct search *s, const unsigned *set, unsigned n)
{
	struct encoding_question any = { set, n, false, NULL }, *q = &any;
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	bool few = n && bisection(s);

	if (!few || interval_core(s->intervals, q, s->limits->interval_work, core) != SMT_UNSAT) {
		open_question(s, &s->full, NULL, 0, 0);
		if (few || !n ||
		    encoding_check(s->full.encoding, q, question_ms(s, q->n), core) != SMT_UNSAT)
			blame_all_others(s, q, core);
	}
	comss_refute(s->comss, (const unsigned *)(const void *)core->data, core->len);
	candidate_is_done(s);
}

/* Along ways that runs went.  True when that led somewhere: an answer, or a run. */
static bool ask_where_runs_went(struct search *s, const struct encoding_question *q,
				const struct search_answer **found, GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer = SMT_UNSAT;
	struct model_path *path = NULL;
	int side;

	if ((answer = check(s, q, core)) == SMT_SAT)
		path = path_of_question(s, q, &side);
	if (path)
		*found = candidate_prove(s, q, path, error);
	else if (answer == SMT_UNKNOWN)
		*found = try_values(s, q, error);
	return path || answer == SMT_UNKNOWN;
}

/* The same along ways that no run went. */
static bool ask_where_no_run_went(struct search *s, const struct encoding_question *q,
				  const struct search_answer **found, GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer = SMT_UNSAT;
	int side;
	struct model_path *path = quick_path(s, q, &side);

	if (!path && (answer = check(s, q, core)) == SMT_SAT)
		path = path_of_question(s, q, &side);
	if (path)
		*found = candidate_explore(s, q, path, side, error);
	else if (answer == SMT_UNKNOWN)
		*found = try_values(s, q, error);
	return path || answer == SMT_UNKNOWN;
}

/* Anywhere, even where running did not help. */
static const struct search_answer *ask_anywhere(struct search *s, const struct encoding_question *q,
						GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer = check(s, q, core);
	int side;

	if (answer == SMT_SAT)
		return candidate_go_beyond(s, q, path_of_question(s, q, &side), error);
	if (answer == SMT_UNSAT)
		postpone(s, q->relaxed, q->n);
	else
		candidate_defer(s, effort_limit(q->n));
	return NULL;
}

/* Asks in turn: along ways that runs went, unless that is known to be unsatisfiable;
 * along others, but where that did not help; anywhere. */
static const struct search_answer *ask(struct search *s, const unsigned *set, unsigned n,
				       enum smt_answer where_runs_went, GError **error)
{
	g_autoptr(GArray) avoid = sides_to_avoid(s);
	struct encoding_question known = { set, n, true, NULL };
	struct encoding_question question = { set, n, false, avoid };
	struct encoding_question any = { set, n, false, NULL };
	const struct search_answer *found = NULL;

	if ((where_runs_went != SMT_UNSAT && ask_where_runs_went(s, &known, &found, error)) ||
	    ask_where_no_run_went(s, &question, &found, error))
		return found;
	if (avoid->len)
		return ask_anywhere(s, &any, error);
	postpone(s, set, n);
	return NULL;
}

/* The same without a circuit.  True when that led somewhere; else *where_runs_went says
 * what is known so far. */
static bool ask_by_bisection(struct search *s, const unsigned *set, unsigned n,
			     enum smt_answer *where_runs_went, const struct search_answer **found,
			     GError **error)
{
	g_autoptr(GArray) avoid = sides_to_avoid(s);
	struct encoding_question known = { set, n, true, NULL };
	struct encoding_question question = { set, n, false, avoid };
	struct encoding_question any = { set, n, false, NULL };
	enum smt_answer answer;
	struct model_path *path = NULL;
	int side;

	*where_runs_went = intervals(s, &known, &path, &side);
	if (path)
		*found = candidate_prove(s, &known, path, error);
	if (path || *where_runs_went == SMT_UNKNOWN)
		return path;
	answer = intervals(s, &question, &path, &side);
	if (path)
		*found = candidate_explore(s, &question, path, side, error);
	if (path || answer == SMT_UNKNOWN)
		return path;
	answer = avoid->len ? intervals(s, &any, &path, &side) : SMT_UNSAT;
	if (path)
		*found = candidate_go_beyond(s, &any, path, error);
	else if (answer == SMT_UNSAT)
		postpone(s, set, n);
	return answer != SMT_UNKNOWN;
}

/* Numbers of the definitions that the set relaxes. */
static GArray *relaxed_definitions(const struct search *s, const unsigned *set, unsigned n)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < s->formula->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(s->formula->definitions, struct definition, i);

		for (unsigned k = 0; d->expr && k < n; k++)
			if (set[k] == d->selector)
				g_array_append_val(numbers, i);
	}
	return numbers;
}

/* A large question is asked about the last changes first, which are most often
 * enough: all before them is worked in.  Of the very last bisection has told.  True when
 * that led somewhere. */
static bool ask_about_the_last(struct search *s, const unsigned *set, unsigned n,
			       enum smt_answer where_runs_went, const struct search_answer **answer,
			       GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_autoptr(GArray) numbers = relaxed_definitions(s, set, n);
	struct encoding_question known = { set, n, true, NULL };
	int side;

	for (guint last = bisection(s) ? 4 : 1;
	     last <= s->limits->last_changes && last < numbers->len; last *= 2) {
		g_autoptr(GArray) avoid = NULL;
		struct encoding_question question = { set, n, false, NULL };

		search_forget(s, &s->own);
		open_question(s, &s->own, set, n,
			      g_array_index(numbers, uint32_t, numbers->len - last));
		question.avoid = avoid = sides_to_avoid(s);
		if (where_runs_went != SMT_UNSAT && check(s, &known, core) == SMT_SAT) {
			struct model_path *path = path_of_question(s, &known, &side);

			*answer = candidate_prove(s, &known, path, error);
			return true;
		}
		if (check(s, &question, core) == SMT_SAT) {
			struct model_path *path = path_of_question(s, &question, &side);

			*answer = candidate_explore(s, &question, path, side, error);
			return true;
		}
	}
	return false;
}

static bool has_passing_flip(const struct search *s, unsigned selector)
{
	GHashTableIter i;
	gpointer of;

	g_hash_table_iter_init(&i, s->flips);
	while (g_hash_table_iter_next(&i, NULL, &of))
		if (GPOINTER_TO_UINT(of) == selector)
			return true;
	return false;
}

/* One of the selector's branches turned, as in a run that is known to pass. */
static struct model_path *path_of_passing_flip(struct search *s, unsigned selector)
{
	for (uint32_t i = 0; has_passing_flip(s, selector) && i < s->formula->definitions->len;
	     i++) {
		const struct definition *d =
			&g_array_index(s->formula->definitions, struct definition, i);
		g_autofree term_bits *values = NULL;
		g_autofree char *sum = NULL;
		term_bits turned = !d->actual;
		struct model_path *path;

		if (d->kind != DEF_GUARD || d->selector != selector)
			continue;
		incremental_change(search_incremental(s), &i, 1);
		incremental_set(search_incremental(s), &turned);
		values = incremental_values(search_incremental(s));
		path = model_path_of_model(s->formula, values, first_record(s));
		sum = candidate_sum(path->actions);
		if (g_hash_table_contains(s->flips, sum))
			return path;
		model_path_free(path);
	}
	return NULL;
}

const struct search_answer *candidate_decide(struct search *s, const unsigned *set, unsigned n,
					     GError **error)
{
	const unsigned none = 0; /* of no members: not NULL, which means all */
	g_autoptr(GBytes) key = g_bytes_new(set, n * sizeof(*set));
	const struct search_answer *a = NULL;
	struct encoding_question flip = { set, n, false, NULL }, known = { set, n, true, NULL };
	struct model_path *path = n == 1 ? path_of_passing_flip(s, *set) : NULL;
	enum smt_answer where_runs_went;
	int side;

	if (path)
		return candidate_answer(s, &flip, path, REPLAY_PASSES, NULL);
	if (g_hash_table_remove(s->refuted, key)) {
		refute(s, set, n);
		return NULL;
	}
	path = n == 1 ? path_by_secant_search(s, *set, false) : NULL;
	if (!path && ask_by_bisection(s, set, n, &where_runs_went, &a, error))
		return a;
	if (!path && where_runs_went == SMT_UNKNOWN)
		path = quick_path(s, &known, &side);
	if (path)
		return candidate_prove(s, &known, path, error);
	open_question(s, &s->own, n ? set : &none, n, 0);
	if (smt_cost(s->own.smt) < s->limits->large_question_gates ||
	    !ask_about_the_last(s, set, n, where_runs_went, &a, error)) {
		search_forget(s, &s->own);
		open_question(s, &s->own, n ? set : &none, n, 0);
		a = ask(s, set, n, where_runs_went, error);
	}
	search_forget(s, &s->own);
	return a;
}
