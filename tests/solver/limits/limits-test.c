/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/limits/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void each_row_is_whole(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];

		if (row->least > row->standard || row->standard > row->most ||
		    row->least == row->most)
			fail_msg("%s: not least <= default <= most", row->name);
		if (!*row->unit || !g_str_has_suffix(row->does, ".") ||
		    !g_str_has_suffix(row->basis, ".") || !g_ascii_isupper(row->does[0]) ||
		    strlen(row->basis) < 20)
			fail_msg("%s: its sentences are not whole", row->name);
		if (strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(row->name))
			fail_msg("%s: not a name", row->name);
		assert_true(limits_default()->value[i] == row->standard);
	}
}

static void names_are_unique(void **state)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	(void)state;
	for (unsigned i = 0; i < N_LIMITS; i++)
		assert_true(g_hash_table_add(seen, (gpointer)limit_rows[i].name));
}

static void fields_are_the_rows(void **state)
{
	struct limits l = *limits_default();

	(void)state;
	assert_ptr_equal(&l.runs, &l.value[LIMIT_runs]);
	assert_ptr_equal(&l.mutation_doublings, &l.value[LIMIT_mutation_doublings]);
	assert_string_equal(limit_rows[LIMIT_candidate_runs].name, "candidate_runs");
}

/* Each end of each range is taken, and nothing beyond it. */
static void what_is_set_is_there(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];
		const uint64_t ends[] = { row->least, row->standard, row->most };
		struct limits l = *limits_default(), before;
		g_autofree char *beyond =
			g_strdup_printf("%s=%" G_GUINT64_FORMAT, row->name, (guint64)row->most + 1);
		g_autoptr(GError) error = NULL;

		for (unsigned k = 0; k < G_N_ELEMENTS(ends); k++) {
			g_autofree char *text = g_strdup_printf("%s=%" G_GUINT64_FORMAT, row->name,
								(guint64)ends[k]);
			g_autofree char *hyphens = g_strdelimit(g_strdup(text), "_", '-');

			assert_true(limits_set(&l, text, NULL));
			assert_true(l.value[i] == ends[k]);
			l.value[i] = row->standard;
			assert_true(limits_set(&l, hyphens, NULL));
			assert_true(l.value[i] == ends[k]);
		}
		before = l;
		assert_false(limits_set(&l, beyond, &error));
		assert_memory_equal(&l, &before, sizeof l);
		assert_non_null(strstr(error->message, row->name));
	}
}

static void expect_refusal(const char *assignment, const char *part)
{
	struct limits l = *limits_default();
	g_autoptr(GError) error = NULL;

	assert_false(limits_set(&l, assignment, &error));
	assert_true(g_error_matches(error, LIMITS_ERROR, LIMITS_ERROR_USAGE));
	if (!strstr(error->message, part))
		fail_msg("%s: %s", assignment, error->message);
	assert_null(strchr(error->message, '\n'));
	assert_memory_equal(&l, limits_default(), sizeof l);
}

static void mistakes_are_told(void **state)
{
	(void)state;
	expect_refusal("rums=3", "the nearest name is `runs'");
	expect_refusal("interval-wrok=3", "the nearest name is `interval_work'");
	expect_refusal("=3", "there is no limit `'");
	expect_refusal("runs", "NAME=N");
	expect_refusal("", "NAME=N");
	expect_refusal("runs=", "from 1 to");
	expect_refusal("runs=-1", "from 1 to");
	expect_refusal("runs=0", "not `0'");
	expect_refusal("runs=1k", "not `1k'");
	expect_refusal("runs=99999999999999999999", "from 1 to");
}

static void all_at_once(void **state)
{
	struct limits l = *limits_default();

	(void)state;
	limits_set_all(&l, false);
	for (unsigned i = 0; i < N_LIMITS; i++)
		assert_true(l.value[i] == limit_rows[i].least);
	limits_set_all(&l, true);
	for (unsigned i = 0; i < N_LIMITS; i++)
		assert_true(l.value[i] == limit_rows[i].most);
}

/* Only a cut is named, with what to ask for. */
static void a_cut_is_named(void **state)
{
	struct limit_counts reached = { 0 };
	struct limits l = *limits_default();
	g_autofree char *one = NULL, *two = NULL, *most = NULL;

	(void)state;
	l.reached = &reached;
	assert_null(limits_sentence(&l, &reached));
	limits_reached(&l, LIMIT_candidate_runs);
	limits_reached(&l, LIMIT_size);
	assert_null(limits_sentence(&l, &reached));
	assert_false(limits_cut(&reached));
	limits_reached(&l, LIMIT_runs);
	assert_true(limits_cut(&reached));
	one = limits_sentence(&l, &reached);
	assert_string_equal(one,
			    "cut at the limit `runs' (64); there may be more: --limit runs=128");
	limits_reached(&l, LIMIT_passes);
	two = limits_sentence(&l, &reached);
	assert_non_null(strstr(two, "the limits `runs' (64), `passes' (2);"));
	assert_non_null(strstr(two, "more: --limit NAME=N"));
	limits_set_all(&l, true);
	most = limits_sentence(&l, &reached);
	assert_null(strstr(most, "--limit"));
	assert_int_equal(reached.times[LIMIT_runs], 1);
}

static void no_one_need_ask(void **state)
{
	(void)state;
	limits_reached(limits_default(), LIMIT_runs);
	limits_reached(NULL, LIMIT_runs);
	assert_ptr_equal(limits_or_default(NULL), limits_default());
}

static void help_and_page_have_all(void **state)
{
	g_autofree char *help = limits_help(), *page = limits_page();
	g_auto(GStrv) lines = g_strsplit(help, "\n", -1);

	(void)state;
	for (unsigned i = 0; i < N_LIMITS; i++) {
		g_autofree char *in_help = g_strdup_printf("\n  %s=", limit_rows[i].name);
		g_autofree char *in_page = g_strdup_printf("\n| `%s` |", limit_rows[i].name);

		assert_non_null(strstr(help, in_help));
		assert_non_null(strstr(page, in_page));
		assert_null(strchr(limit_rows[i].does, '|'));
		assert_null(strchr(limit_rows[i].basis, '|'));
	}
	for (char **line = lines; *line; line++)
		if (strlen(*line) > 79)
			fail_msg("too wide: %s", *line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_whole),	  cmocka_unit_test(names_are_unique),
		cmocka_unit_test(fields_are_the_rows),	  cmocka_unit_test(what_is_set_is_there),
		cmocka_unit_test(mistakes_are_told),	  cmocka_unit_test(all_at_once),
		cmocka_unit_test(a_cut_is_named),	  cmocka_unit_test(no_one_need_ask),
		cmocka_unit_test(help_and_page_have_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
