/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the failing run to its causes, and what the old version's run did there: small programs that
 * are built, recorded and compared. */
#include "tests/support/program.h"
#include "tests/support/replay.h"
#include "tests/support/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char makefile[] = "p: p.c\n\t$(CC) -g -O0 -o p p.c\n";
static const char blind[] = "p: p.c\n\t$(CC) -O0 -o p p.c\n";

#define RUN(...) ((const char *const[]){ "--run", "./p", "--", __VA_ARGS__, NULL })

static const struct regress_statement *statement_on(const struct regress_cause *c, const char *text)
{
	for (guint i = 0; i < c->statements->len; i++) {
		const struct regress_statement *s =
			&g_array_index(c->statements, struct regress_statement, i);

		if (s->text && strstr(s->text, text))
			return s;
	}
	return NULL;
}

static const struct regress_cause *cause_of(const struct asked *a, guint i)
{
	if (!a->a)
		fail_msg("%s", a->error->message);
	assert_true(i < a->a->causes->len);
	return regress_answer_cause(a->a, i);
}

static void assert_root(const struct asked *a, const char *root)
{
	g_autofree char *got = trees_root(a);

	assert_string_equal(got, root);
	assert_int_equal(a->a->proof.without, REGRESS_PASSES);
	assert_int_equal(a->a->proof.with, REGRESS_FAILS);
}

static bool has_note(const struct asked *a, const char *text)
{
	for (guint i = 0; i < a->a->notes->len; i++)
		if (strstr(g_ptr_array_index(a->a->notes, i), text))
			return true;
	return false;
}

/* Two programs from one text: in the new one each `from' is a `to'. */
static void put_program(const struct trees *t, const char *rules, const char *old,
			const char *const (*changes)[2], size_t n)
{
	g_autoptr(GString) newer = g_string_new(old);

	for (size_t i = 0; i < n; i++)
		assert_int_equal(g_string_replace(newer, changes[i][0], changes[i][1], 0), 1);
	trees_put_both(t, "Makefile", rules, rules);
	trees_put_both(t, "p.c", old, newer->str);
}

/* The running example of the AFTER paper. */
static void two_causes_make_a_tree(void **state)
{
	static const char *const changes[][2] = {
		{ "true; /* C1", "false; /* C1" },
		{ "(x > y) /* s5 C2", "(x < y) /* s5 C2" },
		{ "sum += z; /* s10 C3", "sum -= z; /* s10 C3" },
		{ "sum -= z; /* C4", "sum += z; /* C4" },
	};
	static const char *const file = "tests/gdbext/regress/programs/example-old.c";
	const struct regress_statement *s;
	g_autofree char *text = NULL;
	struct asked a;

	assert_true(g_file_get_contents(file, &text, NULL, NULL));
	put_program(*state, makefile, text, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, RUN("3", "2", "1"), &a);
	s = statement_on(cause_of(&a, 0), "sum -= z");
	assert_non_null(s);
	assert_string_equal(s->value, "1");
	assert_string_equal(s->before, "4");
	assert_int_equal(s->changes->len, 1);
	assert_null(cause_of(&a, 0)->predicate);
	assert_int_equal(a.a->root->len, 2);
	assert_int_equal(a.a->basis, REGRESS_BY_CAUSES);
	assert_non_null(strstr(a.a->failure, "sum == 4"));
	for (guint i = 1; i < a.a->causes->len; i++) {
		const struct regress_cause *c = cause_of(&a, i);

		assert_int_equal(c->effect, 0);
		assert_non_null(c->predicate);
		assert_int_equal(c->relevant, strstr(c->predicate, "x < y went") != NULL);
	}
	trees_forget(&a);
}

static const char divide[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static int share(int all, int n)\n"
			     "{\n"
			     "\tif (n == 0)\n"
			     "\t\treturn 0;\n"
			     "\tall += 1;\n"
			     "\tall -= 1;\n"
			     "\treturn all / n;\n"
			     "}\n"
			     "int main(int n, char **v)\n"
			     "{\n"
			     "\tint kind = 4, i;\n"
			     "\tfor (i = 0; i < 3; i++)\n"
			     "\t\tkind += i;\n"
			     "\tprintf(\"%d\\n\", share(kind, atoi(v[1])));\n"
			     "\tputs(n > 9 ? \"many\" : \"few\");\n"
			     "\treturn kind != 7;\n"
			     "}\n";

/* A check that went: the old run did not come to the division. */
static void what_was_deleted_is_a_cause(void **state)
{
	static const char *const changes[][2] = { { "\tif (n == 0)\n\t\treturn 0;\n", "" },
						  { "n > 9", "n > 99" } };
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, RUN("0"), &a);
	assert_root(&a, "-\tif (n == 0)\n-\t\treturn 0;\n");
	assert_non_null(strstr(a.a->failure, "SIGFPE"));
	assert_non_null(statement_on(cause_of(&a, 0), "all / n"));
	trees_forget(&a);
}

