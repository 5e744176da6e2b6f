/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/study.h"

#include "gdbext/specs/study-private.h"
#include "gdbext/specs/spec/specs.h"
#include "solver/specs/extent.h"

#include <signal.h>
#include <string.h>

enum { SPECIFICATION = 1 };

static void made_free(gpointer data)
{
	struct made *m = data;

	path_free(m->path);
	run_result_clear(&m->result);
	spec_state_free(m->state);
	g_free(m->calls);
	g_free(m->leaves);
	g_strfreev(m->argv);
	g_free(m->text);
	g_free(m->stdin_file);
	g_free(m);
}

static void free_study_test(gpointer data)
{
	struct study_test *t = data;

	g_hash_table_unref(t->lines);
	spec_state_free(t->state);
	g_free(t->calls);
	g_strfreev(t->argv);
	g_free(t->text);
	g_free(t->stdin_file);
	g_free(t);
}

static void misbehaviour_free(gpointer data)
{
	struct study_misbehaviour *m = data;

	g_free(m->test);
	g_free(m);
}

static void asked_fault_free(gpointer data)
{
	struct study_asked *a = data;

	g_hash_table_unref(a->proven);
	g_free(a);
}

static void study_fault_free(gpointer data)
{
	struct study_fault *f = data;

	g_ptr_array_unref(f->chosen);
	g_ptr_array_unref(f->ratings);
	if (f->proven)
		g_hash_table_unref(f->proven);
	g_free(f->why_not);
	g_free(f);
}

/* ---- a run and its calls ---- */

static const struct image_function *function_of_study(const struct study *s)
{
	return g_array_index(s->probe->spec->functions, struct weave_function, s->function)
		.function;
}

struct trace_run *study_open_record(const struct study *s, const char *record, GError **error)
{
	size_t n;
	struct image *const *images = probe_images(s->probe, &n);
	struct trace_run *run = trace_run_open(record, images, n, error);

	if (run)
		trace_run_end_at(run, s->o->until);
	return run;
}

struct extent *study_extent(const struct study *s, struct trace_run *run, GError **error)
{
	const struct extent_question q = { .run = run,
					   .program = STUDY_PROGRAM,
					   .specification = SPECIFICATION,
					   .entry = function_of_study(s)->entry };

	return extent_find(&q, s->lift, error);
}

static void add_studied_statements(struct study *s, const struct extent *e)
{
	size_t n;
	const struct image *im = probe_images(s->probe, &n)[STUDY_PROGRAM];
	GHashTableIter i;
	gpointer f;

	g_hash_table_iter_init(&i, e->functions);
	while (g_hash_table_iter_next(&i, &f, NULL)) {
		g_autoptr(GPtrArray) all = NULL;

		if (!g_hash_table_add(s->functions, f))
			continue;
		all = extent_statements(im, f);
		for (guint k = 0; k < all->len; k++)
			g_ptr_array_add(s->statements, g_strdup(all->pdata[k]));
	}
}

/* What a call violated.  skip: it does not count, since what it was called with was wrong; bad: a
 * predicate that misbehaved, or NULL. */
struct verdicts {
	locate_set violated, crashing;
	bool skip;
	const struct spec_event *bad;
};

static struct verdicts verdicts_of(const struct study *s, const struct spec_events *events,
				   uint64_t call)
{
	struct verdicts v = { 0 };

	for (guint i = 0; i < events->all->len; i++) {
		const struct spec_event *e = &g_array_index(events->all, struct spec_event, i);
		const struct spec_constraint *c = spec_constraint(s->probe->spec, e->constraint);

		if (!c || c->function != s->function || e->call != call || e->verdict == SPEC_HOLDS)
			continue;
		if (e->verdict != SPEC_FAILS) {
			v.bad = v.bad ? v.bad : e;
			continue;
		}
		v.skip |= !c->at_exit;
		v.violated |= (locate_set)1 << e->constraint;
		v.crashing |= (locate_set)(e->signo != 0) << e->constraint;
	}
	return v;
}

