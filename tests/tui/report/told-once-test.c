/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer has told already is not told again. */
#include "tests/support/explain.h"
#include "tui/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static char *text_with(struct explanation *e, const struct tui_options *o)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print(out, e, o));
	fclose(out);
	explanation_free(e);
	return text;
}

static char *text_by_commands(struct explanation *e, const char *others, const char *way)
{
	return text_with(e, &(struct tui_options){ .width = 200,
						   .others = others,
						   .way = way,
						   .directory = "/home/u/src" });
}

static char *text_of_answer(struct explanation *e, const char *others)
{
	return text_by_commands(e, others, NULL);
}

static unsigned count_of(const char *text, const char *word)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, word)); at++)
		n++;
	return n;
}

/* Two suspects of one line are mended by the same change. */
static void a_change_is_told_once(void **state)
{
	static struct explanation_evidence one = { .change = "2 for 1", .mended = 1, .failing = 1 };
	struct explanation *e = explain_paper();
	struct explanation_suspect *first = e->suspects->pdata[0], *second = e->suspects->pdata[1];
	struct explanation_statement *st =
		&g_array_index(second->statements, struct explanation_statement, 0);
	char *got;

	(void)state;
	first->evidence = &one;
	second->evidence = &one;
	st->line = g_array_index(first->statements, struct explanation_statement, 0).line;
	got = text_of_answer(e, NULL);
	assert_int_equal(count_of(got, "2 for 1 here"), 1);
	free(got);
}

/* A chain of six rows, of which the opening has those from the given one on, backwards. */
static struct explanation *explain_opened(unsigned from)
{
	struct explanation *e = explain_long_chain(6);

	for (unsigned i = 6; i > from; i--) {
		struct explanation_link row =
			g_array_index(e->chain, struct explanation_link, i - 1);

		row.values = g_array_new(FALSE, FALSE, sizeof(struct explanation_value));
		row.because = g_array_new(FALSE, FALSE, sizeof(guint));
		g_array_append_val(e->opening, row);
	}
	return e;
}

static void a_way_goes_on_in_the_opening(void **state)
{
	char *got = text_of_answer(explain_opened(1), "--all");

	(void)state;
	assert_non_null(strstr(got, "data -> p.c:2, then up the rows at the top\n"));
	assert_null(strstr(got, "data -> p.c:3"));
	free(got);
	/* all of it, where all is asked for, or the opening ends before */
	got = text_of_answer(explain_opened(1), NULL);
	assert_null(strstr(got, "at the top"));
	free(got);
	got = text_of_answer(explain_opened(4), "--all");
	assert_null(strstr(got, "at the top"));
	free(got);
}

/* Rows that only pass a value on are one row, unless all is asked for. */
static void a_value_that_is_passed_on_is_one_row(void **state)
{
	char *got = text_of_answer(explain_long_chain(9), "--all");

	(void)state;
	assert_non_null(strstr(
		got,
		"data -> p.c:2, 3, 4, 5, 6, 7 and 8, which pass it on\n        data -> p.c:9"));
	free(got);
	got = text_of_answer(explain_long_chain(9), NULL);
	assert_null(strstr(got, "pass it on"));
	free(got);
	got = text_of_answer(explain_long_chain(3), "--all");
	assert_null(strstr(got, "pass it on"));
	free(got);
}

/* ---- one statement that may stand at several lines ---- */

static void add_insertion(struct explanation *e, const char *function, unsigned line,
			  struct explanation_evidence *v, const char *witness)
{
	struct explanation_suspect *s = explain_add_suspect(e, REPLAY_PASSES);

	s->evidence = v;
	explain_add_statement(s, (struct explanation_statement){
					 .function = function,
					 .file = "/home/u/src/p.c",
					 .line = line,
					 .text = "f();",
					 .kind = "code",
					 .witness = witness,
				 });
}

