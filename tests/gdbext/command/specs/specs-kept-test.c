/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `gdb-why specs' in this process: its answer as JSON, tests that it keeps, which are compiled and
 * run, what a user says between the rounds, and tests that are other standard input.  timeout: 300
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

static char *samples;

/* ---- JSON ---- */

/* The document that the last command printed. */
static JsonObject *answer(JsonParser *parser)
{
	g_autofree char *text = NULL;
	GError *error = NULL;
	const char *from, *to; /* a message may stand behind it */

	assert_true(g_file_get_contents("said", &text, NULL, NULL));
	from = strchr(text, '{');
	to = g_strrstr(text, "\n}\n");
	assert_true(from && to);
	if (!json_parser_load_from_data(parser, from, to + strlen("\n}") - from, &error))
		fail_msg("%s: %s", error->message, text);
	return json_node_get_object(json_parser_get_root(parser));
}

static JsonObject *element(JsonObject *o, const char *array, guint i)
{
	JsonArray *a = json_object_get_array_member(o, array);

	assert_true(i < json_array_get_length(a));
	return json_array_get_object_element(a, i);
}

static guint length(JsonObject *o, const char *array)
{
	return json_array_get_length(json_object_get_array_member(o, array));
}

static const char *word(JsonObject *o, const char *array, guint i)
{
	return json_array_get_string_element(json_object_get_array_member(o, array), i);
}

#define LIST "--spec specs/list-spec.c ./"

static void run(const char *line, int status)
{
	const struct command_case x = { line, status, { NULL } };

	commands_expect(&x, 1);
}

/* Ranks and rounds as in specs-command-test.c, where they are the paper's. */
static void suspects_as_json(void **state)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *d, *fault, *test, *first, *round;

	(void)state;
	run("gdb-why specs --format json --rounds 2 " LIST "size 1 1 2", 0);
	d = answer(parser);
	assert_int_equal(json_object_get_int_member(d, "schema"), 1);
	assert_int_equal(json_object_get_int_member(d, "status"), 0);
	assert_int_equal(length(d, "faults"), 1);
	assert_string_equal(word(d, "arguments", 0), "1");
	fault = element(d, "faults", 0);
	test = json_object_get_object_member(fault, "test");
	assert_string_equal(json_object_get_string_member(element(test, "violates", 0), "name"),
			    "size_ok");
	assert_int_equal(json_object_get_int_member(element(test, "violates", 0), "line"), 56);
	assert_string_equal(json_object_get_string_member(element(test, "violates", 0), "at"),
			    "return");
	assert_false(json_object_get_boolean_member(test, "crashes"));
	first = element(fault, "statements", 0);
	assert_int_equal(json_object_get_int_member(first, "rank"), 1);
	assert_int_equal(json_object_get_int_member(first, "line"), 43);
	assert_string_equal(json_object_get_string_member(first, "text"), "l->size = 0;");
	assert_float_equal(json_object_get_double_member(first, "suspiciousness"), 2, 1e-9);
	assert_float_equal(json_object_get_double_member(first, "mends"), 1, 1e-9);
	assert_true(json_object_get_boolean_member(first, "suspect"));
	assert_int_equal(length(fault, "rounds"), 2);
	round = element(fault, "rounds", 1);
	assert_false(json_object_get_boolean_member(round, "executed"));
	assert_int_equal(json_object_get_int_member(round, "rank"), 1);
	test = json_object_get_object_member(round, "test");
	assert_string_equal(word(test, "arguments", 0), "0");
	assert_int_equal(length(test, "violates"), 0);
	assert_true(json_object_get_null_member(fault, "causes"));
}

static void a_violation_as_json(void **state)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *d, *fault;

	(void)state;
	run("gdb-why specs --format json --check " LIST "size 1 1 2", 0);
	d = answer(parser);
	fault = element(d, "faults", 0);
	assert_int_equal(length(fault, "statements"), 0);
	assert_int_equal(length(fault, "rounds"), 0);
	assert_true(g_str_has_suffix(json_object_get_string_member(fault, "called_with"), "k = 1"));
	assert_true(json_object_has_member(json_object_get_object_member(fault, "explanation"),
					   "suspects"));
	run("gdb-why specs --format json --check " LIST "none 1 1 2", 1);
	d = answer(parser);
	assert_int_equal(length(d, "faults"), 0);
	assert_int_equal(json_object_get_int_member(d, "status"), 1);
	assert_true(g_str_has_prefix(json_object_get_string_member(d, "message"),
				     "All that was checked held"));
}

/* A test that is a state says so, and a function without parameters has none. */
static void states_as_json(void **state)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *round;

	(void)state;
	run("gdb-why specs --format json --input heap --rounds 1 --make-tests 6 " LIST "size 1 1 2",
	    0);
	round = element(element(answer(parser), "faults", 0), "rounds", 0);
	assert_true(g_str_has_prefix(json_object_get_string_member(
					     json_object_get_object_member(round, "test"), "state"),
				     "l = #1 {"));
	assert_true(length(answer(parser), "tests") >= 6);
	run("gdb-why specs --format json --input heap --spec count-spec.c ./count", 0);
	assert_true(g_str_has_prefix(json_object_get_string_member(answer(parser), "no_states"),
				     "The state at the call cannot be chosen"));
}

/* ---- tests that are kept ---- */

/* Compiles what is in the folder with the program's flags, and compares what each test does with
 * what is said of it.  How many there are. */
static unsigned run_saved(const char *folder, const char *flags)
{
	g_autofree char *path = g_build_filename(folder, "tests.txt", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	unsigned n = 0;

	g_free(test_output("gcc -g -O0 %s -I %s -o %s/spec-tests %s/spec-tests.c %s/program.c "
			   "-lcmocka",
			   flags, folder, folder, folder, folder));
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; l[0] && l[1]; l += 2, n++) {
		bool passes = strstr(l[0], ": passes, when it was made") != NULL;
		g_autofree char *name = g_strndup(l[1], strcspn(l[1], ":"));
		g_autofree char *got =
			test_output("%s/spec-tests %s 2>&1; echo status $?", folder, name);

		assert_non_null(strstr(got, "Running 1 test"));
		if ((strstr(got, "status 0\n") != NULL) != passes)
			fail_msg("%s, but: %s", l[0], got);
	}
	return n;
}

static void what_is_kept_does_what_it_did(void **state)
{
	static const struct command_case saves[] = {
		{ "gdb-why specs --make-tests 12 --save-tests heap --input heap " LIST "size 1 1 2",
		  0,
		  { "l = #1 {header NULL, size 2}, k = 1: passes\n", "in heap" } },
		{ "gdb-why specs --save-tests argv " LIST "size 1 1 2", 0, { "in argv" } },
		{ "gdb-why specs --save-tests heap " LIST "size 1 1 2",
		  2,
		  { "Tests are not saved in heap, because other files are there" } },
	};

	(void)state;
	commands_expect(saves, G_N_ELEMENTS(saves));
	assert_true(run_saved("heap", "-DSIZE_ERR") >= 8);
	assert_true(run_saved("argv", "-DSIZE_ERR") >= 3);
	/* of the mended program all pass */
	g_free(test_output("gcc -g -O0 -I heap -o mended heap/*.c -lcmocka && ./mended 2>&1"));
}

/* A state in a variable of the program is made there; a pointer to a function is not made. */
static void states_in_variables(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --input heap --save-tests ring --spec ring-spec.c ./ring-program "
		  "7 8",
		  0,
		  { "in ring" } },
		{ "gdb-why specs --save-tests calls --spec call-spec.c ./call",
		  0,
		  { "saved 0 tests in calls; 1 more cannot be: " } },
	};
	g_autofree char *text = NULL;

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
	assert_true(run_saved("ring", "") >= 2);
	assert_true(g_file_get_contents("ring/spec-tests.c", &text, NULL, NULL));
	assert_non_null(strstr(text, "why_variable_ring"));
}

/* ---- what the user says ---- */

static void talk(const char *lines, const struct command_case *x)
{
	int before = dup(0), fd;

	assert_true(g_file_set_contents("lines", lines, -1, NULL));
	fd = open("lines", O_RDONLY);
	assert_true(fd >= 0 && dup2(fd, 0) == 0);
	commands_expect(x, 1);
	dup2(before, 0);
	close(before);
	close(fd);
}

static const char *kept(const char *file)
{
	static char text[4096];
	g_autofree char *all = NULL;

	assert_true(g_file_get_contents(file, &all, NULL, NULL));
	g_strlcpy(text, all, sizeof text);
	return text;
}

#define ASK "gdb-why specs --no-evidence --spec list-spec.c --said "

static void wrong_words_ask_again(void **state)
{
	(void)state;
	talk("foo\nright\nright 9999\nhelp\n",
	     &(struct command_case){
		     ASK "first --interactive ./size 1 1 2",
		     0,
		     { "foo' is no word here; say continue", "Which statement is right?",
		       "No statement that is rated stands in line 9999", "  pass  " } });
	assert_false(g_file_test("first", G_FILE_TEST_EXISTS)); /* nothing was said */
}

static void a_right_statement_is_last(void **state)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonObject *last;

	(void)state;
	talk("r list.c:43\ns\n",
	     &(struct command_case){ ASK "right --interactive ./size 1 1 2",
				     0,
				     { "    12  0.000 0.000  list.c:43  l->size = 0;    (right, "
				       "as you said)",
				       "kept in right" } });
	assert_non_null(strstr(kept("right"), "right list.c:43: l->size = 0;"));
	/* it counts in a later run, too: that is the last of twelve statements */
	run(ASK "right --format json ./size 1 1 2", 0);
	last = element(element(answer(parser), "faults", 0), "statements", 11);
	assert_int_equal(json_object_get_int_member(last, "line"), 43);
	assert_int_equal(json_object_get_int_member(last, "rank"), 12);
	assert_false(json_object_get_boolean_member(last, "suspect"));
}

static void tests_are_what_the_user_says(void **state)
{
	(void)state;
	talk("pass\nstop\n",
	     &(struct command_case){ ASK "passes --interactive ./size 1 1 2",
				     0,
				     { "  1: 2 1 2                    violates size_ok, but you "
				       "said that it passes; line ",
				       "kept in passes" } });
	assert_non_null(strstr(kept("passes"), "pass 2 1 2, call 1\n"));
	talk("continue\nfail\nstop\n",
	     &(struct command_case){ ASK "fails --interactive ./size 1 1 2",
				     0,
				     { "passes, but you said that it fails; line " } });
	assert_non_null(strstr(kept("fails"), " 1 2, call 1\n"));
	assert_true(g_file_set_contents("wrong", "perhaps\n", -1, NULL));
	talk("", &(struct command_case){
			 ASK "wrong ./size 1 1 2", 2, { "Line 1 of wrong cannot be understood" } });
}

/* ---- standard input ---- */

/* Other bytes, and other numbers in lines, of which the rest stays. */
static void tests_are_other_standard_input(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --input stdin --no-evidence --stdin ad --spec stack-spec.c "
		  "./stack",
		  0,
		  { "     1  2.000 1.000  stack.c:10  s->n += 2;", "\", call 2 ",
		    "passes; line 10 was not executed" } },
		{ "gdb-why specs --input stdin --no-evidence --make-tests 12 --stdin numbers "
		  "--spec width-spec.c ./width",
		  0,
		  { "width.c:9  w = w - 11;", ": \"w7;\\nw500 mm\\n\", call 2: passes",
		    " mm\\n\", call 2: passes" } },
		{ "gdb-why specs --input stdin --stdin nosuch --spec width-spec.c ./width",
		  2,
		  { "nosuch" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* ---- programs ---- */

static const struct {
	const char *name, *text;
} files[] = {
	{ "count.c", "int n;\nint next(void) { return ++n; }\n"
		     "int main(void) { next(); return next(); }\n" },
	{ "count-spec.c", "#include \"why-spec.h\"\nstatic int small(int r) { return r < 2; }\n"
			  "WHY_POST(next, small, result)\n" },
	{ "ring-program.c",
	  "#include <stdlib.h>\n"
	  "struct ring { int *items; unsigned room, first, n; };\n"
	  "static struct ring ring;\n"
	  "static int put(struct ring *r, int v)\n{\n"
	  "	if (r->n == r->room)\n		return -1;\n"
	  "	ring.items[(r->first + r->n) % r->room] = v;\n"
	  "	if (r->first + r->n >= r->room)\n		r->first++;\n"
	  "	r->n++;\n	return 0;\n}\n"
	  "int main(int argc, char **argv)\n{\n"
	  "	ring = (struct ring){ calloc(3, sizeof(int)), 3, 2, 0 };\n"
	  "	for (int i = 1; i < argc; i++)\n		put(&ring, atoi(argv[i]));\n}\n" },
	{ "ring-spec.c",
	  "#include \"why-spec.h\"\nstruct ring { int *items; unsigned room, first, n; };\n"
	  "static int sound(const struct ring *r)\n{\n"
	  "	return r->room == 3 && r->first < r->room && r->n <= r->room;\n}\n"
	  "static int stays(const struct ring *was, const struct ring *is)\n{\n"
	  "	return was->first == is->first;\n}\n"
	  "WHY_INVARIANT(sound, struct ring *)\nWHY_POST(put, stays, before(r), r)\n" },
	{ "call.c", "struct op { int (*f)(int); int n; };\n"
		    "static int twice(int n) { return 2 * n; }\n"
		    "static int apply(struct op *o, int n) { return o->f(n) + o->n; }\n"
		    "int main(void)\n{\n	struct op o = { twice, 1 };\n"
		    "	return apply(&o, 2) + apply(&o, 0) == 0;\n}\n" },
	{ "call-spec.c", "#include \"why-spec.h\"\nstruct op { int (*f)(int); int n; };\n"
			 "static int even(int r) { return r % 2 == 0; }\n"
			 "WHY_POST(apply, even, result)\n" },
	{ "stack.c", "#include <stdio.h>\nstruct stack { int items[8], n; };\n"
		     "static void step(struct stack *s, int c)\n{\n"
		     "	if (c == '-') {\n		if (s->n)\n			s->n--;\n"
		     "	} else if (c == 'd') {\n		if (s->n && s->n < 8)\n"
		     "			s->n += 2;\n"
		     "	} else if (s->n < 8) {\n"
		     "		s->items[s->n] = c;\n		s->n++;\n	}\n}\n"
		     "int main(void)\n{\n	struct stack s = { { 0 }, 0 };\n	int c;\n"
		     "	while ((c = getchar()) != EOF)\n		step(&s, c);\n"
		     "	return 0;\n}\n" },
	{ "stack-spec.c",
	  "#include \"why-spec.h\"\nstruct stack { int items[8], n; };\n"
	  "static int grows(const struct stack *was, const struct stack *is, int c)\n{\n"
	  "	if (c == '-')\n		return is->n == (was->n ? was->n - 1 : 0);\n"
	  "	return is->n == was->n + 1 || was->n == 8 || (c == 'd' && !was->n && !is->n);\n}\n"
	  "WHY_POST(step, grows, before(s), s, c)\n" },
	{ "ad", "ad" },
	{ "width.c", "#include <stdio.h>\n#include <stdlib.h>\n"
		     "static int width(int n, int wide)\n{\n	int w = 10;\n"
		     "	if (wide)\n		w = 20;\n	if (n > 100)\n"
		     "		w = w - 11;\n	return w;\n}\n"
		     "int main(void)\n{\n	char line[64];\n	int sum = 0;\n"
		     "	while (fgets(line, sizeof line, stdin))\n"
		     "		sum += width(atoi(line + 1), line[0] == 'w');\n"
		     "	return sum == 1000;\n}\n" },
	{ "width-spec.c", "#include \"why-spec.h\"\nstatic int positive(int r) { return r > 0; }\n"
			  "WHY_POST(width, positive, result)\n" },
	{ "numbers", "n7;\nn500 mm\n" },
};

static int begin(void **state)
{
	samples = g_canonicalize_filename("samples/specs", NULL);
	g_setenv("GDB_WHY_CONTRACT", g_getenv("BUILD") ? g_getenv("BUILD") : "", TRUE);
	*state = commands_begin();
	assert_int_equal(symlink(samples, "specs"), 0);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
		assert_true(g_file_set_contents(files[i].name, files[i].text, -1, NULL));
	g_free(test_output(
		"cp specs/list.c specs/list-spec.c . && gcc -g -O0 -DSIZE_ERR -o size "
		"list.c && gcc -g -O0 -o none list.c && for p in count ring-program call "
		"stack width; do gcc -g -O0 -o $p $p.c || exit 1; done"));
	return 0;
}

static int end(void **state)
{
	test_folder_free(*state);
	g_free(samples);
	return chdir("/"); /* the old one is gone */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspects_as_json),
		cmocka_unit_test(a_violation_as_json),
		cmocka_unit_test(states_as_json),
		cmocka_unit_test(what_is_kept_does_what_it_did),
		cmocka_unit_test(states_in_variables),
		cmocka_unit_test(wrong_words_ask_again),
		cmocka_unit_test(a_right_statement_is_last),
		cmocka_unit_test(tests_are_what_the_user_says),
		cmocka_unit_test(tests_are_other_standard_input),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
