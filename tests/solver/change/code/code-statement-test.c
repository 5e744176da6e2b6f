/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements as texts: what they assign to, and what they assign. */
#include "solver/change/code/code-statement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void statements_have_places(void **state)
{
	static const struct {
		const char *text, *place; /* NULL: it assigns to nothing */
	} all[] = {
		{ "n = 1", "n" },
		{ "q->length--", "q->length" },
		{ "++n", "n" },
		{ "--p->used", "p->used" },
		{ "rooms[i = 1] = 2", "rooms[i = 1]" },
		{ "total += p->n", "total" },
		{ "a <<= 1", "a" },
		{ "a >>= b", "a" },
		{ "a = b <= c", "a" },
		{ "a <= b", NULL },
		{ "a == b", NULL },
		{ "a != b", NULL },
		{ "append(&q, p)", NULL },
		{ "c = '='", "c" },
		{ "f(\"a=b\")", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *place = code_statement_place(all[i].text);

		if (g_strcmp0(place, all[i].place) != 0)
			fail_msg("%s: %s", all[i].text, place);
	}
}

static void assignments_have_values(void **state)
{
	(void)state;
	assert_string_equal(code_statement_value("n = m + 1"), "m + 1");
	assert_null(code_statement_value("n += 1"));
	assert_null(code_statement_value("n++"));
	assert_null(code_statement_value("f(n)"));
	assert_string_equal(code_statement_assigned("a = b = c"), "b = c");
	assert_null(code_statement_assigned("a = b"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_have_places),
		cmocka_unit_test(assignments_have_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