static void an_exit_status(void **state)
{
	static const char *const changes[][2] = { { "kind += i", "kind += 2 * i" },
						  { "n > 9", "n > 99" } };
	const struct regress_statement *s;
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, RUN("2"), &a);
	assert_root(&a, "-\t\tkind += i;\n+\t\tkind += 2 * i;\n");
	s = statement_on(cause_of(&a, 0), "kind += 2 * i");
	assert_non_null(s);
	assert_int_equal(s->changes->len, 1);
	trees_forget(&a);
}

/* All changes of a name come together; where the compiler made the same code, none is to blame. */
static void a_fault_beside_another_name(void **state)
{
	static const char *const changes[][2] = { { "int kind = 4", "int sort = 4" },
						  { "kind += i", "sort += 2 * i" },
						  { "share(kind", "share(sort" },
						  { "return kind", "return sort" },
						  { "n > 9", "n > 99" } };
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, (const char *const[]){ "--test", "./p 2", NULL }, &a);
	assert_root(&a, "-\t\tkind += i;\n+\t\tsort += 2 * i;\n");
	assert_int_equal(a.a->auxiliary->len, 3);
	assert_true(a.a->proof.with_auxiliary);
	trees_forget(&a);
}

/* Status 0 in both: what the old version prints is right. */
static void another_output(void **state)
{
	static const char *const changes[][2] = { { "all -= 1", "all -= 3" },
						  { "n > 9", "n > 99" } };
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, RUN("2"), &a);
	assert_root(&a, "-\tall -= 1;\n+\tall -= 3;\n");
	assert_true(has_note(&a, "what the old version prints is taken for right"));
	assert_int_equal(a.a->basis, REGRESS_BY_CAUSES);
	assert_non_null(statement_on(cause_of(&a, 0), "all -= 3"));
	trees_forget(&a);
}

/* What a shell judges: the lines that the test executes. */
static void executed_lines(void **state)
{
	static const char *const changes[][2] = { { "all -= 1", "all -= 3" },
						  { "n > 9", "n > 99" } };
	static const char *const techniques[] = { "after", "add" };
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	for (size_t i = 0; i < G_N_ELEMENTS(techniques); i++) {
		trees_ask(*state,
			  (const char *const[]){ "--test", "[ $(./p 2 | head -n 1) = 3 ]",
						 "--technique", techniques[i], NULL },
			  &a);
		assert_root(&a, "-\tall -= 1;\n+\tall -= 3;\n");
		assert_int_equal(a.a->basis, i ? REGRESS_BY_EXECUTED : REGRESS_BY_CODE);
		assert_int_equal(a.a->causes->len, 0);
		trees_forget(&a);
	}
}

static void without_debug_info_all_are_candidates(void **state)
{
	static const char *const changes[][2] = { { "all -= 1", "all -= 3" },
						  { "n > 9", "n > 99" } };
	struct asked a;

	put_program(*state, blind, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state, RUN("2"), &a);
	assert_root(&a, "-\tall -= 1;\n+\tall -= 3;\n");
	assert_true(has_note(&a, "build with -g"));
	trees_forget(&a);
}

/* A run that does not fit is said, and the search goes on without its causes. */
static void a_run_that_cannot_be_followed(void **state)
{
	static const char *const changes[][2] = { { "all -= 1", "all -= 3" },
						  { "n > 9", "n > 99" } };
	struct asked a;

	put_program(*state, makefile, divide, changes, G_N_ELEMENTS(changes));
	trees_ask(*state,
		  (const char *const[]){ "--gdb", "/nonexistent/gdb", "--run", "./p", "--", "2",
					 NULL },
		  &a);
	assert_root(&a, "-\tall -= 1;\n+\tall -= 3;\n");
	assert_int_equal(a.a->causes->len, 0);
	assert_true(has_note(&a, "The failing run could not be followed"));
	trees_forget(&a);
}

int main(void)
{
#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, trees_make, trees_remove)
	const struct CMUnitTest tests[] = {
		IN_ROOM(two_causes_make_a_tree),
		IN_ROOM(what_was_deleted_is_a_cause),
		IN_ROOM(an_exit_status),
		IN_ROOM(a_fault_beside_another_name),
		IN_ROOM(another_output),
		IN_ROOM(executed_lines),
		IN_ROOM(without_debug_info_all_are_candidates),
		IN_ROOM(a_run_that_cannot_be_followed),
	};

	support_need_replay();
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	test_need("make");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
