/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One fault after the other: cores, proofs, rounds of tests, and what the user says of them. */
#include "gdbext/specs/study-private.h"

#include "gdbext/specs/proof.h"
#include "gdbext/specs/said.h"
#include "gdbext/specs/separate.h"
#include "solver/specs/core.h"

/* ---- what the user said ---- */

char *study_test_words(const struct study_test *t, const struct spec_types *types)
{
	g_autofree char *words = t->state  ? spec_state_words(t->state, types)
				 : t->text ? g_strdup(t->text)
					   : g_strjoinv(" ", t->argv + 1);
	g_autofree char *line = g_strescape(words, "\"");

	return t->state ? g_steal_pointer(&line)
			: g_strdup_printf("%s, call %" G_GUINT64_FORMAT, line, t->call);
}

bool study_test_is_said(const struct study *s, const struct study_test *t, bool *passes)
{
	g_autofree char *words = s->o->said ? study_test_words(t, s->probe->spec->types) : NULL;

	return words && said_of_test(s->o->said, words, passes);
}

/* What the test says of the fault: what the user said of it, or what it did.  False: it fails for
 * another reason. */
static bool is_seen_as(const struct study *s, const struct study_fault *f,
		       const struct study_test *t, struct locate_test *out)
{
	bool passes = false;

	*out = (struct locate_test){ t->lines, f->constraints };
	if (study_test_is_said(s, t, &passes) || t == f->first) {
		out->violated = passes ? 0 : f->constraints;
		return true;
	}
	out->violated = t->violated & ~f->others & ~separate_told(s, f, t);
	return !t->violated || (out->violated & f->constraints);
}

/* A failing test whose violation the user does not deny. */
static bool is_failing(const struct study *s, const struct study_test *t)
{
	bool passes = false;

	return t->violated && !(study_test_is_said(s, t, &passes) && passes);
}

static void clear_right(const struct study *s, struct locate *l)
{
	for (guint i = 0; s->o->said && i < s->statements->len; i++)
		if (said_is_right(s->o->said, s->statements->pdata[i]))
			locate_clear(l, s->statements->pdata[i]);
}

/* ---- rounds ---- */

static bool is_test_chosen(const struct study_fault *f, const struct study_test *t)
{
	return t == f->first || g_ptr_array_find(f->chosen, t, NULL);
}

/* The most similar test; the first one of equals. */
static struct study_test *most_similar(const struct study *s, const struct locate *l,
				       const struct study_fault *f, unsigned *best)
{
	struct study_test *found = NULL;

	*best = 0;
	for (guint i = 0; i < s->tests->len; i++) {
		struct study_test *t = s->tests->pdata[i];
		struct locate_test seen;
		unsigned similarity = is_test_chosen(f, t) || !is_seen_as(s, f, t, &seen)
					      ? 0
					      : locate_similarity(l, &seen);

		if (similarity > *best) {
			*best = similarity;
			found = t;
		}
	}
	return found;
}

static void add_all_statements(const struct study *s, struct locate *l)
{
	for (guint i = 0; i < s->statements->len; i++)
		locate_add_statement(l, s->statements->pdata[i]);
	clear_right(s, l);
}

/* The next test of this fault, made where that is necessary. */
static struct study_test *next_test(struct study *s, struct locate *l, const struct study_fault *f)
{
	unsigned best, made = 0;
	struct study_test *t;

	if (s->o->technique == LOCATE_SAT || f->chosen->len >= s->o->rounds)
		return NULL;
	t = most_similar(s, l, f, &best);
	while (best < locate_best_similarity(l) && made < s->o->limits->tests_a_round &&
	       !deadline_is_over(s->o->until) && study_make_test(s)) {
		made++;
		add_all_statements(s, l);
		t = most_similar(s, l, f, &best);
	}
	return t;
}

/* ---- faults ---- */

