/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/explain.h"
#include "tui/report/report.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static char *printed(struct explanation *e, struct tui_options o)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!o.directory)
		o.directory = "/home/u/src";
	assert_true(tui_print(out, e, &o));
	fclose(out);
	explanation_free(e);
	return text;
}

static void check(struct explanation *e, struct tui_options o, const char *expected)
{
	char *got = printed(e, o);

	assert_string_equal(got, expected);
	free(got);
}

static void paper(void **state)
{
	(void)state;
	check(explain_paper(), (struct tui_options){ 0 },
	      "assertion `b <= a' failed at p.c:13 in P                            b = 1, a = 0\n"
	      "2 explanations, each proven by replay                                      0.3 s\n"
	      " 1  p.c:10      b = a+1;    gave b = 1; with b = 0 the test passes\n"
	      " 2  p.c:9       if (y < 5)  went true; going false,\n"
	      "    and p.c:12  b = a+2;    with b <= 0 the test passes\n"
	      "\n"
	      "from each to the failure, as it went and as it would have gone:\n"
	      "  1             p.c:10  b = a+1;         b = 1 -> 0\n"
	      "        data -> p.c:13  assert(b <= a);  false -> true\n"
	      "  2             p.c:9   if (y < 5)       true -> false\n"
	      "     control -> p.c:10  b = a+1;         b = 1 -> 0\n"
	      "        data -> p.c:13  assert(b <= a);  false -> true\n"
	      "\n"
	      "note: proved for this run only\n"
	      "try:  gdb -ex 'break p.c:10' -ex run --args ./p 0 0\n");
}

/* What GDB has to be told, so that it stops there, too. */
static void the_command_has_the_surroundings(void **state)
{
	(void)state;
	static char *environment[] = { "CK_FORK=no", "A=b c", NULL };
	struct explanation *e = explain_paper();
	char *got;

	e->environment = g_strdupv(environment);
	e->in_child = true;
	got = printed(e, (struct tui_options){ .width = 200 });

	assert_non_null(strstr(got, "try:  gdb -ex 'set environment CK_FORK=no'"));
	assert_non_null(strstr(got, "-ex 'set environment A=b c'"));
	assert_non_null(strstr(got, "-ex 'set follow-fork-mode child'"));
	free(got);
}

static void narrow(void **state)
{
	(void)state;
	check(explain_paper(), (struct tui_options){ .width = 60, .max_suspects = 1 },
	      "assertion `b <= a' failed at p.c:13 in P        b = 1, a = 0\n"
	      "2 explanations, each proven by replay                  0.3 s\n"
	      " 1  p.c:10  b = a+1;  gave b = 1; with b = 0 the test passes\n"
	      "    ... 1 more\n"
	      "\n"
	      "from 1 to the failure, as it went and as it would have gone:\n"
	      "  1             p.c:10  b = a+1;         b = 1 -> 0\n"
	      "        data -> p.c:13  assert(b <= a);  false -> true\n"
	      "\n"
	      "note: proved for this run only\n"
	      "try:  --max-suspects 0 shows all explanations\n");
}

static void nothing(void **state)
{
	(void)state;
	check(explain_nothing(), (struct tui_options){ 0 },
	      "an assertion failed at (no source)\n"
	      "no explanation was found within the limits\n"
	      "\n"
	      "note: a limit was reached; there may be more explanations\n"
	      "try:  a longer --timeout, more --max-runs or a larger --max-size\n");
}

static void odd(void **state)
{
	(void)state;
	check(explain_odd(), (struct tui_options){ 0 },
	      "assertion `total_of_everything == expected_total && list_is_sorted(list)'\n"
	      "    failed at ../test/odd.c:99 in main\n"
	      "    total_of_everything is not known\n"
	      "4 explanations, 1 proven by replay\n"
	      " 1  ...and/on/and/on/list.c:1234  total_of_everything = first_part(list, \"a b...\n"
	      "      gave total_of_everything = 18446744073709551615; with total_of_everything\n"
	      "      = -1 the test passes\n"
	      " 2  größe.c:7                     größe = zähle(\"漢字\"); /* ?[31mred?[0m ? */\n"
	      "      gave größe = \"\\n\"; with größe = \"漢\", it should pass, but the replay\n"
	      "      failed: the assertion failed again\n"
	      " 3  (no source)\n"
	      "      went false; going true, it may pass: a run of the other branch is needed\n"
	      " 4  sub/x.c:3                     return n;\n"
	      "      returned 1; returning 2,\n"
	      "    and sub/x.c:5                 switch (n) {\n"
	      "      went to case 1; going to default, it may pass: not replayed: no time was\n"
	      "      left\n"
	      "\n"
	      "note: a limit was reached; there may be more explanations\n"
	      "try:  more --max-runs and a longer --timeout run the branches that no run took\n");
}

