/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changes come only together, so that conditionals and braces keep their ends, and names
 * their declarations. */
#include "solver/regress/set.h"
#include "solver/regress/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/*
 * A file from one text: lines that begin with `-' are of the old version, with `+' of the new one,
 * all others of both.  Neighbours that changed are one group.
 */
static struct regress_changes *file_of(const char *path, const char *text)
{
	struct regress_changes *c = regress_changes_new();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *sides[2] = { g_string_new(NULL), g_string_new(NULL) };
	g_autoptr(GBytes) old = NULL, newer = NULL;
	unsigned at[2] = { 0 }, count[2] = { 0 };

	for (char **l = lines; *l && **l; l++)
		for (int s = 0; s < 2; s++)
			if (**l != "+-"[s])
				g_string_append_printf(sides[s], "%s\n", *l + 1);
	old = g_string_free_to_bytes(sides[0]);
	newer = g_string_free_to_bytes(sides[1]);
	regress_changes_add_file(c, path, 0100644, old, path, 0100644, newer);
	for (char **l = lines; *l; l++) {
		if (**l == '-' || **l == '+') {
			count[**l == '+']++;
			continue;
		}
		if (count[0] || count[1])
			regress_changes_add_lines(c, at[0] + (count[0] > 0), count[0],
						  at[1] + (count[1] > 0), count[1], NULL);
		for (int s = 0; s < 2; s++) {
			at[s] += count[s] + 1;
			count[s] = 0;
		}
	}
	regress_units_join(c);
	return c;
}

/* By change, a letter: the same one = the same unit; in the order of the letters. */
static void assert_units(const char *path, const char *text, const char *expected)
{
	struct regress_changes *c = file_of(path, text);
	g_autoptr(GString) units = g_string_new(NULL);
	unsigned known[32], n = 0;

	for (unsigned i = 0; i < regress_changes_count(c); i++) {
		unsigned k = 0;

		while (k < n && known[k] != regress_change_at(c, i)->unit)
			k++;
		if (k == n)
			known[n++] = regress_change_at(c, i)->unit;
		g_string_append_c(units, (char)('a' + k));
		assert_int_equal(regress_unit_is_shared(c, i),
				 strlen(expected) > i &&
					 (strchr(expected, expected[i]) != expected + i ||
					  strchr(expected + i + 1, expected[i])));
	}
	assert_string_equal(units->str, expected);
	regress_changes_free(c);
}

static void a_conditional_and_its_end(void **state)
{
	(void)state;
	assert_units("f.c", "+#if A\n x;\n-y;\n+z;\n w;\n+#endif\n", "aba");
	assert_units("f.c", "-#ifdef A\n x;\n-#else\n-y;\n-#endif\n z;\n", "aa");
	/* each has both, or changes neither */
	assert_units("f.c", "+#if A\n+x;\n+#endif\n y;\n+#if B\n+z;\n+#endif\n", "ab");
	assert_units("f.c", "-#if A\n+#if B\n x;\n-#endif\n+#endif /* B */\n", "ab");
	/* one more inside of another one */
	assert_units("f.c", "+#if A\n x;\n+#if B\n y;\n+#endif\n z;\n+#endif\n", "abba");
	/* a section cut in two, and one moved */
	assert_units("f.c", " #if A\n x;\n+#endif\n y;\n+#if A\n z;\n #endif\n", "aa");
	assert_units("f.c", "+#if A\n x;\n-#if A\n y;\n #endif\n", "aa");
	/* the middle has its ends in itself, but stands in what is new */
	assert_units("f.c", "+#if A\n x;\n+#endif\n+#if B\n y;\n+#endif\n", "aaa");
}

static void an_else_that_comes_or_goes(void **state)
{
	(void)state;
	assert_units("f.c", " #if A\n x;\n+#else\n+y;\n #endif\n", "a");
	assert_units("f.c", " #if A\n x;\n+#else\n y;\n-#else\n z;\n #endif\n", "aa");
	assert_units("f.c", "-#if A\n x;\n-#elif B\n y;\n-#endif\n", "aaa");
}

static void braces(void **state)
{
	(void)state;
	assert_units("f.c", " if (a)\n+{\n x;\n-y;\n+z;\n z;\n+}\n w;\n", "aba");
	assert_units("f.c", "-if (a)\n+if (a) {\n x;\n+y; }\n w;\n", "aa");
	/* none of them are code */
	assert_units("f.c", "+/* { */\n x;\n+f(\"{\\\"\", '{'); // {\n y;\n+#define B {\n z;\n",
		     "abc");
	assert_units("f.c", "+#define B \\\n+{\n y;\n-}\n+} }\n z;\n", "ab");
	assert_units("f.c", " /* from here\n+{\n to there */\n+{\n x;\n+}\n", "abb");
	/* what is missing is not looked for in another function */
	assert_units("f.c", " f() {\n+if (a) {\n }\n g() {\n-if (a)\n+}\n }\n", "ab");
}