const struct study_test *study_first_failing(const struct study *s)
{
	for (guint i = 0; i < s->tests->len; i++)
		if (((struct study_test *)s->tests->pdata[i])->violated)
			return s->tests->pdata[i];
	return NULL;
}

static void add_misbehaviour(struct study *s, const struct study_test *t,
			     const struct spec_event *e, const struct run_result *run)
{
	struct study_misbehaviour *m;

	for (guint i = 0; i < s->misbehaved->len; i++) {
		m = s->misbehaved->pdata[i];
		if (m->constraint == e->constraint)
			return;
	}
	m = g_new0(struct study_misbehaviour, 1);
	m->constraint = e->constraint;
	m->verdict = e->verdict;
	m->is_unending = run->end == RUN_LIMIT || run->end == RUN_TIMEOUT;
	m->aborts = run->end == RUN_ASSERT || (run->end == RUN_SIGNAL && run->signo == SIGABRT);
	m->test = study_test_words(t, s->probe->spec->types);
	g_ptr_array_add(s->misbehaved, m);
}

/* The test that a call of a run is.  before: what the calls before it violated.  NULL: it says
 * nothing. */
static struct study_test *test_of_call(struct study *s, const struct made *m,
				       const struct probe_result *r, const struct extent_call *c,
				       uint64_t number, const struct verdicts *v, locate_set before)
{
	struct study_test *t = g_new0(struct study_test, 1);

	t->argv = g_strdupv(m->argv);
	t->state = m->state ? spec_state_read(m->state->text, s->probe->spec->types) : NULL;
	t->calls = g_strdup(m->calls);
	t->text = g_strdup(m->text);
	t->stdin_file = g_strdup(m->stdin_file);
	t->call = number;
	t->violated = v->violated & ~before;
	t->again = v->violated & before;
	t->crashing = v->crashing & t->violated;
	t->is_unending = v->violated & STUDY_CRASHED &&
			 (r->run.end == RUN_LIMIT || r->run.end == RUN_TIMEOUT);
	t->lines = g_hash_table_ref(c->lines);
	if (v->bad && !before)
		add_misbehaviour(s, t, v->bad, &r->run);
	if ((!v->bad || v->violated) && (!before || t->violated & ~STUDY_CRASHED))
		return t;
	free_study_test(t);
	return NULL;
}
static void add_studied_calls(struct study *s, const struct made *m, const struct probe_result *r,
			      const struct extent *e)
{
	/* with a state, the calls before are those of the first run */
	guint from = m->state ? (guint)study_first_failing(s)->call - 1 : 0;
	locate_set before = 0;

	for (guint i = from; i < e->calls->len; i++) {
		struct study_test *t;
		struct verdicts v = verdicts_of(s, &r->events, i + 1);

		if (v.skip && before)
			continue;
		if (v.skip)
			return;
		if (!v.bad && r->events.is_inside && i + 1 == e->calls->len)
			v.violated |= STUDY_CRASHED;
		t = test_of_call(s, m, r, e->calls->pdata[i], i + 1, &v, before);
		if (t)
			g_ptr_array_add(s->tests, t);
		if (v.bad)
			return;
		before |= v.violated;
	}
}

/* The function of the first violation, or the one in which the program ended. */
static unsigned function_to_study(const struct study *s, const struct spec_events *events)
{
	const struct spec_event *e = spec_events_first(events);
	const struct spec_constraint *c = e ? spec_constraint(s->probe->spec, e->constraint) : NULL;

	if (s->o->function >= 0)
		return (unsigned)s->o->function;
	return c ? c->function : events->is_inside ? events->function : 0;
}

/* What is kept of the first run. */
static void keep_end(struct study *s, struct probe_result *r)
{
	s->events = r->events;
	r->events = (struct spec_events){ 0 };
	s->end = r->run;
	s->end.record = NULL;
}

char *study_text(const struct study *s)
{
	char *text = NULL;
	gsize length = 0;

	if (!s->o->stdin_file)
		return g_strdup("");
	if (g_file_get_contents(s->o->stdin_file, &text, &length, NULL) && strlen(text) == length)
		return text;
	g_free(text);
	return NULL;
}