/* What was asked for is not suggested. */
static void options_that_were_given_are_known(void **state)
{
	char *got = printed(explain_odd(), (struct tui_options){ .no_hijack = true });

	(void)state;
	assert_non_null(strstr(got, "try:  without --no-hijack the branches"));
	free(got);
}

static void a_long_chain_is_cut(void **state)
{
	(void)state;
	check(explain_long_chain(12), (struct tui_options){ 0 },
	      "assertion `b <= a' failed at p.c:13 in P                            b = 1, a = 0\n"
	      "1 explanation, proven by replay\n"
	      " 1  p.c:1  x1 = 0;  gave x1 = 1; with x1 = 0 the test passes\n"
	      "\n"
	      "from each to the failure, as it went and as it would have gone:\n"
	      "  1             p.c:1   x1 = x0;    x1 = 1 -> 0\n"
	      "        data -> p.c:2   x2 = x1;    x2 = 1 -> 0\n"
	      "        data -> p.c:3   x3 = x2;    x3 = 1 -> 0\n"
	      "        data -> p.c:4   x4 = x3;    x4 = 1 -> 0\n"
	      "        data -> p.c:5   x5 = x4;    x5 = 1 -> 0\n"
	      "        data -> p.c:6   x6 = x5;    x6 = 1 -> 0\n"
	      "        data -> ... 5 more steps\n"
	      "        data -> p.c:12  x12 = x11;  x12 = 1 -> 0\n"
	      "\n"
	      "try:  gdb -ex 'break p.c:1' -ex run --args ./p 0 0\n");
}

/* Seven hops are eight links: nothing to cut. */
static void seven_hops_are_whole(void **state)
{
	char *got = printed(explain_long_chain(8), (struct tui_options){ 0 });

	(void)state;
	assert_null(strstr(got, "more step"));
	assert_non_null(strstr(got, "x7 = x6;"));
	free(got);
	got = printed(explain_long_chain(9), (struct tui_options){ 0 });
	assert_non_null(strstr(got, "... 2 more steps"));
	free(got);
}

/* The second one joins the first. */
static struct explanation *explain_two_chains(void)
{
	struct explanation *e = explain_long_chain(6);
	struct explanation_suspect *one = e->suspects->pdata[0];
	struct explanation_suspect *two = explain_add_suspect(e, REPLAY_PASSES);

	explain_add_statement(two, (struct explanation_statement){ "P", "/home/u/src/p.c", 2, 1,
								   "x2 = x1;", "assignment", "x2",
								   "1", "0", 1, 0, 0, NULL });
	for (unsigned i = 1; i < one->chain->len; i++)
		g_array_append_val(two->chain, g_array_index(one->chain, unsigned, i));
	return e;
}

static void a_chain_that_joins_another_says_so(void **state)
{
	char *got = printed(explain_two_chains(), (struct tui_options){ 0 });

	(void)state;
	assert_non_null(
		strstr(got, "\n  2             p.c:2, then the same way as 1\n")
			?: strstr(got, "\n        data -> p.c:3, then the same way as 1\n"));
	free(got);
	got = printed(explain_two_chains(), (struct tui_options){ .others = "--all" });
	assert_null(strstr(got, "the same way"));
	assert_non_null(strstr(got, "from 1 to the failure"));
	assert_non_null(strstr(got, "  ... --all has the others\n"));
	free(got);
}

static void indices_out_of_range_are_left_out(void **state)
{
	struct explanation *e = explain_long_chain(3);
	struct explanation_suspect *s = e->suspects->pdata[0];
	unsigned wild = 77;
	char *got;

	(void)state;
	g_array_append_val(s->chain, wild);
	got = printed(e, (struct tui_options){ 0 });
	assert_null(strstr(got, "from each"));
	free(got);
}

static void a_way_that_is_not_known_is_missing_in_the_heading(void **state)
{
	struct explanation *e = explain_two_chains();
	char *got;

	(void)state;
	g_array_set_size(((struct explanation_suspect *)e->suspects->pdata[0])->chain, 0);
	got = printed(e, (struct tui_options){ 0 });
	assert_non_null(strstr(got, "\nfrom each whose way is known to the failure, "));
	assert_non_null(strstr(got, "\n  2  "));
	free(got);
}

