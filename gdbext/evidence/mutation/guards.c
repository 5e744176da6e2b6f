/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The missing condition: a mutant of a line mends all failing tests but breaks passing ones, so it
 * is right under a condition only, which solver/change/guard/guard.h learns from the values at
 * hand.
 */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "gdbext/replay/interrupt.h"
#include "solver/change/code/code-piece.h"
#include "solver/change/code/conditional-skip.h"
#include "solver/change/guard/executions.h"
#include "solver/rank/units.h"
#include "solver/source/polarity.h"

#include <string.h>

enum { CARRY = 1, PARITY = 4, ZERO = 0x40, SIGN = 0x80, OVERFLOW = 0x800 }; /* of the flags */

struct learner {
	struct mutation *m;
	const struct trial *t;
	const struct image *im;
	struct mutation_verdict *out;
};

/* By the condition code of a jump. */
static bool is_taken(unsigned code, uint64_t flags)
{
	bool less = !(flags & SIGN) != !(flags & OVERFLOW);
	const bool holds[] = {
		flags & OVERFLOW, flags & CARRY,  flags & ZERO, flags & (CARRY | ZERO),
		flags & SIGN,	  flags & PARITY, less,		less || (flags & ZERO)
	};

	return holds[code >> 1] != (code & 1);
}

/* Does a branch that is dropped go another way there than it does by itself? */
static bool is_changed(const struct learner *l, const struct mutant *base, uint64_t flags)
{
	size_t avail = 0;
	const uint8_t *bytes = image_bytes(l->im, base->addr, &avail);

	if (base->kind != MUTANT_DROPPED || !bytes || avail < 2)
		return true;
	return is_taken(bytes[bytes[0] == 0x0f ? 1 : 0] & 15, flags) != !!base->to;
}

/* ---- what is seen at the place of a mutant ---- */

GArray *mutation_probe(const struct mutation *m, const struct mutant *at, const GPtrArray *watches)
{
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct trace_action flags = { .kind = TRACE_ACTION_CODE_NOTE, .reg = TRACE_NOTE_FLAGS };
	struct code_piece piece = { 0 };
	size_t avail = 0, n;
	const uint8_t *now = image_bytes(replay_images(m->replay, &n)[0], at->addr, &avail);

	if (!now || avail < at->length || !code_piece_insns(&piece, now, at->length, at->addr)) {
		g_array_unref(actions);
		return NULL;
	}
	code_piece_actions(&piece, at->addr, at->length, actions);
	for (guint i = 0; i < watches->len; i++) {
		struct trace_action note = watch_note(watches->pdata[i]);

		g_array_append_val(actions, note);
	}
	g_array_append_val(actions, flags);
	return actions;
}

/* False when the test does not come to the place, so that no guard can change anything, or when
 * nothing is known of it. */
static bool add_hits(struct learner *l, const struct mutant *base, const struct neighbour *t,
		     bool failing, const GArray *probe, struct guard_samples *s)
{
	unsigned n = 0, width = s->watches->len + 1;
	g_autoptr(GArray) notes = mutation_notes(l->m, t, probe, &n);
	guint before = s->hits->len;

	if (!notes || n != width)
		return false;
	for (guint i = 0; i + width <= notes->len && i / width < l->m->limits->guard_hits;
	     i += width) {
		const struct trace_note *at = &g_array_index(notes, struct trace_note, i);
		struct guard_hit hit = { t->number, failing, s->values->len };

		if (!is_changed(l, base, at[s->watches->len].value))
			continue;
		g_array_append_vals(s->values, at, width);
		g_array_append_val(s->hits, hit);
	}
	return s->hits->len > before;
}

/* What was seen so far of a mutant's place. */
struct sight {
	GArray *probe;
	struct guard_samples samples;
	guint failing, broken; /* so many tests of each were run */
};

static void sight_init(struct sight *s, struct learner *l, const struct mutant *base)
{
	*s = (struct sight){
		.samples.watches = watches_at(l->im, base->addr, l->m->limits),
		.samples.hits = g_array_new(FALSE, FALSE, sizeof(struct guard_hit)),
		.samples.values = g_array_new(FALSE, FALSE, sizeof(struct trace_note)),
		.samples.reals = mutator_reals(l->m->mutator),
	};
	s->probe = mutation_probe(l->m, base, s->samples.watches);
}

static void sight_clear(struct sight *s)
{
	if (s->probe)
		g_array_unref(s->probe);
	g_ptr_array_unref((GPtrArray *)s->samples.watches);
	g_array_unref(s->samples.hits);
	g_array_unref(s->samples.values);
}

