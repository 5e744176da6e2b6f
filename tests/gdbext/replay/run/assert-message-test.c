/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/assert-message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void in_english(void **state)
{
	struct assert_message m;

	(void)state;
	assert_true(assert_message_find("x: y\np: a/p.c:13: P: Assertion `b <= a' failed.\n", &m));
	assert_string_equal(m.expression, "b <= a");
	assert_string_equal(m.file, "a/p.c");
	assert_string_equal(m.function, "P");
	assert_int_equal(m.line, 13);
	assert_message_clear(&m);
}

static void without_a_function(void **state)
{
	struct assert_message m;

	(void)state;
	assert_true(assert_message_find("p: p.c:13: Assertion `s == \"it's\"' failed.\n", &m));
	assert_string_equal(m.expression, "s == \"it's\"");
	assert_string_equal(m.file, "p.c");
	assert_null(m.function);
	assert_message_clear(&m);
}

/* The catalogues of glibc 2.36: de, fr, ja. */
static void in_other_languages(void **state)
{
	static const struct {
		const char *format, *text;
	} cases[] = {
		{ "%s%s%s:%u: %s%sZusicherung »%s« nicht erfüllt.\n%n",
		  "p: p.c:13: P: Zusicherung »b <= a« nicht erfüllt.\n" },
		{ "%s%s%s:%u: %s%sL'assertion « %s » a échoué.\n%n",
		  "p: p.c:13: P: L'assertion « b <= a » a échoué.\n" },
		{ "%s%s%s:%u: %s%s アサーション `%s' 失敗しました.\n",
		  "p: p.c:13: P:  アサーション `b <= a' 失敗しました.\n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct assert_words words;
		struct assert_message m;

		assert_true(assert_words_of(cases[i].format, &words));
		assert_true(assert_message_find_in(cases[i].text, &words, &m));
		assert_string_equal(m.expression, "b <= a");
		assert_string_equal(m.file, "p.c");
		assert_int_equal(m.line, 13);
		assert_message_clear(&m);
		assert_false(assert_message_find_in("p.c:13: failed\n", &words, &m));
		assert_words_clear(&words);
	}
}

static void other_text(void **state)
{
	struct assert_words words;

	(void)state;
	assert_false(assert_message_find("", NULL));
	assert_false(assert_message_find("Assertion `b <= a' held.\n", NULL));
	assert_false(assert_message_find("' failed.\nAssertion `b", NULL));
	assert_false(assert_words_of("", &words));
	assert_false(assert_words_of("%s", &words));
	assert_false(assert_words_of("nothing", &words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_english),
		cmocka_unit_test(without_a_function),
		cmocka_unit_test(in_other_languages),
		cmocka_unit_test(other_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
