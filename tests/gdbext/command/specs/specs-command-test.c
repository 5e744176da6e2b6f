/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `gdb-why specs' in this process: what is checked, what does not hold, predicates that misbehave,
 * and the ranks of the statements of a list and a tree, against those of the paper that the list
 * comes from.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <unistd.h>

static const char bad_spec[] =
	"#include \"why-spec.h\"\n"
	"#include <stdlib.h>\n"
	"struct node { struct node *next; int key; };\n"
	"struct list { struct node *header; int size; };\n"
	"static int crashes(const struct list *l) { return l->header->next->next->next->key; }\n"
	"static int unending(const struct list *l) { for (volatile int i = 0; !i;) ; return 1; }\n"
	"static int writes(struct list *l) { l->header->key++; return 1; }\n"
	"static int leaves(struct list *l) { exit(0); }\n"
	"WHY_PRE(list_remove, %s, l)\n";

static char *samples;

static void what_is_demanded_is_checked(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --check --spec specs/list-spec.c ./none 1 1 2",
		  1,
		  { "All that was checked held: 3 evaluations in 1 call." } },
		{ "gdb-why specs --check --spec specs/list-spec.c ./size 1 1 2",
		  0,
		  { "size_ok (list-spec.c:56) does not hold",
		    "when list_remove (list.c:23) returns, the 1st time:" } },
		{ "gdb-why specs --check --spec specs/list-spec.c ./head 1 1",
		  0,
		  { "remove_ok (list-spec.c:55) does not hold" } },
		{ "gdb-why specs --check --spec crashes.c ./none 1 1 2",
		  2,
		  { "The predicate crashes (crashes.c:9)", "crashes with SIGSEGV" } },
		{ "gdb-why specs --check --limit predicate_ms=200 --spec unending.c ./none 1 1",
		  2,
		  { "The predicate unending", "does not end; mend it" } },
		{ "gdb-why specs --check --spec writes.c ./none 1 1 2",
		  2,
		  { "changes what it looks at; a predicate only reads." } },
		{ "gdb-why specs --check --spec leaves.c ./none 1 1 2",
		  2,
		  { "ends the program; a predicate returns." } },
		{ "gdb-why specs --check --spec nosuch.c ./none 1",
		  2,
		  { "There is no file nosuch.c" } },
		{ "gdb-why specs --check --spec empty.c ./none 1", 2, { "demands nothing" } },
		{ "gdb-why specs --check --spec broken.c ./none 1", 2, { "does not compile" } },
		{ "gdb-why specs --check --spec specs/bst-spec.c ./none 1", 2, { "There is no" } },
		{ "gdb-why specs --check --spec specs/list-spec.c ./none",
		  3,
		  { "The program called no function that is checked" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* The running example of SAT-TAR: the cores are {27, 28, 29, 43} of sizeErr and {26 … 30, 38, 45}
 * of headErr, so cores alone give the faulty lines ranks 4 and 7.  The next tests of sizeErr remove
 * the second of two keys, and then one that is not there, after which it has rank 1; the next test
 * of headErr removes the second of two, which passes, and is enough.  Where both faults are, each
 * has its own constraint. */
static void suspects_have_the_ranks_of_the_paper(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --technique sat --spec specs/list-spec.c ./size 1 1 2",
		  0,
		  { "  rank  rating       statement\n"
		    "     4  2.000 1.000  list.c:27  lst = l->header;\n"
		    "     4  2.000 1.000  list.c:28  while (lst != NULL) {\n"
		    "     4  2.000 1.000  list.c:29  if (lst->key == k) {\n"
		    "     4  2.000 1.000  list.c:43  l->size = 0;\n"
		    "     8  1.000 1.000  " } },
		{ "gdb-why specs --no-evidence --rounds 2 --spec specs/list-spec.c ./size 1 1 2",
		  0,
		  { "  rank  rating       statement\n"
		    "     1  2.000 1.000  list.c:43  l->size = 0;\n"
		    "     4  1.500 1.000  list.c:27  lst = l->header;\n"
		    "     4  1.500 1.000  list.c:28  while (lst != NULL) {\n"
		    "     4  1.500 1.000  list.c:29  if (lst->key == k) {\n"
		    "     6  1.000 1.000  ",
		    "of rank 4 before:\n"
		    "  1: 2 1 2                    violates size_ok; line 43 was executed, rank 4 "
		    "now\n"
		    "  2: 0 1 2                    passes; line 43 was not executed, rank 1 "
		    "now\n" } },
		{ "gdb-why specs --technique sat --at list_remove --spec "
		  "specs/list-invariant-spec.c ./head 1 1",
		  0,
		  { "     7  2.000 1.000  list.c:26  prev = NULL;\n"
		    "     7  2.000 1.000  list.c:27  lst = l->header;\n"
		    "     7  2.000 1.000  list.c:28  while (lst != NULL) {\n"
		    "     7  2.000 1.000  list.c:29  if (lst->key == k) {\n"
		    "     7  2.000 1.000  list.c:30  if (prev != NULL)\n"
		    "     7  2.000 1.000  list.c:38  l->header = l->header;\n"
		    "     7  2.000 1.000  list.c:45  l->size = l->size - 1;\n"
		    "     8  1.000 1.000  " } },
		{ "gdb-why specs --no-evidence --rounds 1 --at list_remove --spec "
		  "specs/list-invariant-spec.c ./head 1 1",
		  0,
		  { "     1  2.000 1.000  list.c:38  l->header = l->header;\n"
		    "     7  1.500 1.000  list.c:26  prev = NULL;\n",
		    "of rank 7 before:\n"
		    "  1: 0 1 0                    passes; line 38 was not executed, rank 1 "
		    "now\n" } },
		{ "gdb-why specs --no-evidence --rounds 3 --spec specs/list-spec.c ./both 1 1",
		  0,
		  { "remove_ok (list-spec.c:55) does not hold when list_remove",
		    "\nanother fault, that the test 0 1 0 shows:\n"
		    "size_ok (list-spec.c:56) does not hold when list_remove (list.c:23) returns, "
		    "the 1st time:\n"
		    "    size_ok(before(l), l, k)\n"
		    "  rank  rating       statement\n"
		    "     1  2.000 1.000  list.c:43  l->size = 0;\n" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* With changed runs no test is needed, and more of them take nothing back. */
static void other_techniques_rank_too(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --rounds 2 --spec specs/list-spec.c ./size 1 1 2",
		  0,
		  { "     1  2.000 1.000  list.c:43  l->size = 0;    (alone, it can mend it)\n",
		    "of rank 1 before:\n"
		    "  1: 2 1 2                    violates size_ok; line 43 was executed, rank 1 "
		    "now\n"
		    "  2: 0 1 2                    passes; line 43 was not executed, rank 1 "
		    "now\n" } },
		{ "gdb-why specs --rounds 1 --technique tar-rand --spec specs/list-spec.c ./size 1 "
		  "1 2",
		  0,
		  { "list.c:43" } },
		{ "gdb-why specs --technique sat --spec specs/list-spec.c ./none 1 1 2",
		  1,
		  { "All that was checked held" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* No arguments pass: each run begins with the empty tree.  A state of the heap does. */
static void states_of_the_heap_are_tests(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --input heap --rounds 2 --spec specs/bst-spec.c ./root 5",
		  0,
		  { "     1  2.000 1.000  bst.c:44  t->root = NULL;", "  1: t = #1 {root #2 {",
		    "line 44 was not executed, rank 1 now" } },
		{ "gdb-why specs --spec specs/bst-spec.c ./branch 5 3 8 1 4 4",
		  0,
		  { "does not hold", "bst.c:" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* A specification that is a shared object already says the same. */
static void compiled_specifications_are_read(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why specs --check --spec ./list-spec.so ./size 1 1 2",
		  0,
		  { "size_ok (list-spec.c:56) does not hold",
		    "when list_remove (list.c:23) returns, the 1st time:" } },
		{ "gdb-why specs --check --spec ./list-spec.so ./none 1 1 2",
		  1,
		  { "All that was checked held: 3 evaluations in 1 call." } },
		{ "gdb-why specs --check --spec ./none ./none 1", 2, { "demands nothing" } },
	};
	g_autofree char *source = g_build_filename(samples, "list-spec.c", NULL);

	g_free(test_output("cd '%s' && gcc -g -shared -fPIC -I '%s' -o list-spec.so '%s' 2>&1",
			   (const char *)*state, g_getenv("GDB_WHY_CONTRACT"), source));
	commands_expect(all, G_N_ELEMENTS(all));
}

static void compile(const char *folder, const char *name, const char *source, const char *fault)
{
	g_autofree char *path = g_strdup_printf("%s/%s.c", samples, source);
	g_autofree char *command = g_strdup_printf("gcc -g -O0 %s", fault);

	g_free(test_output("cd %s && %s -o %s %s", folder, command, name, path));
}

static void write_bad_spec(const char *predicate)
{
	g_autofree char *name = g_strdup_printf("%s.c", predicate);
	g_auto(GStrv) parts = g_strsplit(bad_spec, "%s", 2);
	g_autofree char *text = g_strjoinv(predicate, parts);

	assert_true(g_file_set_contents(name, text, -1, NULL));
}

static int begin(void **state)
{
	samples = g_canonicalize_filename("samples/specs", NULL);
	g_setenv("GDB_WHY_CONTRACT", g_getenv("BUILD") ? g_getenv("BUILD") : "", TRUE);
	*state = commands_begin();
	compile(*state, "none", "list", "-DNONE");
	compile(*state, "size", "list", "-DSIZE_ERR");
	compile(*state, "head", "list", "-DHEAD_ERR");
	compile(*state, "both", "list", "-DSIZE_ERR -DHEAD_ERR");
	compile(*state, "root", "bst", "-DROOT_ERR");
	compile(*state, "branch", "bst", "-DBRANCH_ERR");
	assert_int_equal(symlink(samples, "specs"), 0);
	for (unsigned i = 0; i < 4; i++)
		write_bad_spec((const char *[]){ "crashes", "unending", "writes", "leaves" }[i]);
	assert_true(g_file_set_contents("empty.c", "int x;", -1, NULL));
	assert_true(g_file_set_contents(
		"broken.c", "#include \"why-spec.h\"\nWHY_PRE(list_remove, 1", -1, NULL));
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
		cmocka_unit_test(what_is_demanded_is_checked),
		cmocka_unit_test(suspects_have_the_ranks_of_the_paper),
		cmocka_unit_test(other_techniques_rank_too),
		cmocka_unit_test(states_of_the_heap_are_tests),
		cmocka_unit_test(compiled_specifications_are_read),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
