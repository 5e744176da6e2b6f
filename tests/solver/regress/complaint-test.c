/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changes a compiler's complaint is about. */
#include "solver/regress/search-private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void add(struct regress_changes *c, const char *path, const char *old, const char *newer)
{
	g_autoptr(GBytes) before = g_bytes_new(old, strlen(old));
	g_autoptr(GBytes) after = g_bytes_new(newer, strlen(newer));

	regress_changes_add_file(c, path, 0100644, before, path, 0100644, after);
}

/*
 *	change	file	old			new
 *	0	a.c:2	int f(int x)		int f(int x, int y)
 *	1	a.c:4	  return x;		  return x + y;
 *	2	b.c:1	  k = f(1);		  k = f(1, 2);
 *	3	b.h:1	extern int limit;	extern int bound;
 */
static struct regress_changes *four_changes(void)
{
	struct regress_changes *c = regress_changes_new();

	add(c, "src/a.c", "\nint f(int x)\n{\n  return x;\n}\n",
	    "\nint f(int x, int y)\n{\n  return x + y;\n}\n");
	regress_changes_add_lines(c, 2, 1, 2, 1, NULL);
	regress_changes_add_lines(c, 4, 1, 4, 1, "f");
	add(c, "src/b.c", "  k = f(1);\n\n", "  k = f(1, 2);\n\n");
	regress_changes_add_lines(c, 1, 1, 1, 1, "g");
	add(c, "src/b.h", "extern int limit;\n", "extern int bound;\n");
	regress_changes_add_lines(c, 1, 1, 1, 1, NULL);
	return c;
}

static struct regress_search *search_in(struct regress_changes *c)
{
	return regress_search_new(c, NULL, limits_default());
}

/* What is wanted beside one change, as "1,2". */
static void assert_wanted(struct regress_search *s, unsigned reverted, const char *complaint,
			  bool whole_files, const char *expected)
{
	g_autoptr(GArray) set = regress_set_of(&reverted, 1);
	g_autoptr(GArray) more = regress_wanted(s, set, complaint, whole_files);
	g_autofree char *key = regress_set_key(more);

	assert_string_equal(key, expected);
}

static void the_line_that_does_not_compile(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	assert_wanted(s, 0, "a.c:4:14: error: 'y' undeclared (first use in this function)\n", false,
		      "1");
	/* all errors, once each */
	assert_wanted(s, 0, "a.c:4:14: error: 'y' undeclared\nb.c:1:7: error: too many arguments\n",
		      false, "1,2");
	regress_search_free(s);
	regress_changes_free(c);
}

static void the_line_that_it_goes_against(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	/* the line itself is reverted already */
	assert_wanted(s, 2,
		      "b.c:1:7: error: too few arguments to function 'f'\n"
		      "a.c:2:5: note: declared here\n",
		      false, "0");
	regress_search_free(s);
	regress_changes_free(c);
}

static void names_that_are_missed(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	/* line 2 of b.c is in both versions; the old side of change 3 declares the name */
	assert_wanted(s, 2, "b.c:2:7: error: \xe2\x80\x98limit\xe2\x80\x99 undeclared\n", false,
		      "3");
	assert_wanted(s, 2, "/usr/bin/ld: b.o: undefined reference to `limit'\n", false, "3");
	/* nothing is quoted: the words of the line that is shown; keywords are no names */
	assert_wanted(s, 2, "b.c:2:7: error: expected expression\n    2 |   int k = limit;\n",
		      false, "3");
	assert_wanted(s, 2, "b.c:2:7: error: 'int' is no 'struct'\n", false, "");
	assert_wanted(s, 2, "gcc: fatal error: no input files\n", false, "");
	regress_search_free(s);
	regress_changes_free(c);
}

/* Each error has its own answer: its line, or what is noted about it, or what declares its names.
 */
static void each_error_by_itself(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	assert_wanted(s, 2,
		      "a.c:4:3: error: 'k' undeclared\n"
		      "b.c:1:7: error: too few arguments to function 'f'\n"
		      "a.c:2:5: note: declared here\n"
		      "b.c:2:7: error: 'limit' undeclared\n",
		      false, "0,1,3");
	/* an error that has its line needs neither a note nor a declaration */
	assert_wanted(s, 2,
		      "a.c:4:3: error: 'limit' undeclared\n"
		      "a.c:2:5: note: each is reported once\n",
		      false, "1");
	/* who only mentions a name counts where nothing else helps */
	assert_wanted(s, 2, "a.c:3:1: error: 'bound' undeclared\n", false, "3");
	assert_wanted(s, 2, "a.c:4:3: error: 'k' undeclared\na.c:3:1: error: 'bound' undeclared\n",
		      false, "1");
	/* a note without an error */
	assert_wanted(s, 2, "a.c:2:5: note: declared here\n", false, "0");
	regress_search_free(s);
	regress_changes_free(c);
}

/* Lines 2, 4 and 6 use what line 2 is complained about; 6 is of another function. */
static void all_lines_of_a_function_that_miss_a_name(void **state)
{
	struct regress_changes *c = regress_changes_new();
	struct regress_search *s;

	(void)state;
	add(c, "a.c", "\n a();\n\n b();\n\n d();\n\n int origin;\n",
	    "\n a(origin);\n\n b(origin);\n\n d(origin);\n\n int from;\n");
	regress_changes_add_lines(c, 2, 1, 2, 1, "f");
	regress_changes_add_lines(c, 4, 1, 4, 1, "f");
	regress_changes_add_lines(c, 6, 1, 6, 1, "g");
	regress_changes_add_lines(c, 8, 1, 8, 1, "f");
	s = search_in(c);
	assert_wanted(s, 3, "a.c:2:2: error: 'origin' undeclared (first use in this function)\n",
		      false, "0,1");
	assert_wanted(s, 3, "a.c:2:2: error: too many arguments to 'origin'\n", false, "0");
	regress_search_free(s);
	regress_changes_free(c);
}

static void whole_files(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	assert_wanted(s, 2, "src/a.c:3:1: error: expected identifier\n", true, "0,1");
	regress_search_free(s);
	regress_changes_free(c);
}

/* Sets are applied to the old version: lines are the old one's, and new sides declare. */
static void the_other_way_round(void **state)
{
	struct regress_changes *c = four_changes();
	struct regress_search *s = search_in(c);

	(void)state;
	s->applying = true;
	assert_wanted(s, 0, "b.c:1:7: error: too few arguments to function 'f'\n", false, "2");
	assert_wanted(s, 2, "b.c:2:7: error: 'bound' undeclared\n", false, "3");
	regress_search_free(s);
	regress_changes_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_that_does_not_compile),
		cmocka_unit_test(the_line_that_it_goes_against),
		cmocka_unit_test(names_that_are_missed),
		cmocka_unit_test(each_error_by_itself),
		cmocka_unit_test(all_lines_of_a_function_that_miss_a_name),
		cmocka_unit_test(whole_files),
		cmocka_unit_test(the_other_way_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