static void stats(void **state)
{
	char *got = printed(explain_paper(), (struct tui_options){ .stats = true });
	const char *table = strstr(got, "\nstage ");

	(void)state;
	assert_non_null(table);
	assert_string_equal(
		table, "\n"
		       "stage                time           count\n"
		       "start               40 ms\n"
		       "record             2.5 ms          50,000 instructions\n"
		       "solve               0.1 s       1,234,567 clauses\n"
		       "in all              0.3 s\n"
		       "instructions                       50,000\n"
		       "recording speed                      20.0 million instructions a second\n"
		       "statements                             12\n"
		       "clauses                                40\n"
		       "runs                                    4\n"
		       "iterations                              2\n"
		       "checks                                 32\n"
		       "concretized                             0\n"
		       "memory (kB)                        41,000\n"
		       "engine                               step\n");
	free(got);
}

/* Where there is no answer, the table is printed alone. */
static void stats_alone(void **state)
{
	char *whole = printed(explain_paper(), (struct tui_options){ .stats = true });
	char *got = printed(explain_paper(), (struct tui_options){ .part = TUI_STATS });

	(void)state;
	assert_string_equal(got, strstr(whole, "\nstage "));
	free(got);
	free(whole);
}

static void colors_change_nothing_else(void **state)
{
	char *plain = printed(explain_odd(), (struct tui_options){ 0 });
	char *colored = printed(explain_odd(), (struct tui_options){ .color = TUI_COLOR_ALWAYS });
	g_autoptr(GRegex) escape = g_regex_new("\033\\[[0-9;]*m", 0, 0, NULL);
	g_autofree char *stripped = NULL;

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strchr(colored, '\033'));
	stripped = g_regex_replace_literal(escape, colored, -1, 0, "", 0, NULL);
	assert_string_equal(stripped, plain);
	free(plain);
	free(colored);
}

static void no_line_is_wider_than_the_page(void **state)
{
	(void)state;
	for (unsigned width = 64; width <= 100; width += 6) {
		char *got = printed(explain_odd(), (struct tui_options){ .width = width });
		g_auto(GStrv) lines = g_strsplit(got, "\n", -1);

		for (char **l = lines; *l; l++) {
			unsigned w = 0;

			for (const char *p = *l; *p; p = g_utf8_next_char(p))
				w += g_unichar_iswide(g_utf8_get_char(p)) ? 2 : 1;
			if (w > width)
				fail_msg("%u columns, not %u: %s", w, width, *l);
		}
		free(got);
	}
}

static void files_elsewhere_keep_their_path(void **state)
{
	char *got = printed(explain_paper(), (struct tui_options){ .directory = "/tmp" });

	(void)state;
	assert_non_null(strstr(got, "failed at /home/u/src/p.c:13 in P"));
	free(got);
	got = printed(explain_paper(), (struct tui_options){ .directory = "/home/u/src/sub/dir" });
	assert_non_null(strstr(got, "failed at ../../p.c:13 in P"));
	free(got);
	got = printed(explain_paper(), (struct tui_options){ .directory = "/home/u/s" });
	assert_non_null(strstr(got, "failed at ../src/p.c:13 in P"));
	free(got);
}

static void a_full_disk_is_told(void **state)
{
	struct explanation *e = explain_paper();
	struct tui_options o = { 0 };
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full) {
		explanation_free(e);
		skip();
	}
	assert_false(tui_print(full, e, &o));
	fclose(full);
	explanation_free(e);
}

/* A screen of ways is enough. */
static void many_chains_are_cut(void **state)
{
	struct explanation *e = explain_paper();
	struct explanation_suspect *two = e->suspects->pdata[1];
	g_autofree char *got = NULL;

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct explanation_suspect *more = explanation_suspect_new();

		more->rank = 3 + i;
		g_array_append_vals(more->statements, two->statements->data, two->statements->len);
		g_array_append_vals(more->chain, two->chain->data, two->chain->len);
		g_ptr_array_add(e->suspects, more);
	}
	got = printed(e, (struct tui_options){ 0 });
	assert_non_null(strstr(got, "\n  8  "));
	assert_null(strstr(got, "\n  9  "));
	assert_non_null(strstr(got, "  ... --format json has the others\n"));
}

/* In a set, another change would have it pass something else. */
static void a_call_says_what_it_passed(void **state)
{
	struct explanation_statement st = {
		.kind = "call", .clause = "argument 2 of f", .actual = "3", .witness = "4"
	};
	struct explanation *e = explanation_new();
	struct explanation_suspect *s = explanation_suspect_new();
	g_autofree char *change = NULL;

	(void)state;
	g_ptr_array_add(e->suspects, s);
	g_array_append_val(s->statements, st);
	change = tui_words_change(s, 0);
	assert_string_equal(change, "passed 3 as argument 2 of f; passing 4");
	g_free(change);
	g_array_index(s->statements, struct explanation_statement, 0).witness = "3";
	change = tui_words_change(s, 0);
	assert_string_equal(change, "passing 3 as argument 2 of f as before");
	explanation_free(e);
}

