/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/expression/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void check(const char *condition, const char *expected)
{
	g_autoptr(GArray) parts = expression_parts(condition);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++) {
		const struct expression_part *p = &g_array_index(parts, struct expression_part, i);

		g_string_append_printf(got, "%s%s%s", i ? "; " : "", p->text,
				       p->call ? " (call)" : "");
	}
	assert_string_equal(got->str, expected);
}

static void parts(void **state)
{
	(void)state;
	check("b <= a", "b; a");
	check("a == a", "a");
	check("length(&list) == list.size", "length(&list) (call); list.size");
	check("p->next->key > 3", "p->next->key");
	check("v[i + 1] < v[i]", "v[i + 1]; i; v[i]");
	check("m[i][j].x == 0x10", "m[i][j].x; i; j");
	check("*p == 3 && a * b > **q", "*p; a; b; **q");
	check("f(x, g(y)) != NULL", "f(x, g(y)) (call); x; g(y) (call); y");
	check("sizeof(struct node) == n", "n");
	check("strcmp(s, \"a b\") == 'c'", "strcmp(s, \"a b\") (call); s");
	check("a & b && !c", "a; b; c");
	check("'p.c'::n == f::m[1] && ::k", "'p.c'::n; f::m[1]; ::k");
	check("a.n() == q->at(i) && v[i].size() != b.c->d(f(x)).e",
	      "a.n() (call); q->at(i) (call); i; v[i].size() (call); b.c->d(f(x)) (call); f(x) "
	      "(call); x");
	check("", "");
}

/* Condition texts are the user's: cut off anywhere they must do no harm. */
static void broken(void **state)
{
	static const char text[] = "f(a[b], &c->d.e) == **g && 'x.c'::i + j::k && sizeof(h[";

	(void)state;
	for (size_t n = 0; n < sizeof text; n++) {
		g_autofree char *part = g_strndup(text, n);

		g_array_unref(expression_parts(part));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