/* The predicate says no, or crashes. */
static struct requirement *violation_of(const struct spec_constraint *c,
					const struct run_result *run)
{
	struct requirement_end end = { .end = RUN_ASSERT,
				       .expression = c->rule->predicate,
				       .file = c->rule->file,
				       .line = c->rule->line };

	if (run->end == RUN_SIGNAL)
		end = (struct requirement_end){ .end = RUN_SIGNAL,
						.signo = run->signo,
						.signal = replay_signal_name(run->signo) };
	return requirement_new(&end);
}

/* Where the call begins in the run; 0: that is not known. */
static uint64_t first_step_of(const struct study *s, struct trace_run *run, uint64_t call)
{
	struct extent *e = study_extent(s, run, NULL);
	const struct extent_call *c = e && e->calls->len >= call ? e->calls->pdata[call - 1] : NULL;
	uint64_t first = c ? c->first : 0;

	extent_free(e);
	return first;
}

static bool add_core(struct study *s, struct locate *l, const struct study_test *t,
		     unsigned constraint, GError **error)
{
	const struct spec_constraint *c = spec_constraint(s->probe->spec, constraint);
	const struct probe_order order = { .kind = PROBE_ONE,
					   .number = constraint,
					   .call = t->call,
					   .state = t->state ? t->state->text : NULL };
	struct core_question q = { .lines = t->lines,
				   .solver = s->o->solver,
				   .limits = s->o->limits,
				   .until = s->o->until };
	struct probe_result r = { 0 };
	GHashTable *core = NULL;
	GHashTableIter i;
	gpointer line;
	bool minimal;

	s->n_runs++;
	if (probe_run(s->probe, t->argv, study_stdin(s, t->stdin_file), &order, &r, error) &&
	    (q.requirement = violation_of(c, &r.run)) &&
	    (q.run = study_open_record(s, r.run.record, error))) {
		q.first = first_step_of(s, q.run, t->call);
		core = core_find(&q, s->lift, &minimal, error);
	}
	if (core) {
		locate_add_core(l);
		g_hash_table_iter_init(&i, core);
		while (g_hash_table_iter_next(&i, &line, NULL))
			locate_add_suspect(l, line);
		g_hash_table_destroy(core);
	}
	trace_run_free(q.run);
	requirement_free((struct requirement *)q.requirement);
	probe_result_clear(&r);
	return core;
}

static void add_proofs(struct locate *l, GHashTable *proven)
{
	GHashTableIter i;
	gpointer line, value;

	locate_add_proofs(l);
	g_hash_table_iter_init(&i, proven);
	while (g_hash_table_iter_next(&i, &line, &value)) {
		const struct proof *p = value;

		g_debug("%s can mend the call: %d, likeness %.3f", (char *)line, (int)p->kind,
			p->likeness);
		locate_add_proof(l, line, p->kind / (double)PROOF_VALUE, p->likeness);
	}
}

/* A state that is set in memory keeps to what is demanded, but the program may never make it. */
static bool is_set_in_memory(const struct study_test *t)
{
	return t->state && !t->calls;
}

/* The next failing call that the fault may be asked about, those of the rounds first. */
static const struct study_test *next_to_ask(const struct study *s, const struct study_fault *f,
					    bool is_set, GHashTable *asked, locate_set *constraints)
{
	const GPtrArray *const from[] = { f->chosen, s->tests };

	for (size_t k = 0; k < G_N_ELEMENTS(from); k++)
		for (guint i = 0; i < from[k]->len; i++) {
			struct study_test *t = from[k]->pdata[i];
			struct locate_test seen;

			if (is_set_in_memory(t) == is_set && is_failing(s, t) &&
			    is_seen_as(s, f, t, &seen) && g_hash_table_add(asked, t)) {
				*constraints = seen.violated;
				return t;
			}
		}
	return NULL;
}