/* Looks at the first so many of both kinds of tests; broken: NULL = none.  False: no guard can
 * serve, since a failing test never comes to the place. */
static bool look_at_tests(struct sight *s, struct learner *l, const struct mutant *base,
			  const GPtrArray *broken, guint most)
{
	for (; s->probe && s->failing < MIN(most, l->t->failing->len); s->failing++)
		if (!add_hits(l, base, l->t->failing->pdata[s->failing], true, s->probe,
			      &s->samples))
			return false;
	for (; s->probe && broken && s->broken < MIN(most, broken->len); s->broken++)
		add_hits(l, base, broken->pdata[s->broken], false, s->probe, &s->samples);
	return s->probe;
}

static guint hits_of(const struct sight *s, bool failing)
{
	guint n = 0;

	for (guint i = 0; i < s->samples.hits->len; i++)
		n += g_array_index(s->samples.hits, struct guard_hit, i).failing == failing;
	return n;
}

/* How many passing tests may seem to speak against a guard; the runs with it decide. */
static unsigned spare_of(const struct learner *l, guint passing)
{
	return passing * (unsigned)l->m->limits->guard_spare / 100;
}

/* struct guard; NULL = nothing can be learned.  mends: the mutant mends all failing tests.  When it
 * does not, as it is always in force, a guard can only help if they come to the place more than
 * once.  Where no guard tells all tests apart, a passing one may come to the place again once the
 * guard holds, which was not seen. */
static GArray *learn_guards(struct sight *s, const struct learner *l, bool mends)
{
	const GArray *constants = mutator_constants(l->m->mutator);
	GArray *guards;

	if (!hits_of(s, false) || (!mends && hits_of(s, true) <= s->failing))
		return NULL;
	guards = guards_learn(&s->samples, constants, l->m->limits);
	if (guards->len || s->samples.spare)
		return guards;
	g_array_unref(guards);
	s->samples.spare = spare_of(l, s->broken);
	guards = guards_learn(&s->samples, constants, l->m->limits);
	s->samples.spare = 0;
	return guards;
}

/* ---- trying a guard ---- */

static const char *keep_guard_text(struct learner *l, char *text)
{
	const char *kept = g_string_chunk_insert(l->m->words, text);

	g_free(text);
	return kept;
}

/* A dropped branch makes the source's condition true or false; the branch's polarity says which.
 * False: it is not known. */
static bool find_known_polarity(const struct learner *l, const struct mutant *base,
				struct polarity *p)
{
	struct sources *sources = sources_new(l->im);
	bool known;

	polarity_find(l->im, sources, l->m->limits, base->addr, p);
	known = p->meaning == POLARITY_TAKEN_IS_TRUE || p->meaning == POLARITY_TAKEN_IS_FALSE;
	sources_free(sources);
	return known;
}

/* `if (a) x; else y;' with another `if' before x: the `else' would be that one's. */
static bool takes_else(const struct learner *l, const struct mutant *base)
{
	const struct image_statement *s = mutation_statement(l->m, base->addr);
	const char *next = s ? image_source_line(l->im, s->file, s->line + 1) : NULL;

	return next && g_regex_match_simple("^\\s*else\\b", next, 0, 0);
}

/* Of a condition whose branch nobody knows how to read, nothing can be typed. */
static bool is_guard_tellable(const struct learner *l, const struct mutant *base)
{
	struct polarity p = { 0 };
	bool known;

	if (base->kind == MUTANT_SKIPPED || base->kind == MUTANT_REMOVED)
		return !takes_else(l, base);
	known = base->kind != MUTANT_DROPPED ||
		(find_known_polarity(l, base, &p) &&
		 (!p.clause || mutation_has_text(l->m, base->addr, p.clause)));
	polarity_clear(&p);
	return known;
}

/* Does it say where the condition is added, that it is? `|| g' behind `a && b' is `(a && b) || g'.
 */
static bool is_added_anywhere(const struct learner *l, const struct mutant *base,
			      const char *clause, bool with_or)
{
	const char *text = mutation_text(l->m, base->addr), *last = NULL;

	if (!text || !clause || !strstr(text, with_or ? "&&" : "||"))
		return true;
	for (const char *at = text; !with_or && (at = strpbrk(at, "&|")); at++)
		last = at[0] == at[1] ? at : last;
	return last && strstr(last, clause);
}

