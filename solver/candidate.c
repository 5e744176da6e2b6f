/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/trial.h"
#include "solver/formula/witness.h"
#include "solver/search-private.h"

/* What one candidate may cost before the others are tried first: questions of
 * so many ms, so many runs that did not pass.  Each further pass over what is
 * left undecided gives twice as much. */
enum { MORE_INSNS = 1000000 }; /* that a new run may execute */
enum {
	QUESTION_MS = 50,
	LARGE_QUESTION_MS = 15,
	WITNESS_MS = 100,
	TRIAL_MS = 200,
	QUICK_TRIAL_MS = 20,
	CANDIDATE_RUNS = 4,
	LARGE_COST = 40000, /* gates */
	FEW_LESSONS = 2	    /* then sides are gone down without being asked for */
};

#define NO_RUN "rests on a side of a branch that no run took"
static const char not_here[] = "nothing could be run";

/* How much of something the present pass gives. */
static unsigned effort(const struct search *s, unsigned first)
{
	return first << s->pass;
}

static bool may_run_more(struct search *s)
{
	if (!s->runner)
		return false;
	if (s->runs->len < s->options.max_runs && search_time_left_ms(s))
		return true;
	s->complete = false;
	return false;
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

void candidate_actions_to(const struct search *s, int side, GArray *actions)
{
	const struct unexplored *u =
		&g_array_index(s->formula->unexplored, struct unexplored, (guint)side);
	const struct known_run *k = s->runs->pdata[u->run];
	struct trace_action turn = { .kind = TRACE_ACT_FORCE, .nth = u->nth };
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(k->record, u->pc, &link);

	g_array_set_size(actions, 0);
	if (!m || u->indirect)
		return;
	turn.module = trace_run_module_number(k->record, m);
	turn.thread = trace_run_chosen(k->record);
	turn.addr = link;
	turn.value[0] = u->outcome;
	g_array_append_vals(actions, k->actions->data, k->actions->len);
	g_array_append_val(actions, turn);
}

bool candidate_run(struct search *s, const GArray *actions, struct run_result *result,
		   GError **error)
{
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.record = true,
		.max_insns = MORE_INSNS + 8 * search_first_insns(s),
	};

	if (!s->runner->run(s->runner, &request, result, error))
		return false;
	g_debug("%.3f s, run with %u changes: end %d, status %d, %lu done",
		g_timer_elapsed(s->clock, NULL), actions->len, result->end, result->status,
		result->actions_done);
	return true;
}

char *candidate_sum(const GArray *actions)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)actions->data,
					   actions->len * sizeof(struct trace_action));
}

bool candidate_is_new(struct search *s, const GArray *actions)
{
	return g_hash_table_add(s->tried, candidate_sum(actions));
}

static void candidate_is_done(struct search *s)
{
	s->candidate_runs = 0;
	s->stuck = false;
}

static void defer(struct search *s)
{
	comss_defer(s->comss);
	candidate_is_done(s);
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
	candidate_is_done(s);
	return a;
}

static const struct trace_run *first_record(const struct search *s)
{
	return ((struct known_run *)s->runs->pdata[0])->record;
}

static struct path *path_of_question(struct search *s, const struct encoding_question *q, int *side)
{
	g_autofree term_bits *values =
		witness_near_the_run(s->own.encoding, q, MIN(search_time_left_ms(s), WITNESS_MS));

	*side = side_taken(s, values);
	return path_of_model(s->formula, values, first_record(s));
}

static const struct search_answer *answer(struct search *s, const struct encoding_question *q,
					  struct path *path, enum explanation_replay replay,
					  const char *note)
{
	struct search_answer *a = answer_new(s, q->relaxed, q->n, path);

	a->replay = replay;
	a->needs_run = replay == REPLAY_NOT_RUN && note != not_here;
	a->note = note;
	return a;
}

/* A run that did not pass shows what the formula did not know: it is merged, and
 * the candidate is to be asked again, now or when the others were. */
static void learn(struct search *s, const GArray *actions, struct run_result *result,
		  GError **error)
{
	uint64_t before = s->formula->steps;
	GError *failed = NULL;

	if (!search_add_run(s, result->record, result,
			    (const struct trace_action *)(const void *)actions->data, actions->len,
			    &failed)) {
		/* Without the thread that failed there is nothing to learn. */
		s->stuck = g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_OPEN);
		if (s->stuck)
			g_error_free(failed);
		else
			g_propagate_error(error, failed);
		return;
	}
	s->stuck = s->formula->steps == before;
	if (!s->stuck && ++s->learned == FEW_LESSONS)
		search_go_down_all(s, error);
	if (!s->stuck && ++s->candidate_runs >= effort(s, CANDIDATE_RUNS))
		defer(s);
}

