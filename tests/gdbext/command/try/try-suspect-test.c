/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A suspect of an answer as a change, and how it is said. */
#include "gdbext/command/try/try-suspect.h"
#include "solver/answer/json/json.h"
#include "solver/explanation.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

static const char *const file = "answer.json";

/* A new suspect that changes n executions of one statement of this kind. */
static struct explanation_suspect *suspect_of_kind(struct explanation *e, const char *kind,
						   const char *clause, unsigned n)
{
	struct explanation_suspect *s = explanation_suspect_new();
	struct explanation_statement st = { .function = "main",
					    .file = "/home/me/p.c",
					    .line = 7,
					    .text = "n = 2;",
					    .kind = kind,
					    .clause = clause,
					    .actual = "2",
					    .witness = "3",
					    .changes = n,
					    .executions = n > 1 ? n : 1 };
	struct trace_action a = { .kind = TRACE_ACTION_REG, .addr = 16, .nth = 1, .size = 8 };

	s->rank = e->suspects->len + 1;
	s->size = 1;
	s->replay = REPLAY_PASSES;
	s->actions = g_array_new(FALSE, TRUE, sizeof(struct trace_action));
	g_array_append_val(s->actions, a);
	g_array_append_val(s->statements, st);
	for (unsigned i = 1; i <= n; i++) {
		struct explanation_instance one = { .execution = i,
						    .actual = i == 1 ? "2" : NULL,
						    .witness = i < 3 ? "3" : NULL };

		g_array_append_val(s->instances, one);
	}
	g_ptr_array_add(e->suspects, s);
	return s;
}

static void write_json(const struct explanation *e)
{
	g_autofree char *text = tui_json(e);

	assert_true(g_file_set_contents(file, text, -1, NULL));
}

static void expect_words(unsigned rank, const char *words)
{
	const struct change_of run = { 0 };
	g_autofree char *which = g_strdup_printf("%s:%u", file, rank);
	struct change change = { 0 };
	GError *error = NULL;

	if (!suspect_change(&run, which, &change, &error))
		fail_msg("%s: %s", which, error->message);
	assert_string_equal(change.text, words);
	assert_int_equal(change.actions->len, 1);
	change_clear(&change);
}

static void each_kind_is_said(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	suspect_of_kind(e, "condition", "n < 2", 1);
	suspect_of_kind(e, "return", NULL, 1);
	suspect_of_kind(e, "store", NULL, 1);
	suspect_of_kind(e, "call", "argument 1 of f", 1);
	suspect_of_kind(e, "assignment", "n", 1);
	write_json(e);
	expect_words(1, "p.c:7: `n < 2' goes 3 instead of 2");
	expect_words(2, "p.c:7: returns 3 instead of 2");
	expect_words(3, "p.c:7: stores to 3 instead of 2");
	expect_words(4, "p.c:7: passes 3 as argument 1 of f instead of 2");
	expect_words(5, "p.c:7: n = 3 instead of 2");
	explanation_free(e);
}

static void executions_are_said(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *s;

	(void)state;
	suspect_of_kind(e, "assignment", "n", 2);
	suspect_of_kind(e, "assignment", "n", 8);
	s = suspect_of_kind(e, "assignment", "n", 1);
	g_array_index(s->instances, struct explanation_instance, 0).execution = 3;
	write_json(e);
	expect_words(1, "p.c:7: n = 3 instead of 2, the 1st of 2 times\n"
			"p.c:7: n = 3, the 2nd of 2 times");
	expect_words(2, "p.c:7: n = 3 instead of 2, the 1st of 8 times\n"
			"p.c:7: n = 3, the 2nd of 8 times\n"
			"p.c:7: n = another value, the 3rd of 8 times\n"
			"p.c:7: n = another value, the 4th of 8 times\n"
			"p.c:7: n = another value, the 5th of 8 times\n"
			"p.c:7: n = another value, the 6th of 8 times\n"
			"and 2 more times");
	expect_words(3, "p.c:7: n = 3 instead of 2, the 3rd time");
	explanation_free(e);
}

/* A change of code is native; what ended well and counts as no mending says why. */
static void code_and_notes_are_said(void **state)
{
	struct explanation *e = explanation_new();
	const struct change_of run = { 0 };
	struct change change = { 0 };
	struct explanation_suspect *s = suspect_of_kind(e, "assignment", "n", 1);

	(void)state;
	g_array_index(s->actions, struct trace_action, 0) = (struct trace_action){
		.kind = TRACE_ACTION_CODE, .addr = 16, .size = 1, .where = 1
	};
	g_array_index(s->statements, struct explanation_statement, 0).witness = "`<' for `>'";
	s = suspect_of_kind(e, "assignment", "n", 1);
	s->replay = REPLAY_FAILS;
	s->note = "it reads outside of an object";
	write_json(e);
	expect_words(1, "p.c:7: with `<' for `>'");
	expect_words(2, "p.c:7: n = 3 instead of 2\n"
			"this counts as no mending: it reads outside of an object");
	assert_true(suspect_change(&run, "answer.json:1", &change, NULL));
	assert_true(change.native);
	change_clear(&change);
	explanation_free(e);
}

static void others_are_refused(void **state)
{
	static const struct {
		const char *which, *says;
	} all[] = {
		{ "answer.json", "names no suspect" },
		{ "answer.json:0", "names no suspect" },
		{ "answer.json:9", "has no suspect 9" },
		{ "answer.json:1", "does not say what suspect 1 changes; it was not run" },
		{ "nosuch.json:1", "nosuch.json" },
	};
	struct explanation *e = explanation_new();
	struct explanation_suspect *s = suspect_of_kind(e, "assignment", "n", 1);
	const struct change_of run = { 0 };

	(void)state;
	g_array_set_size(s->actions, 0);
	write_json(e);
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autoptr(GError) error = NULL;
		struct change change = { 0 };

		assert_false(suspect_change(&run, all[i].which, &change, &error));
		if (!strstr(error->message, all[i].says))
			fail_msg("%s: %s", all[i].which, error->message);
	}
	explanation_free(e);
}

static int make_folder(void **state)
{
	*state = test_folder_new();
	return chdir(*state);
}

static int remove_folder(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_said),
		cmocka_unit_test(executions_are_said),
		cmocka_unit_test(code_and_notes_are_said),
		cmocka_unit_test(others_are_refused),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