static void describe_branch(struct learner *l, const struct mutant *base, const char *holds,
			    const char *fails)
{
	struct polarity p;
	const bool known = find_known_polarity(l, base, &p);
	const bool is_true = (p.meaning == POLARITY_TAKEN_IS_TRUE) == !!base->to;
	const char *sign = is_true ? "||" : "&&";

	l->out->guard = keep_guard_text(l, g_strdup(known && !is_true ? fails : holds));
	l->out->change =
		keep_guard_text(l, is_added_anywhere(l, base, p.clause, is_true)
					   ? g_strdup_printf("`%s %s' added", sign, l->out->guard)
					   : g_strdup_printf("`(%s %s %s)' for `%s'", p.clause,
							     sign, l->out->guard, p.clause));
	polarity_clear(&p);
}

/* "return -1", as it stands in another line of the function. */
static char *text_of_return(const struct learner *l, const struct mutant *base)
{
	const struct image_row *row = image_row_at(l->im, base->addr);
	const struct image_statement *s = image_statement(l->im, row->statement);
	const char *text = image_source_line(l->im, s->file, (unsigned)base->to);
	const size_t blank = text ? strspn(text, " \t") : 0;

	return text && text[blank] != '}' ? g_strndup(text + blank, strcspn(text + blank, ";"))
					  : g_strdup("return");
}

static char *words_of_skip(const struct learner *l, const struct mutant *base, const char *holds,
			   const char *fails)
{
	g_autofree char *way_out = base->to ? text_of_return(l, base) : NULL;

	return way_out	    ? g_strdup_printf("`if (%s) %s;' before it", holds, way_out)
	       : base->from ? g_strdup_printf("`if (%s)' before it, down to line %" G_GINT64_FORMAT,
					      fails, base->from)
			    : g_strdup_printf("`if (%s)' before it", fails);
}

static void describe_guard(struct learner *l, const struct mutant *base, const struct guard *g)
{
	struct guard negated = guard_negated(g);
	g_autofree char *holds = guard_text(g), *fails = guard_text(&negated);
	g_autofree char *change = NULL;

	if (base->kind == MUTANT_DROPPED) {
		describe_branch(l, base, holds, fails);
	} else if (base->kind == MUTANT_SKIPPED || base->kind == MUTANT_REMOVED) {
		l->out->guard = keep_guard_text(l, g_strdup(base->to ? holds : fails));
		l->out->change =
			keep_guard_text(l, base->kind == MUTANT_SKIPPED
						   ? words_of_skip(l, base, holds, fails)
						   : g_strdup_printf("`if (%s)' before it", fails));
	} else {
		change = mutation_told(l->m, base);
		l->out->guard = keep_guard_text(l, g_strdup(holds));
		l->out->change =
			keep_guard_text(l, g_strdup_printf("%s where `%s'", change, holds));
	}
}

static bool try_guard(struct learner *l, const struct mutant *base, const struct guard *g)
{
	g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct mutation_verdict v = { .best = *base, .failing = l->t->failing->len };
	struct code_piece piece = { 0 };

	if (!is_guard_tellable(l, base) || !code_piece_guard(&piece, g, base, l->im))
		return false;
	code_piece_actions(&piece, base->addr, base->length, changes);
	if (!mutation_mends_all(l->m, l->t, changes, NULL) ||
	    mutation_breaks_more_than(l->m, l->t, changes, 0, &v) ||
	    !mutation_is_still_checked(l->m, l->t->failing->pdata[0], changes))
		return false;
	v.mended = v.failing;
	v.effort = guard_effort(base, g, l->m->limits);
	v.actions = changes;
	g_ptr_array_add(l->m->guarded, g_steal_pointer(&changes));
	*l->out = v;
	describe_guard(l, base, g);
	return true;
}

/* Passing tests that fail with a mutant alone, which mends all failing ones. */
struct broken {
	GArray *changes;
	GPtrArray *tests; /* const struct neighbour * */
	guint next;	  /* passing test to be run */
};

static void broken_init(struct broken *b, const struct mutant *base)
{
	*b = (struct broken){ .changes = g_array_new(FALSE, FALSE, sizeof(struct trace_action)),
			      .tests = g_ptr_array_new() };
	mutant_actions(base, b->changes);
}

static void broken_clear(struct broken *b)
{
	g_array_unref(b->changes);
	g_ptr_array_unref(b->tests);
}

/* Finds more, up to so many in all. */
static void find_broken(struct broken *b, struct learner *l, guint most)
{
	const GPtrArray *passing = l->t->passing;

	for (; b->next < passing->len && b->tests->len < most && !mutation_is_spent(l->m);
	     b->next++)
		if (!mutation_passes(l->m, &l->m->plain, passing->pdata[b->next], b->changes))
			g_ptr_array_add(b->tests, passing->pdata[b->next]);
}