/* Asks about more failing calls, of the lines that are left. */
static void ask_others(struct study *s, struct locate *l, const struct study_fault *f,
		       GHashTable *proven)
{
	g_autoptr(GHashTable) asked = g_hash_table_new(NULL, NULL);
	const struct study_test *t;
	locate_set constraints;
	bool is_set = false;

	g_hash_table_add(asked, (gpointer)f->first);
	for (unsigned n = 1; n < s->o->limits->proof_calls && g_hash_table_size(proven) > 1; n++) {
		g_autoptr(GHashTable) left = NULL;

		t = next_to_ask(s, f, is_set, asked, &constraints);
		if (!t && n == 1) {
			is_set = true;
			t = next_to_ask(s, f, is_set, asked, &constraints);
		}
		if (!t)
			break;
		left = separate_proofs(s, t, constraints, proven);
		if (left)
			add_proofs(l, left);
	}
}

static void add_cores(struct study *s, struct locate *l, struct study_fault *f)
{
	g_autoptr(GError) error = NULL;

	if (s->o->technique == LOCATE_TAR_DT || s->o->technique == LOCATE_TAR_RAND)
		return;
	for (unsigned i = 0; i < s->probe->spec->constraints->len && i < SPEC_MOST_CONSTRAINTS; i++)
		if (f->constraints >> i & 1) {
			g_clear_error(&error);
			f->has_core |= add_core(s, l, f->first, i, &error);
		}
	if (!f->has_core)
		f->why_not = g_strdup(error ? error->message : "the call crashed");
}

/* The names in them become the study's own. */
static void keep_ratings(const struct study *s, struct study_fault *f, struct locate *l)
{
	GArray *ratings = g_array_copy((GArray *)locate_ratings(l));

	for (guint i = 0; i < ratings->len; i++) {
		struct locate_rating *r = &g_array_index(ratings, struct locate_rating, i);
		guint at = 0;

		g_ptr_array_find_with_equal_func(s->statements, r->statement, g_str_equal, &at);
		r->statement = s->statements->pdata[at];
	}
	g_ptr_array_add(f->ratings, ratings);
}

static enum study_reply ask_listener(const struct study *s, const struct study_fault *f,
				     const struct study_test *next)
{
	const struct study_listener *listener = s->o->listener;
	const struct study_round round = { f, next };

	return listener && listener->ask && !deadline_is_over(s->o->until)
		       ? listener->ask(listener->arg, &round)
		       : STUDY_GOES_ON;
}

static void play_rounds(struct study *s, struct locate *l, struct study_fault *f)
{
	enum study_reply reply;
	struct study_test *t;

	do {
		t = next_test(s, l, f);
		reply = ask_listener(s, f, t);
		if (reply == STUDY_SAID) {
			clear_right(s, l);
			g_ptr_array_remove_index(f->ratings, f->ratings->len - 1);
			keep_ratings(s, f, l);
		} else if (reply == STUDY_GOES_ON && t) {
			struct locate_test seen;

			is_seen_as(s, f, t, &seen);
			locate_add(l, &seen);
			g_ptr_array_add(f->chosen, t);
			keep_ratings(s, f, l);
		}
	} while (reply == STUDY_SAID || (reply == STUDY_GOES_ON && t));
	s->is_stopped = reply == STUDY_STOPS;
}

/* ---- the next fault ---- */

static bool counts_proven_lines(const struct study *s)
{
	return s->o->evidence && s->o->technique == LOCATE_SAT_TAR;
}

/* A failing call with violations that no fault that was told explains, and best one with no others;
 * *constraints: those. */
static const struct study_test *next_failing(const struct study *s, locate_set *constraints)
{
	const struct study_test *partly = NULL;

	for (guint i = 0; i < s->tests->len; i++) {
		const struct study_test *t = s->tests->pdata[i];
		locate_set left = t->violated & ~separate_told(s, NULL, t);

		if (!is_failing(s, t) || !left || (left != t->violated && !counts_proven_lines(s)))
			continue;
		if (left == t->violated || !partly)
			*constraints = left;
		if (left == t->violated)
			return t;
		partly = partly ? partly : t;
	}
	return partly;
}

