/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that a line of source has, comparisons that nobody can have meant, and values chosen. */
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/literal-words.h"

#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct image *image;

static void numbers_stand_outside_of_texts(void **state)
{
	(void)state;
	assert_int_equal(literal_in(image, "if (n > 7)", 7), LITERAL_THERE);
	assert_int_equal(literal_in(image, "if (flag) puts(\"YES 0 \\\" 1\");", 0),
			 LITERAL_NOT_THERE);
	assert_int_equal(literal_in(image, "if (flag) puts(\"a\", 1);", 1), LITERAL_THERE);
	assert_int_equal(literal_in(image, "if (c == '\"' || c == '2')", '2'), LITERAL_THERE);
	assert_int_equal(literal_in(image, "if (n < MOST)", 9), LITERAL_UNKNOWN);
	assert_int_equal(literal_in(image, "n = FIELD(word);", 9), LITERAL_NOT_THERE);
}

/* The condition codes of x86 for signed numbers: 12 is `<', 13 `>=', 14 `<=', 15 `>'. */
static bool turns(const char *text, int64_t from, int64_t to)
{
	const struct mutant m = { .kind = MUTANT_CONDITION, .from = from, .to = to };

	return condition_turns_loop(&m, text);
}

/* cmovg %edx,%r8d, negated */
static char *words_of_choice(const char *text)
{
	const struct mutant m = { .kind = MUTANT_CONDITION,
				  .length = 4,
				  .size = 4,
				  .bytes = { 0x44, 0x0f, 0x4e, 0xc2 },
				  .from = 15,
				  .to = 14 };

	assert_true(mutant_is_choice(&m));
	assert_true(mutant_effort(&m, limits_default()) * 100 ==
		    (double)limits_default()->slip_turned);
	return condition_words(&m, text, CONDITION_READ_FREELY);
}

static void the_other_value_is_chosen(void **state)
{
	g_autofree char *macro = words_of_choice("	n = MIN (n1, n2);"),
			*question = words_of_choice("	n = a < b ? a : b;"),
			*branch = words_of_choice("	if (n > f(most))"),
			*stored = words_of_choice("		n = most;");
	const struct mutant jump = { .kind = MUTANT_CONDITION,
				     .length = 6,
				     .size = 6,
				     .bytes = { 0x0f, 0x8e },
				     .from = 15,
				     .to = 14 };

	(void)state;
	assert_string_equal(macro, "the other one of two values");
	assert_string_equal(question, "the other one of two values");
	assert_string_equal(branch, "the condition negated");
	assert_string_equal(stored, "the condition negated");
	assert_false(mutant_is_choice(&jump));
}

static void a_loop_ends_at_once(void **state)
{
	(void)state;
	assert_true(turns("for (i = 0; i < n; i++)", 12, 15));
	assert_false(turns("for (i = 0; i < n; i++)", 12, 14));
	assert_true(turns("for (i = n; i > 0; i--)", 15, 12));
	assert_false(turns("while (i < n)", 12, 15));
}

static int open_any_image(void **state)
{
	const char *path = g_getenv("WHY_AGENT");

	(void)state;
	image = path ? image_open(path, NULL) : NULL;
	return image ? 0 : -1;
}

static int close_any_image(void **state)
{
	(void)state;
	image_free(image);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_outside_of_texts),
		cmocka_unit_test(the_other_value_is_chosen),
		cmocka_unit_test(a_loop_ends_at_once),
	};

	return cmocka_run_group_tests(tests, open_any_image, close_any_image);
}