static void an_else_that_moves(void **state)
{
	(void)state;
	assert_units("f.c", "-if (a)\n-x ();\n-else\n+if (!a)\n y ();\n+else\n+z ();\n w;\n", "aa");
	assert_units(
		"f.c",
		"-if (a)\n+if (b)\n+x ();\n+else /* or */\n y (1,\n  2);\n-else\n-z ();\n w;\n",
		"aa");
	/* behind another statement; one that stays; one in a word or a comment; one that comes */
	assert_units("f.c",
		     "-if (a)\n-x ();\n-else\n y ();\n v ();\n+if (b)\n+u ();\n+else\n+z ();\n",
		     "ab");
	assert_units("f.c", "-if (a)\n+if (b)\n y ();\n-else z ();\n+else w ();\n v;\n", "ab");
	assert_units("f.c", "-if (a) x (); else_\n+if (b)\n y ();\n+// else\n+z ();\n v;\n", "ab");
	assert_units("f.c", " if (a)\n-x ();\n+z ();\n+else\n+y ();\n w;\n-u;\n", "ab");
}

static void a_name_for_another(void **state)
{
	(void)state;
	assert_units(
		"f.c",
		" int f(void)\n {\n-\tint n = 0;\n+\tint count = 0;\n z;\n-\tg(n);\n+\tg(count);\n"
		" z;\n+\th(count);\n z;\n-\tk(n);\n z;\n }\n",
		"aabc");
	/* it is still declared in that function; the other name was there before */
	assert_units("f.c", " {\n-\tint n;\n+\tint count;\n z(n);\n-\tg(n);\n+\tg(count);\n }\n",
		     "ab");
	assert_units("f.c",
		     " int count;\n {\n-\tint n;\n+\tint count;\n z;\n-\tg(n);\n+\tg(count);\n }\n",
		     "ab");
	/* another function has one of that name, of its own */
	assert_units(
		"f.c",
		" {\n-\tlong n;\n+\tlong count;\n z;\n-\tg(n);\n+\tg(count);\n }\n {\n \tint n;\n"
		"-\tg(n);\n+\tg(n + 1);\n }\n",
		"aab");
	/* a function, and the calls in others; only a type, or a word in a comment or a string */
	assert_units("f.c",
		     "-static int one(int x)\n+static int first(int x)\n {\n }\n z;\n-\tone(2);\n"
		     "+\tfirst(2);\n z;\n-\tone(3); // first\n+\tfirst(3);\n",
		     "aaa");
	assert_units("f.c",
		     "-\tint n;\n+\tlong count;\n z;\n-\tint m; // n\n+\tlong m; // count\n z;\n"
		     "-\tg(\"n\"); /* n */\n+\tg(\"count\"); /* count */\n",
		     "abc");
	assert_units("f.txt", "-\tint n;\n+\tint count;\n z;\n-\tg(n);\n+\tg(count);\n z;\n", "ab");
}

static void makefiles(void **state)
{
	(void)state;
	assert_units("Makefile", "+ifdef A\n x = 1\n+else ifeq (a, b)\n y = 1\n+endif\n z = 1\n",
		     "aaa");
	assert_units("rules.mk", "+ifneq (a, b)\n x = 1\n-x = 2\n+x = 3\n y = 1\n+endif\n", "aba");
	/* the shell's */
	assert_units("GNUmakefile", "+\tif a; then\n x:\n+\telse\n y:\n", "ab");
	assert_units("f.txt", "+#if A\n x\n+#endif\n", "ab");
}

static void sets_are_closed(void **state)
{
	struct regress_changes *c =
		file_of("f.c", "+#if A\n x;\n-y;\n+z;\n w;\n+#endif\n v;\n+u;\n");
	g_autoptr(GArray) some = regress_set_of((const unsigned[]){ 1, 2 }, 2);
	g_autoptr(GArray) list = regress_set_new();
	g_autoptr(GArray) closed = regress_units_close(c, some), first = NULL;
	static const unsigned order[] = { 3, 2, 1, 0 };

	(void)state;
	assert_int_equal(closed->len, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(regress_set_at(closed, i), i);
	g_array_append_vals(list, order, G_N_ELEMENTS(order));
	first = regress_units_first(c, list);
	assert_int_equal(first->len, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(regress_set_at(first, i), order[i]);
	regress_changes_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_conditional_and_its_end),
		cmocka_unit_test(an_else_that_comes_or_goes),
		cmocka_unit_test(braces),
		cmocka_unit_test(an_else_that_moves),
		cmocka_unit_test(a_name_for_another),
		cmocka_unit_test(makefiles),
		cmocka_unit_test(sets_are_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
