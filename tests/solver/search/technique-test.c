/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of techniques, row by row, and the states that a search leads its candidates
 * through: the drawing of candidate.h. */
#include "solver/search/technique.h"
#include "tests/support/replay.h"
#include "tests/support/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static bool is_a_limit(enum limit l)
{
	return l == N_LIMITS || (limit_rows[l].name && limit_rows[l].kind != LIMIT_BOUND);
}

static void each_technique_is_whole(void **state)
{
	(void)state;
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	size_t n;
	const struct technique *const *table = techniques(&n);

	for (size_t i = 0; i < n; i++) {
		/* a key of the JSON, in one spelling */
		assert_true(strspn(table[i]->name, "abcdefghijklmnopqrstuvwxyz-") ==
			    strlen(table[i]->name));
		assert_true(g_hash_table_add(names, (gpointer)table[i]->name));
		assert_non_null(table[i]->applies);
		assert_non_null(table[i]->run);
		assert_true(is_a_limit(table[i]->budget) && is_a_limit(table[i]->budget_of_sets));
		assert_true((table[i]->budget == N_LIMITS) ==
			    (table[i]->budget_of_sets == N_LIMITS));
	}
}

/* The last verdict on each candidate, by its selectors. */
struct watcher {
	GHashTable *verdicts; /* text of the set → verdict */
	GHashTable *known;    /* names of techniques */
	unsigned proven, decisions, illegal;
};

static char *text_of_set(const struct search_decision *d)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < d->n; i++)
		g_string_append_printf(text, "%u ", d->set[i]);
	return g_string_free(text, FALSE);
}

/* What is an answer, or refuted, stays so. */
static bool is_final(const char *verdict)
{
	static const char *const final[] = { "proven", "fails", "not run", "refuted" };

	for (size_t i = 0; verdict && i < G_N_ELEMENTS(final); i++)
		if (strcmp(verdict, final[i]) == 0)
			return true;
	return false;
}

static void watch(void *arg, const struct search *s, const struct search_decision *d)
{
	struct watcher *w = arg;
	char *set = text_of_set(d);
	const char *before = g_hash_table_lookup(w->verdicts, set);

	(void)s;
	assert_true(g_hash_table_contains(w->known, d->technique));
	assert_true(d->ms >= 0);
	/* the outer technique speaks after those that it caused: it decided nothing itself */
	w->illegal += is_final(before) && is_final(d->verdict);
	/* a core is asked for only when the candidate is known to be none */
	if (strcmp(d->verdict, "refuted") == 0)
		w->illegal += g_strcmp0(before, "none") != 0;
	w->proven += strcmp(d->verdict, "proven") == 0;
	w->decisions++;
	if (is_final(before))
		g_free(set);
	else
		g_hash_table_replace(w->verdicts, set, (gpointer)d->verdict);
}

static void check_answers(struct search *search, struct watcher *w)
{
	const struct search_answer *a;
	unsigned proven = 0, answers = 0;
	GError *error = NULL;

	while ((a = search_next(search, &error))) {
		proven += a->replay == REPLAY_PASSES;
		answers++;
	}
	assert_null(error);
	assert_true(answers > 0);
	assert_int_equal(w->proven, proven);
	assert_int_equal(w->illegal, 0);
}

static void check_stats(struct search *search, const struct watcher *w)
{
	struct explanation *e = explanation_new();
	uint64_t tried = 0, proven = 0;

	search_stats(search, &e->stats);
	for (guint i = 0; i < e->stats.techniques->len; i++) {
		const struct explanation_technique *t =
			&g_array_index(e->stats.techniques, struct explanation_technique, i);

		assert_true(g_hash_table_contains(w->known, t->name));
		assert_true(t->tried >= t->proven && t->found >= t->proven);
		tried += t->tried;
		proven += t->proven;
	}
	assert_int_equal(tried, w->decisions);
	assert_int_equal(proven, w->proven);
	explanation_free(e);
}

static void check_program(const char *source, GHashTable *known)
{
	struct support_runs *s = support_runs_new(source, "-O0");
	struct watcher w = { .verdicts =
				     g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
			     .known = known };
	const struct search_options options = {
		.walk = { .granularity = WALK_BY_LINE, .unroll = 8, .requirement = s->requirement },
		.thread = s->failing.thread,
		.solver = SMT_BITBLAST,
		.hijack = true,
		.decided = watch,
		.decided_arg = &w,
	};
	GError *error = NULL;
	struct search *search = search_new(s->images, s->n_images, s->failing.record,
					   replay_runner(s->replay), &options, &error);

	assert_non_null(search);
	check_answers(search, &w);
	check_stats(search, &w);
	search_free(search);
	g_hash_table_destroy(w.verdicts);
	support_runs_free(s);
}

static void candidates_go_from_state_to_state_as_drawn(void **state)
{
	(void)state;
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	size_t n;
	const struct technique *const *table = techniques(&n);

	for (size_t i = 0; i < n; i++)
		g_hash_table_add(known, (gpointer)table[i]->name);
	check_program("samples/paper.c", known);
	check_program("samples/list-remove.c", known);
	check_program("tests/endings/lookup.c", known);
	check_program("tests/endings/return.c", known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_technique_is_whole),
		cmocka_unit_test(candidates_go_from_state_to_state_as_drawn),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