/* Replays the path.  NULL with no error: not decided yet. */
static const struct search_answer *prove(struct search *s, const struct encoding_question *q,
					 struct path *path, GError **error)
{
	bool new = candidate_is_new(s, path->actions);
	struct run_result result = { 0 };

	if (!s->runner)
		return answer(s, q, path, REPLAY_NOT_RUN, not_here);
	if (!candidate_run(s, path->actions, &result, error)) {
		path_free(path);
		return NULL;
	}
	if (result.end == RUN_PASSED) {
		run_result_clear(&result);
		return answer(s, q, path, REPLAY_PASSES, NULL);
	}
	if (new && !s->stuck && may_run_more(s)) {
		learn(s, path->actions, &result, error);
		path_free(path);
		return NULL;
	}
	run_result_clear(&result);
	return answer(s, q, path, REPLAY_FAILS, "with these values the test fails in another way");
}

static const struct search_answer *prove_witness(struct search *s,
						 const struct encoding_question *q, GError **error)
{
	int side;

	return prove(s, q, path_of_question(s, q, &side), error);
}

/* A path by trial that was not tried before, or NULL. */
static struct path *path_by_trial(struct search *s, const struct encoding_question *q, bool quick,
				  unsigned ms)
{
	g_autofree term_bits *values =
		trial_witness(s->own.encoding, q, quick, MIN(search_time_left_ms(s), ms));
	struct path *path = values ? path_of_model(s->formula, values, first_record(s)) : NULL;
	g_autofree char *sum = path ? candidate_sum(path->actions) : NULL;

	if (path && !g_hash_table_contains(s->tried, sum))
		return path;
	path_free(path);
	return NULL;
}

/* The solver gave up: likely values. */
static const struct search_answer *try_values(struct search *s, const struct encoding_question *q,
					      GError **error)
{
	struct path *path = path_by_trial(s, q, false, effort(s, TRIAL_MS));

	g_debug("%.3f s, by trial: %s", g_timer_elapsed(s->clock, NULL), path ? "found" : "none");
	if (path)
		return prove(s, q, path, error);
	defer(s);
	return NULL;
}

/* Does the path turn a branch, not only change values? */
static bool turns_a_branch(const struct path *path)
{
	for (guint i = 0; i < path->actions->len; i++) {
		unsigned kind = g_array_index(path->actions, struct trace_action, i).kind;

		if (kind == TRACE_ACT_FORCE || kind == TRACE_ACT_JUMP)
			return true;
	}
	return false;
}

/* Replays the witness and learns nothing from it.  Where no new ways are wanted
 * it may only change values. */
static const struct search_answer *replay_only(struct search *s, const struct encoding_question *q,
					       struct path *path, GError **error)
{
	struct run_result result = { 0 };
	bool passed;

	if (!s->runner && !turns_a_branch(path))
		return answer(s, q, path, REPLAY_NOT_RUN, not_here);
	if (!may_run_more(s) || (!s->options.hijack && turns_a_branch(path)))
		return answer(s, q, path, REPLAY_NOT_RUN, NO_RUN);
	if (!candidate_run(s, path->actions, &result, error)) {
		path_free(path);
		return NULL;
	}
	passed = result.end == RUN_PASSED;
	run_result_clear(&result);
	return answer(s, q, path, passed ? REPLAY_PASSES : REPLAY_FAILS,
		      passed ? NULL : "with these values the test fails in another way");
}

/* The candidate holds only on a side that no run took.  A run with the model's
 * changes goes there; should it have been made, exactly that branch is turned.
 * When that teaches nothing either, the side is avoided. */
