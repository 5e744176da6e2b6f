/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that were forgotten in what was copied, and the order of indices. */
#include "gdbext/evidence/words/copied-words.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_forgotten_name_stands_twice(void **state)
{
	static const char line[] = "return y < m->rows && x < m->rows;";

	(void)state;
	assert_true(copied_words_forgot_name(line, "`columns' for `rows'"));
	assert_true(copied_words_forgot_name("if (a.x == b.x || a.y == b.x)", "`z' for `x'") ==
		    false); /* three times: there is no pair */
	assert_true(copied_words_forgot_name("if (low > a && low < b)", "`high' for `low'"));
	assert_false(copied_words_forgot_name("if (low > 0 && low < 9)", "`high' for `low'"));
	assert_false(copied_words_forgot_name("if (s[i] < '0' || s[i] > '9')", "`k' for `i'"));
	assert_false(copied_words_forgot_name("return y < m->rows;", "`columns' for `rows'"));
	assert_false(copied_words_forgot_name(line, "`x' for `y'"));
	assert_false(copied_words_forgot_name(line, "`m->columns' for `row'"));
	assert_false(copied_words_forgot_name(line, "1 for 0"));
}

static void calls_are_read_as_they_would_be(void **state)
{
	g_autofree char *call = copied_words_call("if (n > room(a, place))", "`b' for `a'");
	g_autofree char *second = copied_words_call("f(x); g(a.x, a);", "`b' for `a'");
	g_autofree char *member = copied_words_call("if (n > room(s->a, place))", "`b' for `a'");
	g_autofree char *none = copied_words_call("if (n > a)", "`b' for `a'");
	g_autofree char *number = copied_words_call("room(a, 1)", "2 for 1");

	(void)state;
	assert_string_equal(call, "room(b, place)");
	assert_string_equal(second, "g(b.x, b)");
	assert_null(member);
	assert_null(none);
	assert_null(number);
}

static void indices_stand_beside_each_other(void **state)
{
	g_autofree char *found = copied_words_indices("m[y][x] = 1;", "`x' and `y' exchanged");
	g_autofree char *same = copied_words_indices("m[y][x] = 1;", "`y' and `x' exchanged");
	g_autofree char *none = copied_words_indices("f(y, x);", "`x' and `y' exchanged");
	g_autofree char *other = copied_words_indices("m[y][x] = 1;", "`x' for `y'");

	(void)state;
	assert_string_equal(found, "[y][x]");
	assert_string_equal(same, "[y][x]");
	assert_null(none);
	assert_null(other);
}

static void a_copy_differs_in_one_name(void **state)
{
	static const char left[] = "if (l < h->n && h->at[l] < h->at[m])",
			  right[] = "if (r < h->n && h->at[r] < h->at[i])";

	(void)state;
	assert_true(copied_words_adapt(right, "`m' for `i'", left));
	assert_false(copied_words_adapt(right, "`l' for `i'", left));
	assert_false(copied_words_adapt(right, "`m' for `r'", left));
	/* it is one already */
	assert_false(
		copied_words_adapt("if (r < h->n && h->at[r] < h->at[m])", "`i' for `m'", left));
	assert_false(
		copied_words_adapt("if (r < h->n || h->at[r] < h->at[i])", "`m' for `i'", left));
	assert_false(copied_words_adapt("y = b;", "`a' for `b'", "x = a;"));
	/* each stands there once */
	assert_false(copied_words_adapt("box->right = box->left + box->w;", "`h' for `w'",
					"box->top = box->left + box->h;"));
}

static void what_is_replaced_stands_there(void **state)
{
	(void)state;
	assert_true(copied_words_has_name("if (a == b)", "`>=' for `=='"));
	assert_false(copied_words_has_name("for (auto &i : items)", "`end' for `begin'"));
	assert_true(copied_words_has_name("for (auto &i : items)", NULL));
	assert_true(copied_words_has_name("f();", "3 for 2"));
	assert_false(copied_words_is_no_list("int a[3] = { n, 7 };", "`n' for `a[2]'"));
	assert_true(copied_words_is_no_list("int a[3] = { n, 7 };", "`k' for `n'"));
	assert_true(copied_words_is_no_list("*p = 7;", "`n' for `a[2]'"));
	assert_true(copied_words_has_both("r = 10 * j + n[k];", "`j' and `n[k]' exchanged"));
	assert_true(copied_words_has_element("if (s[ 0 ] == c)", "`s[3]' for `s[0]'"));
	assert_false(copied_words_has_element("if (s[i] == c)", "`s[3]' for `s[0]'"));
	assert_true(copied_words_has_element("if (s[i] == c)", "`k' for `i'"));
	assert_false(copied_words_has_both("int a[3] = { n, 7 };", "`n' and `a[2]' exchanged"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forgotten_name_stands_twice),
		cmocka_unit_test(calls_are_read_as_they_would_be),
		cmocka_unit_test(indices_stand_beside_each_other),
		cmocka_unit_test(a_copy_differs_in_one_name),
		cmocka_unit_test(what_is_replaced_stands_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