/* Writes the input to a file of its own, which stays as long as the test may be run again. */
static bool write_test_input(struct study *s, struct made *m, const char *text, GError **error)
{
	if (!text && s->o->input == STUDY_STDIN)
		m->text = study_text(s);
	if (!text)
		return true;
	m->text = g_strdup(text);
	m->stdin_file = g_strdup_printf("%s-stdin-%u", s->probe->built->state, s->runs->len);
	return g_file_set_contents(m->stdin_file, text, -1, error);
}

const char *study_stdin(const struct study *s, const char *stdin_file)
{
	return stdin_file ? stdin_file : s->o->stdin_file;
}

/* Which of the run's steps its path is about.  A call that goes round for ever decides nothing new
 * once it has taken as long as the failing run. */
static void note_steps(const struct study *s, struct made *m, const struct run_result *run,
		       const struct extent *e)
{
	guint failed = m->state ? (guint)study_first_failing(s)->call : 0;
	const struct extent_call *last = e->calls->len ? e->calls->pdata[e->calls->len - 1] : NULL;
	uint64_t while_new = s->o->limits->test_insns;

	if (s->end.insns)
		while_new = MIN(while_new, s->end.insns);

	if (failed && e->calls->len >= failed)
		m->first = ((struct extent_call *)e->calls->pdata[failed - 1])->before;
	m->last = last ? last->last : 0;
	if (last && (run->end == RUN_LIMIT || run->end == RUN_TIMEOUT))
		m->last = MIN(m->last, last->first + while_new);
}

struct made *study_run(struct study *s, const struct study_given *given, unsigned bound,
		       GError **error)
{
	struct made *m = g_new0(struct made, 1);
	const char *state = given->state;
	const struct probe_order order = { .kind = PROBE_GIVE,
					   .number = s->function,
					   .call = state ? study_first_failing(s)->call : 0,
					   .state = state };
	struct probe_result r = { 0 };
	struct trace_run *run = NULL;
	struct extent *e = NULL;
	bool is_first = !s->runs->len, is_told;

	m->argv = given->argv;
	m->calls = g_strdup(given->calls);
	m->bound = bound;
	g_ptr_array_add(s->runs, m);
	s->n_runs++;
	if (!write_test_input(s, m, given->text, error) ||
	    !probe_run(s->probe, m->argv, study_stdin(s, m->stdin_file), state ? &order : NULL, &r,
		       error))
		return NULL;
	if (is_first)
		s->function = function_to_study(s, &r.events);
	/* then nothing is studied, and a predicate that goes round has a long record */
	is_told = is_first && spec_events_misbehaviour(&r.events);
	if (state && r.events.state)
		m->state = spec_state_read(r.events.state, s->probe->spec->types);
	run = !is_told && (!state || m->state) ? study_open_record(s, r.run.record, error) : NULL;
	e = run ? study_extent(s, run, error) : NULL;
	if (e) {
		add_studied_statements(s, e);
		add_studied_calls(s, m, &r, e);
		note_steps(s, m, &r.run, e);
	}
	trace_run_free(run);
	if (is_first)
		keep_end(s, &r);
	/* in a generated state, the program or a predicate may go round for ever */
	if (is_first)
		s->probe->most_insns =
			s->o->limits->test_times * (r.run.insns + s->o->limits->test_insns);
	m->result = r.run;
	r.run = (struct run_result){ 0 };
	probe_result_clear(&r);
	extent_free(e);
	return e || is_told ? m : NULL;
}

/* ---- life ---- */

struct study *study_new(struct probe *p, const struct study_options *o, GError **error)
{
	struct study *s = g_new0(struct study, 1);
	char **argv = g_strdupv((char **)o->argv);

	s->probe = p;
	s->o = o;
	s->lift = lift_new();
	s->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->runs = g_ptr_array_new_with_free_func(made_free);
	s->tests = g_ptr_array_new_with_free_func(free_study_test);
	s->faults = g_ptr_array_new_with_free_func(study_fault_free);
	s->asked = g_ptr_array_new_with_free_func(asked_fault_free);
	s->presumed = g_array_new(FALSE, FALSE, sizeof(locate_set));
	s->misbehaved = g_ptr_array_new_with_free_func(misbehaviour_free);
	s->statements = g_ptr_array_new_with_free_func(g_free);
	s->functions = g_hash_table_new(NULL, NULL);
	study_is_new(s, argv);
	if (study_run(s, &(struct study_given){ .argv = argv }, 0, error))
		return s;
	study_free(s);
	return NULL;
}

