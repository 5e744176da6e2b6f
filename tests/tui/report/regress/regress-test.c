/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a regression's answer looks like in each format, also when its texts are hostile. */
#include "tui/report/regress/regress.h"

#include <json-glib/json-glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct made {
	struct regress_changes *changes;
	struct regress_answer *a;
};

static void add_file(struct regress_changes *c, const char *path, const char *old,
		     const char *newer)
{
	g_autoptr(GBytes) before = g_bytes_new(old, strlen(old));
	g_autoptr(GBytes) after = g_bytes_new(newer, strlen(newer));

	regress_changes_add_file(c, path, 0100644, before, path, 0100644, after);
}

/* sum.c with two changes, and a header of 20 lines that is new to it. */
static struct made make(void)
{
	struct made m = { .changes = regress_changes_new() };
	GString *many = g_string_new("");

	add_file(m.changes, "sum.c", "int f(int x)\n{\n\treturn x;\n}\nint z;\n",
		 "int f(int x)\n{\n\treturn x < 2 && \"\";\n}\nint y;\n");
	regress_changes_add_lines(m.changes, 3, 1, 3, 1, "f");
	regress_changes_add_lines(m.changes, 5, 1, 5, 1, NULL);
	for (unsigned i = 0; i < 20; i++)
		g_string_append_printf(many, "#define WORD_%u \\\n", i);
	add_file(m.changes, "words.h", "", many->str);
	regress_changes_add_lines(m.changes, 0, 0, 1, 20, NULL);
	g_string_free(many, TRUE);
	m.a = regress_answer_new(m.changes);
	m.a->old_name = g_strdup("v1");
	m.a->new_name = g_strdup("v2 <b>\033[31m");
	m.a->test = g_strdup("./check");
	m.a->failure = g_strdup("exit status 1");
	m.a->stats = (struct regress_stats){
		.builds = 7, .failed_builds = 2, .tests = 1, .total_s = 12.34
	};
	return m;
}

static void unmake(struct made *m)
{
	regress_answer_free(m->a);
	regress_changes_free(m->changes);
}

static void add_number(GArray *to, unsigned number)
{
	g_array_append_val(to, number);
}

static void add_statement(struct regress_cause *c, unsigned line, const char *text,
			  const char *clause, const char *value, const char *before, int change)
{
	struct regress_statement s = { .file = "/src/sum.c",
				       .function = "f",
				       .line = line,
				       .text = text,
				       .clause = clause,
				       .value = value,
				       .before = before };

	s.changes = g_array_new(FALSE, FALSE, sizeof(unsigned));
	if (change >= 0) {
		add_number(s.changes, (unsigned)change);
		add_number(c->changes, (unsigned)change);
	}
	g_array_append_val(c->statements, s);
}

/* Change 1 is to blame; it let a branch go another way, and that made the test fail. */
static void blame(struct regress_answer *a)
{
	unsigned failure = regress_answer_add_cause(a, -1, NULL);
	unsigned branch = regress_answer_add_cause(a, (int)failure, "x < \"2\" went true, sum.c:3");

	a->outcome = REGRESS_FOUND;
	a->basis = REGRESS_BY_CAUSES;
	add_number(a->root, 0);
	add_number(a->candidates, 2);
	a->proof = (struct regress_proof){ .without = REGRESS_PASSES,
					   .with = REGRESS_FAILS,
					   .with_ending = g_strdup("exit status 1") };
	add_statement(regress_answer_cause(a, failure), 5, "return y;", "y", "2", "1", -1);
	add_statement(regress_answer_cause(a, branch), 3, "return x < 2 && \"\";", "x < 2", "true",
		      "false", 0);
	regress_answer_mark_relevant(a);
	regress_answer_note(a, "%u files were not looked at.", 3);
}

static char *printed(const struct regress_answer *a, enum tui_format format)
{
	const struct tui_options o = { .format = format, .width = 80 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tui_print_regression(out, a, &o));
	fclose(out);
	return text;
}

static void prints(const struct regress_answer *a, const char *expected)
{
	char *text = printed(a, TUI_TEXT);

	if (strcmp(text, expected) != 0)
		print_message("%s", text);
	assert_string_equal(text, expected);
	free(text);
}

static void holds(const char *text, const char *word)
{
	if (!strstr(text, word))
		fail_msg("no `%s' in: %s", word, text);
}

