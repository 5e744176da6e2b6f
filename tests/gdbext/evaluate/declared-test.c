/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line without code declares, and which lines use that. */
#include "gdbext/evaluate/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char text[] = "#define HEAVY 500 /* grams */\n"		       /* 1 */
			   "#define LONG_ONE(x) \\\n"			       /* 2 */
			   "	((x) + 1)\n"				       /* 3 */
			   "enum kind { LIGHT = 1, MIDDLE };\n"		       /* 4 */
			   "enum other {\n"				       /* 5 */
			   "	FIRST,\n"				       /* 6 */
			   "	SECOND = FIRST + 4,\n"			       /* 7 */
			   "	LAST\n"					       /* 8 */
			   "};\n"					       /* 9 */
			   "struct item {\n"				       /* 10 */
			   "	unsigned weight : 4, parts[HEAVY];\n"	       /* 11 */
			   "	struct item *next;\n"			       /* 12 */
			   "};\n"					       /* 13 */
			   "static const int prices[] = { 1, 2,\n"	       /* 14 */
			   "	3, 4 }, other_prices = 3;\n"		       /* 15 */
			   "static const struct pair pairs[][2] = {\n"	       /* 16 */
			   "	{ { 1, LIGHT }, { 2, MIDDLE } },\n"	       /* 17 */
			   "	{ { 3, LIGHT }, { 4, MIDDLE } },\n"	       /* 18 */
			   "};\n"					       /* 19 */
			   "int cost(short grams);\n"			       /* 20 */
			   "int limit = HEAVY; int n;\n"		       /* 21 */
			   "/* HEAVY */ char *word = \"HEAVY\"; HEAVY_TOO;\n"; /* 22 */

static void declares(unsigned line, const char *expected)
{
	struct source *s = source_new(text);
	g_autoptr(GPtrArray) names = declared_names(s, line);
	g_autoptr(GString) found = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(found, "%s%s", i ? " " : "", (char *)names->pdata[i]);
	if (strcmp(found->str, expected))
		fail_msg("line %u declares `%s', not `%s'", line, found->str, expected);
	source_free(s);
}

static void each_declaration_has_its_names(void **state)
{
	(void)state;
	declares(1, "HEAVY");
	declares(2, "LONG_ONE");
	declares(3, "LONG_ONE");
	declares(4, "LIGHT MIDDLE");
	declares(6, "FIRST");
	declares(7, "SECOND");
	declares(8, "LAST");
	declares(11, "weight parts");
	declares(12, "next");
	declares(14, "prices");
	declares(15, "other_prices");
	declares(16, "pairs");
	declares(17, "pairs");
	declares(18, "pairs");
	declares(20, "cost");
	declares(21, "limit n");
}

static void it_begins_on_an_earlier_line(void **state)
{
	struct source *s = source_new(text);

	(void)state;
	assert_int_equal(declared_begin(s, 15), 14);
	assert_int_equal(declared_begin(s, 18), 16);
	assert_int_equal(declared_begin(s, 12), 12);
	assert_int_equal(declared_begin(s, 1), 1);
	source_free(s);
}

static void uses_are_words_of_the_code(void **state)
{
	struct source *s = source_new(text);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	static const unsigned used[] = { 1, 11, 21 };

	(void)state;
	g_ptr_array_add(names, (gpointer) "nothing");
	g_ptr_array_add(names, (gpointer) "HEAVY");
	for (unsigned line = 1; line <= 22; line++) {
		bool expected = line == used[0] || line == used[1] || line == used[2];

		if (declared_is_used(s, line, names) != expected)
			fail_msg("line %u", line);
	}
	source_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_declaration_has_its_names),
		cmocka_unit_test(it_begins_on_an_earlier_line),
		cmocka_unit_test(uses_are_words_of_the_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