void study_free(struct study *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->faults);
	g_ptr_array_unref(s->asked);
	g_array_unref(s->presumed);
	g_ptr_array_unref(s->misbehaved);
	g_ptr_array_unref(s->tests);
	g_ptr_array_unref(s->runs);
	g_ptr_array_unref(s->statements);
	g_hash_table_destroy(s->functions);
	g_hash_table_destroy(s->seen);
	spec_events_clear(&s->events);
	heap_free(s->heap);
	g_clear_error(&s->no_heap);
	lift_free(s->lift);
	g_free(s);
}

const struct image_function *study_function(const struct study *s, unsigned *number)
{
	if (number)
		*number = s->function;
	return function_of_study(s);
}

/* ---- tests on demand ---- */

void study_make_tests(struct study *s, unsigned n)
{
	while (s->tests->len < n && study_first_failing(s) && !deadline_is_over(s->o->until) &&
	       study_make_test(s))
		;
}

const GPtrArray *study_misbehaviours(const struct study *s)
{
	return s->misbehaved;
}

const GPtrArray *study_tests(const struct study *s)
{
	return s->tests;
}

struct spec_state *study_state_at(struct study *s, const struct study_test *t, GError **error)
{
	const struct probe_order order = { .kind = PROBE_SHOW,
					   .number = s->function,
					   .call = t->call };
	struct spec_state *state = NULL;
	struct probe_result r;

	if (t->state)
		return spec_state_read(t->state->text, s->probe->spec->types);
	s->n_runs++;
	if (probe_run(s->probe, t->argv, study_stdin(s, t->stdin_file), &order, &r, error)) {
		if (r.events.state)
			state = spec_state_read(r.events.state, s->probe->spec->types);
		if (!state)
			g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
				    "the state at the call is too large to be told");
	}
	probe_result_clear(&r);
	return state;
}

bool study_bias(struct study *s, uint64_t *bias)
{
	struct probe_result r;
	struct trace_run *run = NULL;

	s->n_runs++;
	if (probe_run(s->probe, s->o->argv, s->o->stdin_file, NULL, &r, NULL))
		run = study_open_record(s, r.run.record, NULL);
	if (run)
		*bias = trace_run_module(run, STUDY_PROGRAM)->bias;
	trace_run_free(run);
	probe_result_clear(&r);
	return run;
}

const struct spec_events *study_events(const struct study *s)
{
	return &s->events;
}

const struct run_result *study_end(const struct study *s)
{
	return &s->end;
}

bool study_is_stopped(const struct study *s)
{
	return s->is_stopped;
}

/* Was the demand of this call's function at its entry met? */
static bool got_its_demand(const struct study *s, unsigned function, uint64_t call)
{
	for (guint i = 0; i < s->events.all->len; i++) {
		const struct spec_event *e = &g_array_index(s->events.all, struct spec_event, i);
		const struct spec_constraint *c = spec_constraint(s->probe->spec, e->constraint);

		if (c && c->function == function && !c->at_exit && e->call == call &&
		    e->verdict != SPEC_HOLDS)
			return false;
	}
	return true;
}

bool study_also_fails(const struct study *s, unsigned function)
{
	for (guint i = 0; i < s->events.all->len; i++) {
		const struct spec_event *e = &g_array_index(s->events.all, struct spec_event, i);
		const struct spec_constraint *c = spec_constraint(s->probe->spec, e->constraint);

		if (c && c->function == function && c->at_exit && e->verdict == SPEC_FAILS &&
		    got_its_demand(s, function, e->call))
			return true;
	}
	return false;
}

const char *study_without_states(const struct study *s)
{
	return s->no_heap ? s->no_heap->message : NULL;
}

unsigned study_runs(const struct study *s)
{
	return s->n_runs;
}