static void the_text_names_changes_and_their_proof(void **state)
{
	struct made m = make();

	(void)state;
	blame(m.a);
	prints(m.a, "old   v1\n"
		    "new   v2 <b>?[31m\n"
		    "test  ./check\n"
		    "fails exit status 1\n"
		    "\n"
		    "1 of 3 changes to blame\n"
		    "   1  sum.c:3 in f\n"
		    "      -       return x;\n"
		    "      +       return x < 2 && \"\";\n"
		    "  the new version without it: the test passes\n"
		    "  the old version with it alone: the test fails (exit status 1)\n"
		    "\n"
		    "  why x < \"2\" went true, sum.c:3:\n"
		    "    * /src/sum.c:3  return x < 2 && \"\";           [change 1] x < 2 = true,\n"
		    "                                                  before false\n"
		    "\n"
		    "  why it fails:\n"
		    "      /src/sum.c:5  return y;                     y = 2, before 1\n"
		    "\n"
		    "  found among the 2 changes that the failure was caused by\n"
		    "  after: 7 builds (2 did not compile), 1 run of the test, 12.3 s\n"
		    "  3 files were not looked at.\n");
	unmake(&m);
}

static void what_is_not_proven_is_said_to_be_so(void **state)
{
	struct made m = make();
	char *text;

	(void)state;
	blame(m.a);
	m.a->proof.without = REGRESS_FAILS;
	m.a->proof.without_ending = g_strdup("SIGSEGV");
	m.a->proof.with_auxiliary = true;
	m.a->basis = REGRESS_BY_ALL;
	add_number(m.a->root, 2);
	add_number(m.a->auxiliary, 1);
	text = printed(m.a, TUI_TEXT);
	holds(text, "2 of 3 changes named by after, not proven\n");
	holds(text, "  the new version without them: fails (SIGSEGV)\n");
	holds(text,
	      "the old version with them alone (and what it needs to compile): the test fails");
	holds(text, "reverted with them only so that they compile:\n   2  sum.c:5\n");
	holds(text, "      ... 12 lines more\n"); /* of 20: 8 are shown */
	holds(text, "  found among all 2 changes\n");
	free(text);
	g_array_index(m.a->candidates, unsigned, m.a->candidates->len - 1) = 1;
	text = printed(m.a, TUI_TEXT);
	holds(text, "  it is the only change\n");
	free(text);
	m.a->basis = REGRESS_BY_CAUSES;
	text = printed(m.a, TUI_TEXT);
	holds(text, "  it is the only change that the failure was caused by\n");
	free(text);
	m.a->basis = REGRESS_BY_SOURCES;
	text = printed(m.a, TUI_TEXT);
	holds(text, "  it is the only change of a source\n");
	free(text);
	unmake(&m);
}

static void nothing_found(void **state)
{
	struct made m = make();
	char *text;

	(void)state;
	m.a->outcome = REGRESS_NOT_FOUND;
	text = printed(m.a, TUI_TEXT);
	holds(text, "\nreverting none of the 3 changes lets the test pass\n");
	assert_null(strstr(text, "found among"));
	free(text);
	m.a->outcome = REGRESS_CUT;
	text = printed(m.a, TUI_TEXT);
	holds(text, "\nstopped before the changes to blame were found, of 3\n");
	free(text);
	unmake(&m);
}

/* The change to blame stands on no cause: the failure's own is shown, and that this is so. */
static void a_root_that_no_cause_holds(void **state)
{
	struct made m = make();
	char *text;

	(void)state;
	blame(m.a);
	for (guint i = 0; i < m.a->causes->len; i++)
		regress_answer_cause(m.a, i)->relevant = false;
	text = printed(m.a, TUI_TEXT);
	holds(text, "\n  why it fails (on none of these lines stands a change to blame):\n      ");
	holds(text, "return y;");
	assert_null(strstr(text, "went true"));
	free(text);
	text = printed(m.a, TUI_HTML);
	holds(text, "<h3>Why it fails (on none of these lines stands a change to blame)</h3>");
	assert_null(strstr(text, "went true"));
	free(text);
	text = printed(m.a, TUI_DOT);
	holds(text, "\tcause0 -> failure;\n");
	holds(text, "\tchange1 -> failure;\n");
	assert_null(strstr(text, "cause1"));
	free(text);
	g_array_set_size(m.a->root, 0);
	m.a->outcome = REGRESS_CUT;
	text = printed(m.a, TUI_TEXT);
	holds(text, "\n  why it fails:\n");
	free(text);
	unmake(&m);
}

static void each_basis_has_its_words(void **state)
{
	static const struct {
		enum regress_basis basis;
		const char *says;
	} rows[] = {
		{ REGRESS_BY_CAUSES, "the 2 changes that the failure was caused by\n" },
		{ REGRESS_BY_CODE,
		  "the 2 changes that the test executes and whose code differs\n" },
		{ REGRESS_BY_EXECUTED, "the 2 changes that the test executes\n" },
		{ REGRESS_BY_SOURCES, "the 2 changes that the test executes or that declare" },
		{ REGRESS_BY_ALL, "all 2 changes\n" },
	};
	struct made m = make();

	(void)state;
	blame(m.a);
	for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text;

		m.a->basis = rows[i].basis;
		text = printed(m.a, TUI_TEXT);
		holds(text, rows[i].says);
		free(text);
	}
	unmake(&m);
}

