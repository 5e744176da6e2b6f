/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search with a runner made of files: what it finds, proves and says, and how it ends. */
#include "tests/support/canned.h"

#include "solver/answer/describe.h"
#include "solver/search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define PAPER "tests/data/runs/paper"

static struct search_options options_of(const struct canned *c)
{
	return (struct search_options){
		.walk = { .granularity = WALK_BY_ROW, .unroll = 8, .requirement = c->requirement },
		.thread = c->failing.thread,
		.solver = SMT_BITBLAST,
		.hijack = true
	};
}

static struct search *search_of(struct canned *c, const struct search_options *o)
{
	GError *error = NULL;
	struct search *s =
		search_new(c->images, c->n_images, c->failing.record, &c->runner, o, &error);

	if (!s)
		fail_msg("%s", error->message);
	return s;
}

/* All of it described; the caller frees. */
static struct explanation *explained(struct canned *c, const struct search_options *o)
{
	struct explanation *e = explanation_new();
	struct trace_point *m =
		trace_point_new(c->images, c->n_images, c->failing.record, c->failing.thread,
				c->failing.line, NULL, o->until, NULL);
	struct describer *d = describer_new(e, m);
	struct search *s = search_of(c, o);
	const struct search_answer *a;

	assert_non_null(m);
	requirement_describe(c->requirement, m, e);
	while ((a = search_next(s, NULL)))
		describe_answer(d, s, a);
	e->complete = search_complete(s);
	search_stats(s, &e->stats);
	describe_values(d, s, NULL);
	describe_finish(e, c->images, c->n_images);
	describer_free(d);
	search_free(s);
	trace_point_free(m);
	return e;
}

static const struct explanation_suspect *suspect(const struct explanation *e, guint i)
{
	assert_true(i < e->suspects->len);
	return e->suspects->pdata[i];
}

static const struct explanation_statement *statement(const struct explanation_suspect *s, guint i)
{
	assert_true(i < s->statements->len);
	return &g_array_index(s->statements, struct explanation_statement, i);
}

/* {27} and {26, 29}, each proven: the paper's answer. */
static void both_answers_are_proven(void **state)
{
	struct canned *c = canned_open(PAPER);
	const struct search_options o = options_of(c);
	struct explanation *e = explained(c, &o);

	(void)state;
	assert_int_equal(e->suspects->len, 2);
	for (guint i = 0; i < 2; i++)
		assert_int_equal(suspect(e, i)->replay, REPLAY_PASSES);
	assert_int_equal(suspect(e, 0)->statements->len, 1);
	assert_int_equal(statement(suspect(e, 0), 0)->line, 27);
	assert_string_equal(statement(suspect(e, 0), 0)->text, "b = a + 1;");
	assert_int_equal(suspect(e, 1)->statements->len, 2);
	assert_int_equal(statement(suspect(e, 1), 0)->line, 26);
	assert_int_equal(statement(suspect(e, 1), 1)->line, 29);
	assert_int_equal(c->unknown, 0);
	explanation_free(e);
	canned_free(c);
}

/* The formula of all paths has both, too, and needs no run for the side that was not taken: the
 * code tells what is there. */
static void all_paths_have_both_answers(void **state)
{
	struct canned *c = canned_open(PAPER);
	struct search_options o = options_of(c);
	struct explanation *e;

	(void)state;
	o.all_paths = true;
	e = explained(c, &o);
	assert_int_equal(e->suspects->len, 2);
	assert_int_equal(statement(suspect(e, 0), 0)->line, 27);
	assert_int_equal(suspect(e, 1)->statements->len, 2);
	assert_int_equal(e->stats.runs, 1);
	explanation_free(e);
	canned_free(c);
}