/* Would the mutant under the guard come far behind a change of another line that is known? */
static bool costs_too_much(const struct learner *l, const struct mutant *base,
			   const struct guard *g)
{
	const struct limits *limits = l->m->limits;

	return guard_effort(base, g, limits) >= l->m->least + (double)limits->guard_margin / 100;
}

/* Tries guards, the cheapest first, and takes the first one that mends the failing tests and
 * breaks no passing one. */
static bool try_guards(struct learner *l, const struct mutant *base, const GArray *guards)
{
	for (guint i = 0; guards && i < guards->len && !mutation_is_spent(l->m); i++) {
		const struct guard *g = &g_array_index(guards, struct guard, i);

		if (costs_too_much(l, base, g) ||
		    (l->out->effort && guard_effort(base, g, l->m->limits) >= l->out->effort))
			return false;
		if (try_guard(l, base, g))
			return true;
	}
	return false;
}

static void say_learned(const struct mutant *base, const struct sight *s, const GArray *guards,
			bool done)
{
	g_debug("mutant of kind %d at %#" G_GINT64_MODIFIER
		"x: %u failing, %u passing tests, %u executions of %u variables, %u conditions%s",
		base->kind, base->addr, s->failing, s->broken, s->samples.hits->len,
		s->samples.watches->len, guards ? guards->len : 0, done ? ", one serves" : "");
}

/* Few tests are told apart by many a condition, which says nothing then. */
static bool tell_enough(const struct learner *l, const GPtrArray *passing)
{
	guint failing = l->t->failing->len;

	return failing && passing->len && failing + passing->len >= l->m->limits->guard_least;
}

/* Looks at a few tests first: where they have no condition, more have none either. */
static bool learn_and_try(struct learner *l, const struct mutant *base, struct broken *b)
{
	const guint few = (guint)l->m->limits->guard_few, most = (guint)l->m->limits->guard_tests;
	g_autoptr(GArray) guards = NULL;
	struct sight s;
	bool done;

	sight_init(&s, l, base);
	find_broken(b, l, few);
	if (look_at_tests(&s, l, base, b->tests, few))
		guards = learn_guards(&s, l, true);
	if (guards && guards->len) {
		find_broken(b, l, most);
		g_clear_pointer(&guards, g_array_unref);
		if (look_at_tests(&s, l, base, b->tests, G_MAXUINT))
			guards = learn_guards(&s, l, true);
	}
	done = tell_enough(l, b->tests) && try_guards(l, base, guards);
	say_learned(base, &s, guards, done);
	sight_clear(&s);
	return done;
}

static GArray *choose_bases(const struct learner *l, const GArray *half, const char *file,
			    unsigned line)
{
	GArray *bases = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	g_autoptr(GArray) skips = mutator_skips(l->m->mutator, file, line);
	guint of_kind[MUTANT_SKIPPED + 1] = { 0 };

	for (guint pass = 0; pass < 2; pass++)
		for (guint i = 0; i < half->len; i++) {
			const struct mutant *m = &g_array_index(half, struct mutant, i);
			bool plain = m->kind == MUTANT_DROPPED || m->kind == MUTANT_REMOVED;

			if (m->also || m->kind == MUTANT_DATA)
				continue; /* a guard stands before one instruction */
			/* a condition that is added comes before a value that is changed */
			if (plain == !pass && of_kind[m->kind]++ < l->m->limits->guard_of_kind)
				g_array_append_vals(bases, m, 1);
		}
	g_array_append_vals(bases, skips->data, skips->len);
	if (bases->len > l->m->limits->guard_bases)
		g_array_set_size(bases, (guint)l->m->limits->guard_bases);
	return bases;
}

/* Learns a guard for a mutant that alone mends nothing, so that it is not known which of these
 * passing tests it breaks. */
static bool learn_of_some(struct learner *l, const struct mutant *base, const GPtrArray *some)
{
	g_autoptr(GArray) guards = NULL;
	struct sight s;
	bool done;

	sight_init(&s, l, base);
	s.samples.spare = spare_of(l, some->len);
	if (look_at_tests(&s, l, base, NULL, G_MAXUINT) && hits_of(&s, true) > s.failing &&
	    look_at_tests(&s, l, base, some, G_MAXUINT))
		guards = learn_guards(&s, l, false);
	done = try_guards(l, base, guards);
	say_learned(base, &s, guards, done);
	sight_clear(&s);
	return done;
}

/* Looks for a branch that should go the other way in some of its executions only; there the
 * mutant alone mends nothing. */
