/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Asks at the first `@` of the text, which is taken out. */
static struct source *marked(const char *text, size_t *at)
{
	g_autofree char *clean = g_strdup(text);
	char *mark = strchr(clean, '@');

	*at = (size_t)(mark - clean);
	memmove(mark, mark + 1, strlen(mark));
	return source_new(clean);
}

static void check(const char *text, struct source_span (*ask)(const struct source *, size_t),
		  const char *expected)
{
	size_t at;
	struct source *s = marked(text, &at);
	g_autofree char *got = source_text(s, ask(s, at));

	if (expected)
		assert_string_equal(got ? got : "(nothing)", expected);
	else
		assert_null(got);
	source_free(s);
}

static void statements(void **state)
{
	(void)state;
	check("{ a = 1; @b = 2; }", source_statement, "b = 2");
	check("{ if (a)\n\t@b = 2;\n}", source_statement, "b = 2");
	check("{ for (i = 0; i <@ 3; i++) x(); }", source_statement, "i < 3");
	check("{ for (i = 0; i < 3; @i++) x(); }", source_statement, "i++");
	check("{ @if (f(a) > 1) x(); }", source_statement, "if (f(a) > 1)");
	check("{ x(); f(\"a;  b\",\n   @c); /* ; */ }", source_statement, "f(\"a;  b\", c)");
	check("{ do @i++; while (i < 3); }", source_statement, "i++");
	check("{\n#define X ;\n\ta /* ; */ =@ 1; }", source_statement, "a = 1");
}

static void assigned(void **state)
{
	(void)state;
	check("{ b @= a + 1; }", source_assigned, "b");
	check("{ list->size@++; }", source_assigned, "list->size");
	check("{ --@n; }", source_assigned, "n");
	check("{ struct node *@node = list->head; }", source_assigned, "node");
	check("{ *p @= 3; }", source_assigned, "*p");
	check("{ **p @+= 3; }", source_assigned, "**p");
	check("{ a[i + 1].x @<<= 2; }", source_assigned, "a[i + 1].x");
	check("{ int a = 1, @b = 2; }", source_assigned, "b");
	check("{ a = b @= 0; }", source_assigned, "b");
	/* what a constructor gives first values stands in no statement behind its head */
	check("struct s { s(int n) : a(n@) {} void f() { b = 1; } int a, b = 2; };",
	      source_assigned, NULL);
	check("struct s { s(int n) : a(n@) { b = n; } int a, b; };", source_assigned, NULL);
	check("{ f(x)->y @= 0; }", source_assigned, "f(x)->y");
	check("{ if (a <= 1) @x = a >= 2; }", source_assigned, "x");
	check("{ for (int i @= 0; i < 3; i++) ; }", source_assigned, "i");
	check("{ for (int i = 0; i < 3; i@++) ; }", source_assigned, "i");
	check("{ @f(a == b); }", source_assigned, NULL);
	check("{ while (@a <= b) ; }", source_assigned, NULL);
}

static void returned(void **state)
{
	(void)state;
	check("{ return @odd; }", source_returned, "odd");
	check("{ return @(a + b); }", source_returned, "(a + b)");
	check("{ case 4: case 'a' + 1: @return 31; }", source_returned, "31");
	check("{ default:\n\t@return a ? b : c; }", source_returned, "a ? b : c");
	check("{ out: @return 1; }", source_returned, "1");
	check("{ @return; }", source_returned, NULL);
	check("{ @returned = 1; }", source_returned, NULL);
}

static void arguments(void **state)
{
	static const char *const expected[] = { "a", "g(b, c)", "\",\"", NULL };
	size_t at;
	struct source *s = marked("{ x = 1 + @f(a, g(b, c), \",\"); }", &at);

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_autofree char *got = source_text(s, source_argument(s, at, "f", i));

		assert_int_equal(g_strcmp0(got, expected[i]), 0);
	}
	assert_null(source_text(s, source_argument(s, at, "h", 0)));
	source_free(s);
}

