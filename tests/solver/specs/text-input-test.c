/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bytes of standard input calls gave; expected offsets are counted by hand in the texts. */
#include "solver/specs/text-input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BUFFER = 0x5000, OTHER = 0x6000, NOWHERE = 9999 };

static void note(struct text_input *t, const char *function, uint64_t step, uint64_t first,
		 uint64_t second, uint64_t third, uint64_t result)
{
	const struct trace_step s = { .number = step, .native_name = function };

	text_input_note(t, &s, (const uint64_t[3]){ first, second, third }, result);
}

static unsigned returned(const struct text_input *t, uint64_t step)
{
	unsigned offset = NOWHERE;

	return text_input_returned(t, step, &offset) ? offset : NOWHERE;
}

static unsigned lies_at(const struct text_input *t, uint64_t address, uint64_t step)
{
	unsigned offset = NOWHERE;

	return text_input_at(t, address, step, &offset) ? offset : NOWHERE;
}

static void bytes_one_by_one(void **state)
{
	struct text_input *t = text_input_new("4\n7");

	(void)state;
	note(t, "getchar", 10, 0, 0, 0, '4');
	note(t, "puts", 15, 0, 0, 0, '\n'); /* reads nothing */
	note(t, "fgetc", 20, 0, 0, 0, '\n');
	note(t, "getc", 30, 0, 0, 0, 'x'); /* of another file */
	note(t, "getc_unlocked", 40, 0, 0, 0, '7');
	note(t, "_IO_getc", 50, 0, 0, 0, UINT32_MAX); /* the end */
	assert_int_equal(returned(t, 10), 0);
	assert_int_equal(returned(t, 15), NOWHERE);
	assert_int_equal(returned(t, 20), 1);
	assert_int_equal(returned(t, 30), NOWHERE);
	assert_int_equal(returned(t, 40), 2);
	assert_int_equal(returned(t, 50), 3);
	assert_int_equal(lies_at(t, 0, 60), NOWHERE); /* none of them filled a buffer */
	text_input_free(t);
}

/* "12\n" into a buffer of 8, then "345" of "345678\n" into one of 4, then what is left of it. */
static void lines(void **state)
{
	struct text_input *t = text_input_new("12\n345678\n9");

	(void)state;
	note(t, "fgets", 10, BUFFER, 8, 0, BUFFER);
	note(t, "fgets", 20, OTHER, 4, 0, OTHER);
	note(t, "fgets", 30, BUFFER, 8, 0, BUFFER);
	note(t, "fgets", 40, OTHER, 8, 0, 0); /* nothing was read */
	note(t, "fgetc", 50, 0, 0, 0, '9');
	assert_int_equal(lies_at(t, BUFFER, 10), NOWHERE); /* not yet */
	assert_int_equal(lies_at(t, BUFFER + 1, 15), 1);
	assert_int_equal(lies_at(t, BUFFER + 2, 15), 2);
	assert_int_equal(lies_at(t, BUFFER + 3, 15), NOWHERE);
	assert_int_equal(lies_at(t, OTHER, 25), 3);
	assert_int_equal(lies_at(t, OTHER + 2, 99), 5);
	assert_int_equal(lies_at(t, OTHER + 3, 99), NOWHERE); /* the NUL is not of the input */
	assert_int_equal(lies_at(t, BUFFER, 25), 0);	      /* still the first line */
	assert_int_equal(lies_at(t, BUFFER, 35), 6);	      /* "678\n" overwrote it */
	assert_int_equal(lies_at(t, BUFFER + 3, 35), 9);
	assert_int_equal(returned(t, 50), 10);
	assert_int_equal(returned(t, 10), NOWHERE);
	text_input_free(t);
}

static void blocks(void **state)
{
	struct text_input *t = text_input_new("abcdefgh");

	(void)state;
	note(t, "read", 10, 3, OTHER, 4, 4);  /* not standard input */
	note(t, "read", 20, 0, BUFFER, 4, 3); /* gave 3 of 4 */
	note(t, "fread", 30, OTHER, 2, 2, 2); /* two elements of two bytes */
	note(t, "read", 40, 0, BUFFER, 4, UINT64_MAX);
	note(t, "fread", 50, OTHER, 4, 1, 1); /* one byte is left: another file */
	note(t, "read", 60, 0, OTHER, 4, 1);
	assert_int_equal(lies_at(t, OTHER, 15), NOWHERE);
	assert_int_equal(lies_at(t, BUFFER + 2, 25), 2);
	assert_int_equal(lies_at(t, BUFFER + 3, 25), NOWHERE);
	assert_int_equal(lies_at(t, OTHER + 3, 35), 6);
	assert_int_equal(lies_at(t, BUFFER, 45), 0);
	assert_int_equal(lies_at(t, OTHER, 55), 3);
	assert_int_equal(lies_at(t, OTHER, 65), 7);
	text_input_free(t);
}

/* How much scanf took is not known; what was read before it is. */
static void what_comes_after_scanf_is_not_known(void **state)
{
	static const char *const functions[] = { "__isoc99_scanf", "getline", "ungetc" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
		struct text_input *t = text_input_new("1 2 3");

		note(t, "getchar", 10, 0, 0, 0, '1');
		note(t, functions[i], 20, BUFFER, OTHER, 0, 1);
		note(t, "getchar", 30, 0, 0, 0, ' ');
		assert_int_equal(returned(t, 10), 0);
		assert_int_equal(returned(t, 30), NOWHERE);
		text_input_free(t);
	}
}

static void numbers_are_replaced_in_place(void **state)
{
	static const struct {
		const char *text;
		unsigned offset;
		int64_t value;
		const char *becomes;
	} cases[] = {
		{ "3 12 4\n", 0, 9, "9 12 4\n" },
		{ "3 12 4\n", 2, -100, "3 -100 4\n" },
		{ "3 12 4\n", 1, 7, "3 7 4\n" }, /* the space stays */
		{ "3 -12 4\n", 2, 5, "3 5 4\n" },
		{ "+8;x", 0, 0, "0;x" },
		{ "a\n\t 65b", 1, INT64_MIN, "a\n\t -9223372036854775808b" },
		{ "12", 9, 3, "123" }, /* behind the end: at the end */
		{ "", 0, 1, "1" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *text = g_strdup(cases[i].text);

		text_input_set_number(&text, cases[i].offset, cases[i].value);
		assert_string_equal(text, cases[i].becomes);
		g_free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_one_by_one),
		cmocka_unit_test(lines),
		cmocka_unit_test(blocks),
		cmocka_unit_test(what_comes_after_scanf_is_not_known),
		cmocka_unit_test(numbers_are_replaced_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
