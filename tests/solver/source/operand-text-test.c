/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operands are whole ones, wherever they stand. */
#include "solver/source/operand-text.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void operands_are_found_whole(void **state)
{
	(void)state;
	assert_true(operand_text_has("adj[a][b] = 1", "a"));
	assert_true(operand_text_has("n", "n"));
	assert_true(operand_text_has("r.n = -r.n", "r.n"));
	assert_false(operand_text_has("r.n = -r.n", "n"));
	assert_false(operand_text_has("p->n", "n"));
	assert_false(operand_text_has("count++", "n"));
	assert_false(operand_text_has("r.next = 0", "r.n"));
	assert_false(operand_text_has("", "n"));
}

static void operands_are_exchanged(void **state)
{
	static const struct {
		const char *text, *a, *b;
		bool exchanged;
		const char *expected;
	} cases[] = {
		{ "adj[a][b] = 1", "a", "b", true, "adj[b][a] = 1" },
		{ "adj[a][b] = 1", "a", "b", false, "adj[b][b] = 1" },
		{ "r.d = -r.d", "r.d", "r.n", false, "r.n = -r.n" },
		{ "p->a = a", "a", "long_name", false, "p->a = long_name" },
		{ "x += xx", "x", "y", true, "y += xx" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = operand_text_with(cases[i].text, cases[i].a, cases[i].b,
							 cases[i].exchanged);

		assert_string_equal(got, cases[i].expected);
	}
}

static void words_are_mirrored(void **state)
{
	g_autofree char *list = operand_text_mirrored("n->prev->next = n->next", "prev", "next");
	g_autofree char *graph = operand_text_mirrored("adj[a][ab] = a1 + b", "a", "b");

	(void)state;
	assert_string_equal(list, "n->next->prev = n->prev");
	assert_string_equal(graph, "adj[b][ab] = a1 + a");
}

static void members_have_an_object(void **state)
{
	(void)state;
	assert_true(operand_text_is_of_one_object("r.n", "r.d"));
	assert_true(operand_text_is_of_one_object("p->a.x", "p->a.y"));
	assert_false(operand_text_is_of_one_object("r.n", "q.n"));
	assert_false(operand_text_is_of_one_object("r", "q"));
	assert_string_equal(operand_text_last_word("p->size"), "size");
	assert_string_equal(operand_text_last_word("size"), "size");
}

static void characters_are_asked_for(void **state)
{
	(void)state;
	assert_true(operand_text_is_character_asked("if (c == '\\n' || c == EOF)"));
	assert_true(operand_text_is_character_asked("while (*s!='x')"));
	assert_true(operand_text_is_character_asked("if (next() == EOF)"));
	assert_false(operand_text_is_character_asked("if (c >= '0')"));
	assert_false(operand_text_is_character_asked("c = 'x';"));
	assert_false(operand_text_is_character_asked("if (n == EOFS)"));
}

static void counts_are_told_from_first_values(void **state)
{
	static const char *const counted[] = { "n++;",	    "x = --p->n + 1", "c->n += 2;",
					       "a.n >>= 1", "read(&n)",	      "scan(&a->b.n)",
					       "k++, n--",  "n[i]++;",	      "c->n [ 3 ] |= 4" };
	static const char *const others[] = {
		"int n = 0;", "n == 1",	 "n <= 1", "n >= 1", "nn++;",
		"x = n + 1",  "n - --k", "a && n", "n != 2", "n < <"
	};

	(void)state;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		if (!operand_text_is_counted(counted[i], "n"))
			fail_msg("%s", counted[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (operand_text_is_counted(others[i], "n"))
			fail_msg("%s", others[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_are_found_whole),
		cmocka_unit_test(operands_are_exchanged),
		cmocka_unit_test(words_are_mirrored),
		cmocka_unit_test(members_have_an_object),
		cmocka_unit_test(characters_are_asked_for),
		cmocka_unit_test(counts_are_told_from_first_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