/* One suspect whose executions are changed, each from and to its own value. */
static char *words_of_executions(const char *kind, const char *const (*values)[2], unsigned n)
{
	struct explanation_statement st = { .clause = "b",
					    .kind = kind,
					    .actual = values[n - 1][0],
					    .witness = values[n - 1][1],
					    .changes = n,
					    .executions = 7 };
	struct explanation *e = explanation_new();
	struct explanation_suspect *s = explanation_suspect_new();
	char *change;

	g_ptr_array_add(e->suspects, s);
	g_array_append_val(s->statements, st);
	for (unsigned i = 0; i < n; i++) {
		struct explanation_instance in = { .execution = i + 1,
						   .actual = values[i][0],
						   .witness = values[i][1] };

		g_array_append_val(s->instances, in);
	}
	change = tui_words_change(s, 0);
	explanation_free(e);
	return change;
}

static void executions_with_values_of_their_own_are_told_in_turn(void **state)
{
	static const char *const same[][2] = { { "3", "4" }, { "3", "4" } };
	static const char *const differ[][2] = { { "12", "6" }, { "12", "11" }, { "12", "10" } };
	static const char *const both[][2] = { { "10", "11" }, { "12", "13" } };
	static const char *const many[][2] = {
		{ "1", "2" }, { "2", "3" }, { "3", "4" }, { "4", "5" }, { "5", "6" }
	};
	static const char *const not_known[][2] = { { NULL, "11" }, { "12", "11" } };
	static const char *const alike[][2] = { { "true", "false" }, { "true", "false" } };
	static const char *const turned[][2] = {
		{ "false", "true" }, { "true", "false" }, { "false", "false" }, { "true", "false" }
	};
	static const char *const beyond[][2] = {
		/* only the changed run comes there so often */
		{ "true", "true" }, { "true", "true" }, { "true", "true" },  { "true", "true" },
		{ "true", "true" }, { "true", "true" }, { "true", "false" }, { "false", "true" }
	};
	static const char *const often[][2] = { { "false", "true" },
						{ "true", "false" },
						{ "false", "true" },
						{ "true", "false" },
						{ "true", "false" } };
	const struct {
		const char *kind;
		const char *const (*values)[2];
		unsigned n;
		const char *words;
	} cases[] = {
		{ "assignment", same, 2, "gave b = 3; with b = 4 (2 of 7 times)" },
		{ "assignment", differ, 3,
		  "gave b = 12; with b = 6, 11, 10 in turn (3 of 7 times)" },
		{ "assignment", both, 2,
		  "gave b = 10, 12 (2 of 7 times); with b = 11, 13 in turn" },
		{ "assignment", many, 5,
		  "gave b = 1, 2, 3, 4, ... (5 of 7 times); with b = 2, 3, 4, 5, ... in turn" },
		{ "assignment", not_known, 2,
		  "gave b = 12 (the 2nd of 7 times); with b = 11 (the 1st and 2nd times)" },
		{ "condition", alike, 2, "went true; going false (2 of 7 times)" },
		{ "condition", turned, 4,
		  "went false, true, true (the 1st, 2nd and 4th of 7 times); going the other way "
		  "each time, and false the 3rd as before" },
		{ "condition", beyond, 8,
		  "went true (the 7th and 8th times); going the other way each time, and true 6 "
		  "times as before" },
		{ "condition", often, 5,
		  "went one way and the other (5 of 7 times); going the other way each time" },
	};

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *words =
			words_of_executions(cases[i].kind, cases[i].values, cases[i].n);

		assert_string_equal(words, cases[i].words);
	}
}

/* One suspect with this statement. */
static struct explanation *of_statement(struct explanation_statement st,
					enum explanation_replay replay)
{
	struct explanation *e = explain_nothing();

	explain_add_statement(explain_add_suspect(e, replay), st);
	return e;
}

