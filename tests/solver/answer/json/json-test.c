/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/explain.h"
#include "solver/answer/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static char *json_of(struct explanation *e)
{
	char *text = tui_json(e);

	explanation_free(e);
	return text;
}

static const char whole[] = "{\n"
			    "  \"schema\" : 1,\n"
			    "  \"program\" : null,\n"
			    "  \"argv\" : [],\n"
			    "  \"failure\" : {\n"
			    "    \"kind\" : \"assert\",\n"
			    "    \"function\" : null,\n"
			    "    \"file\" : null,\n"
			    "    \"line\" : 0,\n"
			    "    \"column\" : 0,\n"
			    "    \"requirement\" : null,\n"
			    "    \"values\" : []\n"
			    "  },\n"
			    "  \"suspects\" : [\n"
			    "    {\n"
			    "      \"rank\" : 1,\n"
			    "      \"score\" : 1.0,\n"
			    "      \"weight\" : null,\n"
			    "      \"tests\" : 1,\n"
			    "      \"statements\" : [\n"
			    "        {\n"
			    "          \"function\" : \"f\",\n"
			    "          \"file\" : \"/x.c\",\n"
			    "          \"line\" : 3,\n"
			    "          \"column\" : 5,\n"
			    "          \"text\" : \"if (a)\",\n"
			    "          \"kind\" : \"condition\",\n"
			    "          \"clause\" : \"a\",\n"
			    "          \"actual\" : \"true\",\n"
			    "          \"witness\" : null,\n"
			    "          \"changes\" : 2,\n"
			    "          \"execution\" : 3,\n"
			    "          \"executions\" : 0,\n"
			    "          \"witness_is\" : null\n"
			    "        }\n"
			    "      ],\n"
			    "      \"instances\" : [],\n"
			    "      \"actions\" : [],\n"
			    "      \"replay\" : \"not run\",\n"
			    "      \"size\" : 1,\n"
			    "      \"further\" : {\n"
			    "        \"from\" : 3,\n"
			    "        \"to\" : 12\n"
			    "      },\n"
			    "      \"needs_run\" : true,\n"
			    "      \"unchecked\" : false,\n"
			    "      \"note\" : \"not run: \\\"--no-hijack\\\"\",\n"
			    "      \"evidence\" : null,\n"
			    "      \"chain\" : []\n"
			    "    }\n"
			    "  ],\n"
			    "  \"chain\" : [\n"
			    "    {\n"
			    "      \"function\" : \"f\",\n"
			    "      \"file\" : \"/x.c\",\n"
			    "      \"line\" : 3,\n"
			    "      \"text\" : \"if (a)\",\n"
			    "      \"clause\" : \"a\",\n"
			    "      \"stop\" : null,\n"
			    "      \"values\" : [\n"
			    "        {\n"
			    "          \"name\" : \"a\",\n"
			    "          \"value\" : \"1 -> 0\"\n"
			    "        }\n"
			    "      ],\n"
			    "      \"before_only\" : false,\n"
			    "      \"because\" : [],\n"
			    "      \"edge\" : \"control\"\n"
			    "    }\n"
			    "  ],\n"
			    "  \"opening\" : [],\n"
			    "  \"lines\" : [],\n"
			    "  \"line_values\" : [],\n"
			    "  \"coverage\" : [],\n"
			    "  \"notes\" : [],\n"
			    "  \"tests\" : null,\n"
			    "  \"stack\" : 0,\n"
			    "  \"not_run\" : null,\n"
			    "  \"differs\" : null,\n"
			    "  \"complete\" : false,\n"
			    "  \"stats\" : {\n"
			    "    \"engine\" : null,\n"
			    "    \"instructions\" : 0,\n"
			    "    \"statements\" : 0,\n"
			    "    \"runs\" : 0,\n"
			    "    \"iterations\" : 0,\n"
			    "    \"checks\" : 0,\n"
			    "    \"clauses\" : 0,\n"
			    "    \"record_ms\" : 0.0,\n"
			    "    \"solve_ms\" : 0.0,\n"
			    "    \"total_ms\" : 0.0,\n"
			    "    \"concretized\" : 0,\n"
			    "    \"memory_kb\" : 0,\n"
			    "    \"stages\" : [],\n"
			    "    \"techniques\" : {    },\n"
			    "    \"limits\" : []\n"
			    "  }\n"
			    "}\n";

