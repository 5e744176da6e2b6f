/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of kinds of requirements, row by row: which ends are whose, and what a program that
 * ends so is required to do. */
#include "solver/formula/model/replay-check.h"
#include "solver/formula/requirement.h"
#include "tests/support/replay.h"
#include "tests/support/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <string.h>

static void each_kind_is_whole(void **state)
{
	(void)state;
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	size_t n;
	const struct requirement_kind *const *kinds = requirement_kinds(&n);

	for (size_t i = 0; i < n; i++) {
		assert_true(g_hash_table_add(names, (gpointer)kinds[i]->name));
		assert_non_null(kinds[i]->ends_run);
		assert_non_null(kinds[i]->encode);
		assert_non_null(kinds[i]->describe);
		/* how a test fails has words; another kind tells itself which runs meet it */
		assert_true(!kinds[i]->fails_by == !kinds[i]->in_words);
		assert_true(kinds[i]->fails_by || kinds[i]->met);
	}
}

struct end_row {
	struct requirement_end end;
	const char *kind; /* NULL = no kind is about it */
	const char *words;
};

static const struct end_row ends[] = {
	{ { .end = RUN_ASSERT, .expression = "b <= a", .file = "p.c", .line = 30 },
	  "assert",
	  "assertion `b <= a' failed at p.c:30" },
	{ { .end = RUN_ASSERT }, "assert", "assertion `?' failed at ?:0" },
	{ { .end = RUN_STATUS, .status = 3 }, "status", "exit status 3" },
	{ { .end = RUN_SIGNAL, .signo = SIGSEGV, .signal = "SIGSEGV" }, "signal", "SIGSEGV" },
	{ { .end = RUN_SIGNAL, .signo = SIGFPE, .signal = "SIGFPE" }, "signal", "SIGFPE" },
	{ { .end = RUN_SIGNAL, .signo = SIGABRT, .signal = "SIGABRT" }, "signal", "SIGABRT" },
	{ { .end = RUN_SIGNAL, .signo = SIGTERM, .signal = "SIGTERM" }, NULL, NULL },
	{ { .end = RUN_SIGNAL, .signo = SIGKILL, .signal = "SIGKILL" }, NULL, NULL },
	{ { .end = RUN_PASSED }, NULL, NULL },
	{ { .end = RUN_TIMEOUT }, "endless", "no end" },
	{ { .end = RUN_LIMIT }, NULL, NULL },
};

static void each_end_has_its_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		struct requirement *r = requirement_new(&ends[i].end);
		g_autofree char *words = requirement_in_words(&ends[i].end);

		assert_true(requirement_can_be_asked(&ends[i].end) == (ends[i].kind != NULL));
		assert_true(!r == !ends[i].kind);
		if (r)
			assert_string_equal(r->kind->name, ends[i].kind);
		assert_int_equal(g_strcmp0(words, ends[i].words), 0);
		requirement_free(r);
	}
}

/* However it failed: that it fails in another way now is not enough. */
static void a_test_meets_its_requirement_when_it_passes(void **state)
{
	(void)state;
	const struct run_request request = { 0 };

	for (size_t i = 0; i < G_N_ELEMENTS(ends) && ends[i].kind; i++) {
		struct requirement *r = requirement_new(&ends[i].end);

		for (enum run_end end = RUN_PASSED; end <= RUN_LIMIT; end++) {
			const struct run_result result = { .end = end };

			assert_true(requirement_is_met(r, &result, &request) ==
				    (end == RUN_PASSED));
		}
		requirement_free(r);
	}
}

struct program_row {
	const char *source, *kind;
	const char *requirement, *mended; /* as the explanation has them */
};

static const struct program_row programs[] = {
	{ "samples/paper.c", "assert", "b <= a", "false -> true" },
	{ "tests/endings/lookup.c", "signal", "no SIGSEGV", "true -> false" },
	{ "tests/endings/divide.c", "signal", "no SIGFPE", "true -> false" },
	{ "tests/endings/return.c", "status", "exit status 0", "1 -> 0" },
};

/* The formula of the failing run alone: what that run did does not meet the requirement. */
static void check_encoding(const struct support_runs *s)
{
	const struct walk_run failing = support_walk_run(s, 0);
	struct replay_check t = replay_check_run(s->formula, &failing, failing.record);
	unsigned required = 0;

	for (guint i = 0; i < s->formula->constraints->len; i++)
		required +=
			g_array_index(s->formula->constraints, struct constraint, i).requirement;
	assert_true(required > 0);
	assert_true(t.leaves || (t.violated && t.violated->requirement));
	replay_check_clear(&t);
}

static void check_words(const struct support_runs *s, const struct program_row *row)
{
	struct explanation *e = explanation_new();
	struct trace_point *m =
		trace_point_new(s->images, s->n_images, s->failing.record, s->failing.thread,
				s->failing.line, NULL, NULL, NULL);

	assert_non_null(m);
	requirement_describe(s->requirement, m, e);
	assert_string_equal(e->failure.kind, row->kind);
	assert_string_equal(e->failure.requirement, row->requirement);
	assert_string_equal(e->failure.mended.value, row->mended);
	assert_non_null(e->failure.statement);
	assert_true(e->failure.line > 0);
	assert_true(!e->failure.cause == !strcmp(row->kind, "assert"));
	trace_point_free(m);
	explanation_free(e);
}

static void each_kind_is_encoded_and_described(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		struct support_runs *s = support_runs_new(programs[i].source, "-O0");

		assert_string_equal(s->requirement->kind->name, programs[i].kind);
		check_encoding(s);
		check_words(s, &programs[i]);
		support_runs_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_whole),
		cmocka_unit_test(each_end_has_its_kind),
		cmocka_unit_test(a_test_meets_its_requirement_when_it_passes),
		cmocka_unit_test(each_kind_is_encoded_and_described),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