static const struct search_answer *explore(struct search *s, const struct encoding_question *q,
					   GError **error)
{
	int side;
	struct path *path = path_of_question(s, q, &side);
	g_autoptr(GArray) actions = g_array_copy(path->actions);
	struct run_result result = { 0 };

	if (!s->options.hijack || !s->runner)
		return replay_only(s, q, path, error);
	if (side < 0 || !may_run_more(s))
		return answer(s, q, path, REPLAY_NOT_RUN, NO_RUN);
	if (!candidate_is_new(s, actions)) {
		candidate_actions_to(s, side, actions);
		if (s->stuck || !actions->len || !candidate_is_new(s, actions)) {
			g_array_append_val(s->avoided, side);
			path_free(path);
			return NULL;
		}
	}
	if (candidate_run(s, actions, &result, error)) {
		if (result.end == RUN_PASSED && actions->len == path->actions->len) {
			run_result_clear(&result);
			return answer(s, q, path, REPLAY_PASSES, NULL);
		}
		learn(s, actions, &result, error);
	}
	path_free(path);
	return NULL;
}

/* It holds only where runs went on for longer than the formula follows them, or
 * where running did not help: a last try, which says nothing when it fails. */
static const struct search_answer *go_beyond(struct search *s, const struct encoding_question *q,
					     GError **error)
{
	int side;
	struct path *path = path_of_question(s, q, &side);
	struct run_result result = { 0 };
	bool passed;

	if (!s->options.hijack || !may_run_more(s))
		return replay_only(s, q, path, error);
	passed = candidate_run(s, path->actions, &result, error) && result.end == RUN_PASSED;
	run_result_clear(&result);
	if (passed)
		return answer(s, q, path, REPLAY_PASSES, NULL);
	path_free(path);
	defer(s);
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

/* With G_MESSAGES_DEBUG=all: what is asked, when. */
static void say_question(const struct search *s, const struct encoding_question *q,
			 enum smt_answer answer, const GArray *core)
{
	static const char *const answers[] = { "unsat", "sat", "unknown" };
	g_autofree char *asked = lines_of(s, q->relaxed, q->n);
	g_autofree char *why = lines_of(s, (const unsigned *)(const void *)core->data, core->len);

	g_debug("%.3f s, %u runs: lines%s%s: %s%s%s", g_timer_elapsed(s->clock, NULL), s->runs->len,
		asked,
		q->explored ? " where runs went"
		: q->avoid  ? " with new runs"
			    : " anywhere",
		answers[answer], core->len ? " because of" : "", why);
}

static unsigned question_ms(const struct search *s, unsigned n)
{
	return MIN(search_time_left_ms(s), effort(s, n > 1 ? LARGE_QUESTION_MS : QUESTION_MS));
}

static enum smt_answer check(struct search *s, const struct encoding_question *q, GArray *core)
{
	/* that the formula contradicts the requirement as it is has to be known */
	unsigned ms = q->n ? question_ms(s, q->n) : search_time_left_ms(s);
	enum smt_answer answer = encoding_check(s->own.encoding, q, ms, core);

	say_question(s, q, answer, core);
	return answer;
}

/* Sides that are not gone down: what runs did not explain, and ends of loops. */
static GArray *sides_to_avoid(struct search *s)
{
	GArray *avoid = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < s->avoided->len; i++) {
		uint32_t literal =
			encoding_avoid(s->own.encoding, g_array_index(s->avoided, guint, i));

		g_array_append_val(avoid, literal);
	}
	for (guint i = 0; i < s->formula->unexplored->len; i++) {
		uint32_t literal;

		if (!g_array_index(s->formula->unexplored, struct unexplored, i).cut)
			continue;
		literal = encoding_avoid(s->own.encoding, i);
		g_array_append_val(avoid, literal);
	}
	return avoid;
}

static void open_question(struct search *s, struct question *q, const unsigned *only, unsigned n,
			  uint32_t first)
{
	if (q->encoding)
		return;
	q->smt = smt_new(s->pool, s->options.solver);
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

/* Why it is none, the formula with all selectors tells; should the solver take
 * too long there: all the others are to blame.  So they are, unasked, when
 * nothing is relaxed: a smaller core would spare less than it takes. */
static void refute(struct search *s, const unsigned *set, unsigned n)
{
	struct encoding_question any = { set, n, false, NULL }, *q = &any;
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));

	open_question(s, &s->full, NULL, 0, 0);
	if (!n || encoding_check(s->full.encoding, q, question_ms(s, q->n), core) != SMT_UNSAT) {
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
	comss_refute(s->comss, (const unsigned *)(const void *)core->data, core->len);
	candidate_is_done(s);
}

/* Asks in turn: along ways that runs went; along others, but where that did not
 * help; anywhere. */