static void whole_document(void **state)
{
	struct explanation *e = explain_nothing();
	struct explanation_suspect *s = explain_add_suspect(e, REPLAY_NOT_RUN);
	g_autofree char *got = NULL;

	(void)state;
	s->needs_run = true;
	s->further_from = 3;
	s->further_to = 12;
	s->note = "not run: \"--no-hijack\"";
	explain_add_statement(s, (struct explanation_statement){ "f", "/x.c", 3, 5, "if (a)",
								 "condition", "a", "true", NULL, 2,
								 3, 0, NULL });
	explain_add_link(e,
			 (struct explanation_link){
				 "f", "/x.c", 3, "if (a)", "a", NULL, NULL, EDGE_CONTROL, { 0 } },
			 "a", "1 -> 0");
	got = json_of(e);
	assert_string_equal(got, whole);
}

static JsonParser *parsed(const char *text)
{
	JsonParser *parser = json_parser_new();
	g_autoptr(GError) error = NULL;

	if (!json_parser_load_from_data(parser, text, -1, &error))
		fail_msg("%s", error->message);
	return parser;
}

static void odd_values_are_still_json(void **state)
{
	g_autofree char *text = json_of(explain_odd());
	g_autoptr(JsonParser) parser = NULL;
	JsonObject *root, *stats;

	(void)state;
	assert_true(g_utf8_validate(text, -1, NULL));
	parser = parsed(text);
	root = json_node_get_object(json_parser_get_root(parser));
	stats = json_object_get_object_member(root, "stats");
	/* UINT64_MAX as a string, infinity as null. */
	assert_string_equal(json_object_get_string_member(stats, "instructions"),
			    "18446744073709551615");
	assert_true(json_object_get_null_member(stats, "total_ms"));
}

static void counters_turn_into_strings_where_doubles_end(void **state)
{
	struct explanation *e = explain_nothing();
	g_autofree char *text = NULL;

	(void)state;
	e->stats.instructions = (UINT64_C(1) << 53) - 1;
	e->stats.checks = UINT64_C(1) << 53;
	text = json_of(e);
	assert_non_null(strstr(text, "\"instructions\" : 9007199254740991,"));
	assert_non_null(strstr(text, "\"checks\" : \"9007199254740992\","));
}

/* Status of tests/validate.py on text, or 77. */
static int validate(const char *text, const char *option)
{
	const char *argv[] = { "python3", "tests/validate.py", option, "tests/answer.schema.json",
			       NULL };
	g_autoptr(GError) error = NULL;
	g_autofree char *out = NULL;
	g_autoptr(GSubprocess) process = g_subprocess_newv(
		argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);

	if (!process)
		return 77;
	if (!g_subprocess_communicate_utf8(process, text, NULL, &out, NULL, &error))
		fail_msg("%s", error->message);
	assert_true(g_subprocess_get_if_exited(process));
	if (g_subprocess_get_exit_status(process))
		print_message("%s", out);
	return g_subprocess_get_exit_status(process);
}

static void the_schema_accepts(void **state)
{
	struct explanation *all[] = { explain_paper(), explain_odd(), explain_nothing(),
				      explain_long_chain(12) };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *text = json_of(all[i]);
		int status = validate(text, "--");

		if (status == 77)
			skip();
		assert_int_equal(status, 0);
	}
}

/* And with one that it does not know, at every depth. */
static void the_schema_refuses_what_lacks_a_field(void **state)
{
	g_autofree char *text = json_of(explain_paper());
	int status = validate(text, "--strict");

	(void)state;
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

static void the_schema_refuses_wrong_values(void **state)
{
	static const char *const wrong[][2] = {
		{ "\"schema\" : 1", "\"schema\" : 2" },
		{ "\"replay\" : \"passes\"", "\"replay\" : \"maybe\"" },
		{ "\"edge\" : \"data\"", "\"edge\" : \"other\"" },
		{ "\"rank\" : 1", "\"rank\" : 0" },
		{ "\"size\" : 1", "\"size\" : 3" },
		{ "\"line\" : 13", "\"line\" : \"13\"" },
		{ "\"checks\" : 32", "\"checks\" : \"32\"" },
	};
	g_autofree char *text = json_of(explain_paper());

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_auto(GStrv) parts = g_strsplit(text, wrong[i][0], 2);
		g_autofree char *altered = g_strjoinv(wrong[i][1], parts);
		int status = validate(altered, "--");

		if (status == 77)
			skip();
		assert_string_not_equal(altered, text);
		assert_int_equal(status, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_document),
		cmocka_unit_test(odd_values_are_still_json),
		cmocka_unit_test(counters_turn_into_strings_where_doubles_end),
		cmocka_unit_test(the_schema_accepts),
		cmocka_unit_test(the_schema_refuses_what_lacks_a_field),
		cmocka_unit_test(the_schema_refuses_wrong_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