static void a_statement_that_is_missing_has_one_row(void **state)
{
	static struct explanation_evidence
		count = { .change = "`n++' put before it", .mended = 1, .failing = 1 },
		other = { .change = "`k++' put before it", .mended = 1, .failing = 1 },
		less = { .change = "`<' for `>'", .mended = 1, .failing = 1 };
	struct explanation *e = explain_nothing();
	char *got;

	(void)state;
	e->complete = true;
	add_insertion(e, "f", 9, &count, count.change);
	add_insertion(e, "f", 5, &count, count.change);
	add_insertion(e, "f", 4, &other, other.change);
	add_insertion(e, "f", 3, &count, count.change);
	add_insertion(e, "g", 2, &count, count.change);
	add_insertion(e, "f", 7, &less, less.change);
	add_insertion(e, "f", 8, &less, less.change);
	add_insertion(e, "f", 6, &less, less.change);
	got = text_of_answer(e, "--all");
	assert_non_null(strstr(got, "\n 1  p.c:9  f();  with `n++' put before it the test passes; "
				    "or before line 5 (2) or 3 (4)\n"
				    " 3  p.c:4  f();  with `k++' put before it the test passes\n"
				    " 5  p.c:2  f();  with `n++' put before it the test passes\n"
				    "    3 more: --all\n"));
	free(got);
}

/* ---- an answer that fits on a screen ---- */

static struct explanation *explain_opened_with_notes(unsigned notes)
{
	struct explanation *e = explain_opened(4);

	for (unsigned i = 0; i < notes; i++)
		g_ptr_array_add(e->notes, (gpointer) "a note");
	return e;
}

/* The way is what can be left out, since the opening tells most of it. */
static void a_long_answer_leaves_the_ways_out(void **state)
{
	static const char *const others[] = { "--all", NULL };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
		for (unsigned notes = 0; notes < 20; notes++) {
			char *got = text_of_answer(explain_opened_with_notes(notes), others[i]);
			const bool has_ways = strstr(got, "from each to the failure, as");
			const bool is_told = strstr(got, "    the way from each to the failure: "
							 "--all\n") != NULL;

			assert_true(has_ways != is_told);
			assert_true(others[i] || has_ways);
			/* with the ways it has 7 lines more */
			assert_true(!others[i] || (has_ways ? count_of(got, "\n") <= 25
							    : count_of(got, "\n") + 7 > 25));
			free(got);
		}
	}
}

static char *text_of_ways(struct explanation *e)
{
	return text_with(e, &(struct tui_options){
				    .width = 200, .part = TUI_WAYS, .directory = "/home/u/src" });
}

/* No step is left out, and nothing else is told. */
static void a_way_alone_is_whole(void **state)
{
	char *got = text_of_ways(explain_long_chain(12));

	(void)state;
	assert_int_equal(count_of(got, "\n"), 12);
	assert_true(g_str_has_prefix(got, "  1             p.c:1 "));
	free(got);
	got = text_of_ways(explain_nothing());
	assert_non_null(strstr(got, "It is not known which values lead"));
	free(got);
}

/* In a session another command shows them. */
static void each_command_is_named(void **state)
{
	struct explanation *e = explain_opened_with_notes(20);
	char *got = text_by_commands(e, "suspects", "chain 1");

	(void)state;
	assert_non_null(strstr(got, "\n    the way from 1 to the failure: chain 1\n"));
	free(got);
	e = explain_opened_with_notes(20);
	for (unsigned line = 10; line < 14; line++)
		add_insertion(e, "f", line, NULL, "`+' for `-' here");
	got = text_by_commands(e, "suspects", "chain 1");
	assert_non_null(strstr(got, "\n    2 more: suspects; the way from 1 to the failure: "
				    "chain 1\n"));
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_told_once),
		cmocka_unit_test(a_way_goes_on_in_the_opening),
		cmocka_unit_test(a_value_that_is_passed_on_is_one_row),
		cmocka_unit_test(a_statement_that_is_missing_has_one_row),
		cmocka_unit_test(a_long_answer_leaves_the_ways_out),
		cmocka_unit_test(a_way_alone_is_whole),
		cmocka_unit_test(each_command_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