static void places(void **state)
{
	struct source *s = source_new("a;\n\tb;\n");
	size_t at = 99;

	(void)state;
	assert_true(source_place(s, 2, 2, &at));
	assert_int_equal(at, 4);
	assert_true(source_place(s, 2, 0, &at));
	assert_int_equal(at, 4);
	assert_false(source_place(s, 3, 1, &at));
	assert_false(source_place(s, 0, 1, &at));
	assert_false(source_place(s, 1, 3, &at));
	source_free(s);
}

static void check_put(const char *text, unsigned before, const char *expected)
{
	size_t at;
	struct source *s = marked(text, &at);
	g_autofree char *got = source_text(s, source_put(s, at, before));

	if (expected)
		assert_string_equal(got ? got : "(nothing)", expected);
	else
		assert_null(got);
	source_free(s);
}

static void put(void **state)
{
	(void)state;
	check_put("{ std::cout << \"n \" << p.@n << '\\n'; }", 0, "p.n");
	check_put("{ std::cout << \"n \" << p.n << '@\\n'; }", 1, "p.n");
	check_put("{ std::cout << \"n \" << p.n << '@\\n'; }", 2, "\"n \"");
	check_put("{ std::cout << \"n \" << p.n << '@\\n'; }", 3, NULL);
	check_put("{ out << std::setw(3)\n\t@<< f(a << 2) << b; }", 0, "f(a << 2)");
	check_put("{ out << a << v@[1 << i]; }", 0, "v[1 << i]");
	check_put("{ @out << a; }", 0, NULL);
	check_put("{ a <<= @2; }", 0, NULL);
	check_put("{ f(@a); }", 0, NULL);
}

/* Text that ends anywhere must not lead out of it. */
static void broken(void **state)
{
	static const char text[] =
		"{ for (a = f(\"x\\\"\", 'c'); b[i] /* c */ += 1; ) { return x; } }";

	(void)state;
	for (size_t n = 1; n < sizeof text; n++) {
		g_autofree char *part = g_strndup(text, n);
		struct source *s = source_new(part);

		for (size_t at = 0; at < n; at++) {
			source_assigned(s, at);
			source_returned(s, at);
			source_argument(s, at, "f", 1);
			source_put(s, at, 1);
			g_free(source_text(s, source_statement(s, at)));
		}
		source_free(s);
	}
}

static void elements_of_an_initializer(void **state)
{
	static const char text[] = "static const int days[12] = { 31, 28, /* , */ 31,\n"
				   "	30, 31 };\n"
				   "struct item items[] = {\n"
				   "	{ \"a,b\", 1.5, { 1, 2 } },\n"
				   "	{ \"{\", 2.5, { 3, 4 } }, { \"x\" },\n"
				   "};\n"
				   "int some[9] = { [4] = 1, 2 }, none[4], one = 3;\n"
				   "static struct { int a; int b; } pairs[] = {\n"
				   "	{ 1, 2 }, { 3, 4 },\n"
				   "	{ 5, 6 },\n"
				   "};\n";
	static const struct {
		const char *name;
		unsigned line, n, expected;
	} rows[] = {
		{ "days", 1, 0, 1 },  { "days", 1, 2, 1 },  { "days", 1, 3, 2 },
		{ "days", 1, 4, 2 },  { "days", 1, 5, 0 },  { "items", 3, 0, 4 },
		{ "items", 3, 1, 5 }, { "items", 3, 2, 5 }, { "items", 3, 3, 0 },
		{ "some", 7, 0, 0 },  { "none", 7, 0, 0 },  { "one", 7, 0, 0 },
		{ "days", 2, 0, 0 },  { "pairs", 8, 1, 9 }, { "pairs", 8, 2, 10 },
	};
	struct source *s = source_new(text);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		assert_int_equal(source_element_line(s, rows[i].line, rows[i].name, rows[i].n),
				 rows[i].expected);
	source_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements), cmocka_unit_test(elements_of_an_initializer),
		cmocka_unit_test(assigned),   cmocka_unit_test(returned),
		cmocka_unit_test(arguments),  cmocka_unit_test(places),
		cmocka_unit_test(put),	      cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