static bool learn_in_loop(struct learner *l, const GArray *half, const char *file, unsigned line)
{
	g_autoptr(GArray) mutants = mutator_line(l->m->mutator, file, line);
	g_autoptr(GPtrArray) some = g_ptr_array_copy(l->t->passing, NULL, NULL);
	bool found = false;

	g_ptr_array_set_size(some, (gint)MIN(some->len, l->m->limits->guard_tests));
	for (guint i = 0; i < mutants->len && !found && !mutation_is_spent(l->m); i++) {
		const struct mutant *base = &g_array_index(mutants, struct mutant, i);

		if (base->kind == MUTANT_DROPPED && !mutants_have(half, base) &&
		    tell_enough(l, some))
			found = learn_of_some(l, base, some);
	}
	return found;
}

bool mutation_learn_guard(struct mutation *m, const struct trial *t, const GArray *half,
			  const char *file, unsigned line, struct mutation_verdict *out)
{
	size_t n;
	struct learner l = { m, t, replay_images(m->replay, &n)[0], out };
	g_autoptr(GArray) bases = choose_bases(&l, half, file, line);
	const struct guard free_guard = { .cost = 0 };
	bool found = false;

	for (guint i = 0; i < bases->len && !mutation_is_spent(m); i++) {
		const struct mutant *base = &g_array_index(bases, struct mutant, i);
		struct broken b;

		/* no condition makes it cheaper than what was found */
		if (costs_too_much(&l, base, &free_guard) ||
		    (found && guard_effort(base, &free_guard, m->limits) >= out->effort))
			continue;
		broken_init(&b, base);
		/* the caller tried the other kinds */
		if (base->kind != MUTANT_SKIPPED || mutation_mends_all(m, t, b.changes, NULL))
			found |= learn_and_try(&l, base, &b);
		broken_clear(&b);
	}
	return found || learn_in_loop(&l, half, file, line);
}

/* ---- a single test ---- */

/* Looks for a condition under which the mutant, which alone mends nothing, is to be in force in
 * some of the executions only. */
static bool divide_executions(struct learner *l, const struct mutant *base, const char *text)
{
	g_autoptr(GArray) guards = NULL, alone = NULL;
	struct sight s;
	bool done = false;

	sight_init(&s, l, base);
	if (look_at_tests(&s, l, base, NULL, G_MAXUINT) && s.samples.hits->len > 1)
		guards = guards_of_executions(&s.samples, text, mutator_constants(l->m->mutator),
					      l->m->limits);
	if (guards && guards->len) {
		alone = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		mutant_actions(base, alone);
		done = !mutation_mends_all(l->m, l->t, alone, NULL) && try_guards(l, base, guards);
	}
	say_learned(base, &s, guards, done);
	sight_clear(&s);
	return done;
}

/* struct mutant: a branch that goes the other way. */
static GArray *turned_branches(const struct mutation *m, const char *file, unsigned line)
{
	GArray *bases = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	g_autoptr(GArray) mutants = mutator_line(m->mutator, file, line);

	for (guint i = 0; i < mutants->len; i++)
		if (g_array_index(mutants, struct mutant, i).kind == MUTANT_DROPPED)
			g_array_append_vals(bases, &g_array_index(mutants, struct mutant, i), 1);
	return bases;
}

bool mutation_find_condition(struct mutation *m, const char *file, unsigned line,
			     enum mutation_condition where, struct mutation_verdict *out,
			     bool *spent, GError **error)
{
	size_t n;
	const struct image *im = replay_images(m->replay, &n)[0];
	const char *text = image_source_line(im, file, line);
	struct trial t = { .line = UNIT_NONE };
	struct learner l = { m, &t, im, out };
	g_autoptr(GArray) bases = NULL;

	*out = (struct mutation_verdict){ 0 };
	mutation_begin_with_one(m);
	*spent = mutation_is_spent(m);
	if (*spent)
		return true;
	t.seeds = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	t.passing = g_ptr_array_new();
	t.failing = g_ptr_array_copy(m->failing, NULL, NULL);
	bases = where == CONDITION_OF_BRANCH ? turned_branches(m, file, line)
					     : conditional_skips(im, file, line, m->limits);
	for (guint i = 0; text && i < bases->len && !*spent; i++) {
		const struct mutant *base = &g_array_index(bases, struct mutant, i);

		if (m->executes && !m->executes(m->executes_arg, base->addr, true))
			continue;
		divide_executions(&l, base, text);
		*spent = mutation_is_spent(m);
		if (!replay_check_interrupt(error))
			break;
	}
	mutation_trial_clear(&t);
	return !error || !*error;
}