static const struct search_answer *ask(struct search *s, const unsigned *set, unsigned n,
				       GError **error)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_autoptr(GArray) avoid = sides_to_avoid(s);
	struct encoding_question known = { set, n, true, NULL };
	struct encoding_question new = { set, n, false, avoid };
	struct encoding_question any = { set, n, false, NULL };
	struct path *path = n == 1 ? path_by_trial(s, &known, true, QUICK_TRIAL_MS) : NULL;
	enum smt_answer answer;

	if (path)
		return prove(s, &known, path, error);
	answer = check(s, &known, core);
	if (answer == SMT_SAT)
		return prove_witness(s, &known, error);
	if (answer == SMT_UNKNOWN)
		return try_values(s, &known, error);
	answer = check(s, &new, core);
	if (answer == SMT_SAT)
		return explore(s, &new, error);
	if (answer == SMT_UNKNOWN)
		return try_values(s, &new, error);
	if (avoid->len)
		answer = check(s, &any, core);
	if (answer == SMT_SAT)
		return go_beyond(s, &any, error);
	if (answer == SMT_UNSAT)
		postpone(s, set, n);
	else
		defer(s);
	return NULL;
}

/* Numbers of the definitions that the set relaxes. */
static GArray *relaxed_definitions(const struct search *s, const unsigned *set, unsigned n)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < s->formula->defs->len; i++) {
		const struct def *d = &g_array_index(s->formula->defs, struct def, i);

		for (unsigned k = 0; d->expr && k < n; k++)
			if (set[k] == d->selector)
				g_array_append_val(numbers, i);
	}
	return numbers;
}

/* A large question is asked about the last changes first, which are most often
 * enough: all before them is worked in.  True when that led somewhere. */
static bool ask_about_the_last(struct search *s, const unsigned *set, unsigned n,
			       const struct search_answer **answer, GError **error)
{
	static const unsigned lasts[] = { 1, 2, 4, 8, 16 };
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	g_autoptr(GArray) numbers = relaxed_definitions(s, set, n);
	struct encoding_question known = { set, n, true, NULL };

	for (unsigned i = 0; i < G_N_ELEMENTS(lasts) && lasts[i] < numbers->len; i++) {
		g_autoptr(GArray) avoid = NULL;
		struct encoding_question new = { set, n, false, NULL };

		search_forget(s, &s->own);
		open_question(s, &s->own, set, n,
			      g_array_index(numbers, uint32_t, numbers->len - lasts[i]));
		new.avoid = avoid = sides_to_avoid(s);
		if (check(s, &known, core) == SMT_SAT) {
			*answer = prove_witness(s, &known, error);
			return true;
		}
		if (check(s, &new, core) == SMT_SAT) {
			*answer = explore(s, &new, error);
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
static struct path *path_of_passing_flip(const struct search *s, unsigned selector)
{
	for (uint32_t i = 0; has_passing_flip(s, selector) && i < s->formula->defs->len; i++) {
		const struct def *d = &g_array_index(s->formula->defs, struct def, i);
		g_autofree term_bits *values = NULL;
		g_autofree char *sum = NULL;
		struct path *path;

		if (d->kind != DEF_GUARD || d->selector != selector)
			continue;
		values = trial_values(s->formula, i, !d->actual);
		path = path_of_model(s->formula, values, first_record(s));
		sum = candidate_sum(path->actions);
		if (g_hash_table_contains(s->flips, sum))
			return path;
		path_free(path);
	}
	return NULL;
}

const struct search_answer *candidate_decide(struct search *s, const unsigned *set, unsigned n,
					     GError **error)
{
	const unsigned none = 0; /* of no members: not NULL, which means all */
	g_autoptr(GBytes) key = g_bytes_new(set, n * sizeof(*set));
	const struct search_answer *a = NULL;
	struct encoding_question flip = { set, n, false, NULL };
	struct path *path = n == 1 ? path_of_passing_flip(s, *set) : NULL;

	if (path)
		return answer(s, &flip, path, REPLAY_PASSES, NULL);
	if (g_hash_table_remove(s->refuted, key)) {
		refute(s, set, n);
		return NULL;
	}
	search_forget(s, &s->own);
	open_question(s, &s->own, n ? set : &none, n, 0);
	if (smt_cost(s->own.smt) < LARGE_COST || !ask_about_the_last(s, set, n, &a, error)) {
		search_forget(s, &s->own);
		open_question(s, &s->own, n ? set : &none, n, 0);
		a = ask(s, set, n, error);
	}
	search_forget(s, &s->own);
	return a;
}