static gint64 integer(JsonObject *o, const char *name)
{
	return json_object_get_int_member(o, name);
}

static JsonObject *object(JsonObject *o, const char *array, guint i)
{
	return json_array_get_object_element(json_object_get_array_member(o, array), i);
}

/* People count changes from 1, in JSON, too. */
static void json_has_all_of_it(void **state)
{
	struct made m = make();
	JsonParser *parser = json_parser_new();
	JsonObject *o, *root, *cause;
	char *text;

	(void)state;
	blame(m.a);
	text = printed(m.a, TUI_JSON);
	assert_true(json_parser_load_from_data(parser, text, -1, NULL));
	o = json_node_get_object(json_parser_get_root(parser));
	assert_int_equal(integer(o, "schema"), 1);
	assert_string_equal(json_object_get_string_member(o, "new"), "v2 <b>\033[31m");
	assert_string_equal(json_object_get_string_member(o, "outcome"), "found");
	root = object(o, "root", 0);
	assert_int_equal(integer(root, "number"), 1);
	assert_string_equal(json_object_get_string_member(root, "text"),
			    "-\treturn x;\n+\treturn x < 2 && \"\";\n");
	assert_int_equal(integer(json_object_get_object_member(root, "old_lines"), "first"), 3);
	assert_true(json_object_get_null_member(object(o, "causes", 0), "predicate"));
	cause = object(o, "causes", 1);
	assert_int_equal(integer(cause, "effect"), 0);
	assert_string_equal(json_object_get_string_member(object(cause, "statements", 0), "before"),
			    "false");
	assert_int_equal(integer(json_object_get_object_member(o, "stats"), "changes"), 3);
	assert_int_equal(json_array_get_length(json_object_get_array_member(o, "auxiliary")), 0);
	g_object_unref(parser);
	free(text);
	unmake(&m);
}

static void pages_escape_what_they_hold(void **state)
{
	struct made m = make();
	char *text;

	(void)state;
	blame(m.a);
	add_number(m.a->auxiliary, 1);
	text = printed(m.a, TUI_HTML);
	assert_null(strstr(text, "<b>"));
	assert_null(strchr(text, '\033'));
	holds(text, "v2 &lt;b&gt;");
	holds(text, "<span class=\"good\">+       return x &lt; 2 &amp;&amp; &quot;&quot;;</span>");
	holds(text, "<h3>Why x &lt; &quot;2&quot; went true, sum.c:3</h3>");
	holds(text, "<tr class=\"changed\"><td>*</td><td>/src/sum.c:3</td>");
	holds(text, "<h2>Reverted with it only so that it compiles</h2>");
	holds(text, "<p class=\"faint\">3 files were not looked at.</p>");
	/* the cause that lies farther back stands first */
	assert_true(strstr(text, "<h3>Why x") < strstr(text, "<h3>Why it fails"));
	free(text);
	unmake(&m);
}

static void graphs_lead_from_changes_to_the_failure(void **state)
{
	struct made m = make();
	char *text;

	(void)state;
	blame(m.a);
	text = printed(m.a, TUI_DOT);
	holds(text, "\tchange1 -> cause1;\n");
	holds(text, "\tcause1 -> cause0 [label=\"x < \\\"2\\\" went true, sum.c:3\"];\n");
	holds(text, "\tcause0 -> failure;\n");
	free(text);
	/* a change that no cause holds leads there by itself */
	add_number(m.a->root, 2);
	text = printed(m.a, TUI_DOT);
	holds(text, "\tchange3 -> failure;\n");
	free(text);
	unmake(&m);
}

static void a_full_disk_is_noticed(void **state)
{
	const struct tui_options o = { .format = TUI_TEXT, .width = 80 };
	FILE *full = fopen("/dev/full", "w");
	struct made m = make();

	(void)state;
	if (!full)
		skip();
	assert_false(tui_print_regression(full, m.a, &o));
	fclose(full);
	unmake(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_names_changes_and_their_proof),
		cmocka_unit_test(what_is_not_proven_is_said_to_be_so),
		cmocka_unit_test(nothing_found),
		cmocka_unit_test(a_root_that_no_cause_holds),
		cmocka_unit_test(each_basis_has_its_words),
		cmocka_unit_test(json_has_all_of_it),
		cmocka_unit_test(pages_escape_what_they_hold),
		cmocka_unit_test(graphs_lead_from_changes_to_the_failure),
		cmocka_unit_test(a_full_disk_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