/* Was a call asked about that violates just that? */
static bool is_violation_asked_about(const struct study *s, locate_set violated)
{
	for (guint i = 0; i < s->faults->len; i++)
		if (((struct study_fault *)s->faults->pdata[i])->first->violated == violated)
			return true;
	for (guint i = 0; i < s->presumed->len; i++)
		if (g_array_index(s->presumed, locate_set, i) == violated)
			return true;
	return false;
}

/* Does one fault break all that the call violates?  Two of them may each have their share. */
static bool is_of_one(const struct study *s, const struct study_test *t)
{
	for (guint i = 0; i < s->faults->len; i++)
		if (!(t->violated & ~((struct study_fault *)s->faults->pdata[i])->explains))
			return true;
	return false;
}

/* A failing call that was not asked about, and executes the line of a fault that breaks all that it
 * violates: the one that violates least.  That fault need not be why it does. */
static const struct study_test *next_presumed(const struct study *s)
{
	const struct study_test *found = NULL;

	for (guint i = 0; i < s->tests->len; i++) {
		const struct study_test *t = s->tests->pdata[i];

		if (is_failing(s, t) && !(t->violated & ~separate_told(s, NULL, t)) &&
		    is_of_one(s, t) && !is_violation_asked_about(s, t->violated) &&
		    (!found || separate_count(t->violated) < separate_count(found->violated)))
			found = t;
	}
	return found;
}

/* Likewise one that no fault that was told can be the reason of. */
static const struct study_test *next_unexplained(struct study *s, locate_set *constraints)
{
	const struct study_test *t;

	while ((t = next_failing(s, constraints)) && !deadline_is_over(s->o->until) &&
	       counts_proven_lines(s) && separate_is_told(s, t, *constraints))
		;
	while (!t && counts_proven_lines(s) && s->presumed->len < s->o->limits->presumed_calls &&
	       !deadline_is_over(s->o->until) && (t = next_presumed(s))) {
		*constraints = t->violated;
		g_array_append_val(s->presumed, t->violated);
		t = separate_is_told(s, t, *constraints) ? NULL : t;
	}
	return t;
}

static struct study_fault *fault_new(struct study *s, const struct study_test *first)
{
	struct study_fault *f = g_new0(struct study_fault, 1);

	f->first = first;
	f->chosen = g_ptr_array_new();
	f->ratings = g_ptr_array_new_with_free_func((GDestroyNotify)(void *)g_array_unref);
	g_ptr_array_add(s->faults, f);
	return f;
}

const struct study_fault *study_next(struct study *s, GError **error)
{
	locate_set constraints = 0;
	const struct study_test *first = s->is_stopped ? NULL : next_unexplained(s, &constraints);
	struct study_fault *f;
	GHashTable *proven = NULL;
	struct locate_test seen;
	struct locate *l;

	if (!deadline_check(s->o->until, error) || !first)
		return NULL;
	if (counts_proven_lines(s))
		proven = separate_one(s, first, &constraints);
	f = fault_new(s, first);
	f->proven = proven;
	f->constraints = constraints;
	f->others = first->violated & ~constraints;
	f->explains = constraints;
	if (s->o->listener)
		s->o->listener->begins(s->o->listener->arg, f);
	seen = (struct locate_test){ first->lines, constraints };
	l = locate_new(s->o->technique, &seen, (unsigned)s->o->limits->unchanged_rounds);
	add_all_statements(s, l);
	add_cores(s, l, f);
	if (proven)
		add_proofs(l, proven);
	keep_ratings(s, f, l);
	play_rounds(s, l, f);
	if (proven && g_hash_table_size(proven) > 1 && !s->is_stopped) {
		ask_others(s, l, f, proven);
		keep_ratings(s, f, l);
	}
	locate_free(l);
	return f;
}