static void a_number_below_zero_that_wrapped_is_told(void **state)
{
	static const struct {
		const char *text, *actual, *words;
	} cases[] = {
		{ "left = n - used;", "4294967246",
		  "gave left = 4294967246 (-50, wrapped around); with left = 0" },
		{ "left = n - used;", "18446744073709551615",
		  "gave left = 18446744073709551615 (-1, wrapped around); with left = 0" },
		{ "left = n + used;", "4294967246", "gave left = 4294967246; with left = 0" },
		{ "left = p->used;", "4294967246", "gave left = 4294967246; with left = 0" },
		{ "left = n - used;", "3000000000", "gave left = 3000000000; with left = 0" },
	};

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct explanation *e =
			of_statement((struct explanation_statement){ .kind = "assignment",
								     .clause = "left",
								     .text = cases[i].text,
								     .actual = cases[i].actual,
								     .witness = "0" },
				     REPLAY_PASSES);
		g_autofree char *words = tui_words_change(e->suspects->pdata[0], 0);

		assert_string_equal(words, cases[i].words);
		explanation_free(e);
	}
}

static void a_result_without_a_name_is_no_equation(void **state)
{
	static const struct {
		const char *actual, *witness, *words;
	} cases[] = {
		{ "one address", "another address", "used one address; with another one" },
		{ "3", "4", "gave 3; with 4" },
	};

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct explanation *e = of_statement(
			(struct explanation_statement){ .kind = "assignment",
							.clause = "an intermediate result",
							.actual = cases[i].actual,
							.witness = cases[i].witness },
			REPLAY_PASSES);
		g_autofree char *words = tui_words_change(e->suspects->pdata[0], 0);

		assert_string_equal(words, cases[i].words);
		explanation_free(e);
	}
}

static void which_execution_was_changed_is_told(void **state)
{
	static const struct {
		unsigned changes;
		uint64_t execution, executions;
		const char *words;
	} cases[] = {
		{ 1, 1, 1, "went true; going false" },
		{ 1, 2, 3, "went true the 2nd of 3 times; going false" },
		{ 1, 4, 3, "went true the 4th time; going false" },
		{ 2, 0, 3, "went true; going false (2 of 3 times)" },
		{ 5, 0, 3, "went true; going false (5 times)" },
	};

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct explanation *e = of_statement(
			(struct explanation_statement){ .kind = "condition",
							.clause = "a < b",
							.actual = "true",
							.witness = "false",
							.changes = cases[i].changes,
							.execution = cases[i].execution,
							.executions = cases[i].executions },
			REPLAY_PASSES);
		g_autofree char *words = tui_words_change(e->suspects->pdata[0], 0);

		assert_string_equal(words, cases[i].words);
		explanation_free(e);
	}
}

static void how_far_a_run_gets_is_told(void **state)
{
	struct explanation *e = of_statement((struct explanation_statement){ 0 }, REPLAY_FAILS);
	struct explanation_suspect *s = e->suspects->pdata[0];
	g_autofree char *here = NULL, *there = NULL, *count = NULL;

	(void)state;
	s->further_from = s->further_to = 3;
	here = tui_words_outcome(s, "output");
	assert_string_equal(here, "the test gets further in line 3 of its output");
	s->further_to = 12;
	there = tui_words_outcome(s, "output");
	assert_string_equal(there, "the test gets further: from line 3 of its output to line 12");
	count = tui_words_count(e);
	assert_string_equal(count, "1 explanation of the first difference only, shown by replay");
	explanation_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper),
		cmocka_unit_test(many_chains_are_cut),
		cmocka_unit_test(a_call_says_what_it_passed),
		cmocka_unit_test(executions_with_values_of_their_own_are_told_in_turn),
		cmocka_unit_test(the_command_has_the_surroundings),
		cmocka_unit_test(narrow),
		cmocka_unit_test(nothing),
		cmocka_unit_test(odd),
		cmocka_unit_test(options_that_were_given_are_known),
		cmocka_unit_test(a_long_chain_is_cut),
		cmocka_unit_test(seven_hops_are_whole),
		cmocka_unit_test(a_chain_that_joins_another_says_so),
		cmocka_unit_test(indices_out_of_range_are_left_out),
		cmocka_unit_test(a_way_that_is_not_known_is_missing_in_the_heading),
		cmocka_unit_test(stats),
		cmocka_unit_test(stats_alone),
		cmocka_unit_test(colors_change_nothing_else),
		cmocka_unit_test(no_line_is_wider_than_the_page),
		cmocka_unit_test(files_elsewhere_keep_their_path),
		cmocka_unit_test(a_full_disk_is_told),
		cmocka_unit_test(a_number_below_zero_that_wrapped_is_told),
		cmocka_unit_test(a_result_without_a_name_is_no_equation),
		cmocka_unit_test(which_execution_was_changed_is_told),
		cmocka_unit_test(how_far_a_run_gets_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