/* The way ends where the test fails, and each link stands behind what it rests on. */
static void the_way_leads_to_the_failure(void **state)
{
	struct canned *c = canned_open(PAPER);
	const struct search_options o = options_of(c);
	struct explanation *e = explained(c, &o);
	const struct explanation_link *last;

	(void)state;
	assert_true(e->chain->len >= 2);
	last = &g_array_index(e->chain, struct explanation_link, e->chain->len - 1);
	assert_int_equal(last->line, 30);
	for (guint i = 0; i < e->chain->len; i++) {
		const struct explanation_link *link =
			&g_array_index(e->chain, struct explanation_link, i);

		for (guint k = 0; link->because && k < link->because->len; k++)
			assert_true(g_array_index(link->because, unsigned, k) < i);
	}
	explanation_free(e);
	canned_free(c);
}

/* A first explanation is one that was asked for. */
static void as_many_as_are_asked_for(void **state)
{
	struct canned *c = canned_open(PAPER);
	struct search_options o = options_of(c);
	struct explanation *e;

	(void)state;
	o.max_suspects = 1;
	e = explained(c, &o);
	assert_int_equal(e->suspects->len, 1);
	assert_false(e->complete);
	explanation_free(e);
	canned_free(c);
}

/* Without new runs the condition alone is an answer, which nothing proves. */
static void without_runs_nothing_is_proven(void **state)
{
	struct canned *c = canned_open(PAPER);
	const struct search_options o = options_of(c);
	struct search *s;
	const struct search_answer *a;
	unsigned n = 0;

	(void)state;
	s = search_new(c->images, c->n_images, c->failing.record, NULL, &o, NULL);
	assert_non_null(s);
	while ((a = search_next(s, NULL))) {
		assert_int_equal(a->replay, REPLAY_NOT_RUN);
		n++;
	}
	assert_true(n > 0);
	assert_int_equal(c->asked, 0);
	search_free(s);
	canned_free(c);
}

/* Each larger unit of statements has answers, too. */
static void each_granularity_has_answers(void **state)
{
	struct canned *c = canned_open(PAPER);
	struct search_options o = options_of(c);

	(void)state;
	for (unsigned g = WALK_BY_INSTANCE; g <= WALK_BY_FUNCTION; g++) {
		struct explanation *e;

		o.walk.granularity = (enum walk_granularity)g;
		e = explained(c, &o);
		assert_true(e->suspects->len > 0);
		explanation_free(e);
	}
	canned_free(c);
}

/* When the time is up there is no error, and the search says that it is not complete. */
static void time_ends_it(void **state)
{
	struct canned *c = canned_open(PAPER);
	struct search_options o = options_of(c);
	struct deadline until = deadline_in(1000, NULL);
	struct search *s;
	GError *error = NULL;

	(void)state;
	o.until = &until;
	s = search_of(c, &o);
	until.end = 0;
	assert_null(search_next(s, &error));
	assert_null(error);
	assert_false(search_complete(s));
	search_free(s);
	canned_free(c);
}

/* A signal is an error, before the search and in it. */
static void a_signal_ends_it(void **state)
{
	struct canned *c = canned_open(PAPER);
	struct search_options o = options_of(c);
	volatile sig_atomic_t signal = 0;
	const struct deadline until = deadline_in(1000, &signal);
	struct search *s;
	GError *error = NULL;

	(void)state;
	o.until = &until;
	s = search_of(c, &o);
	signal = SIGTERM;
	assert_null(search_next(s, &error));
	assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL));
	assert_string_equal(error->message, "Interrupted by SIGTERM.");
	g_clear_error(&error);
	search_free(s);
	assert_null(search_new(c->images, c->n_images, c->failing.record, &c->runner, &o, &error));
	assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL));
	g_clear_error(&error);
	canned_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_answers_are_proven),
		cmocka_unit_test(all_paths_have_both_answers),
		cmocka_unit_test(the_way_leads_to_the_failure),
		cmocka_unit_test(as_many_as_are_asked_for),
		cmocka_unit_test(without_runs_nothing_is_proven),
		cmocka_unit_test(each_granularity_has_answers),
		cmocka_unit_test(time_ends_it),
		cmocka_unit_test(a_signal_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
