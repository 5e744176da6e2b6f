/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of which lines the compiler makes the same, wherever they lie, and of which not. */
#include "solver/image/image.h"
#include "solver/regress/trace/line-code.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Before each of the two: other code and other data. */
static const char *const before[] = {
	"int a, b, c[4]; double d; char *s; int g(int x) { return x; } int h(int x) { return -x; }",
	"int pad[100] = { 1 }; long more(long x) { return x * x + pad[x]; } const char *t = "
	"\"text\";"
	"int g(int x) { return x; } int h(int x) { return -x; } int a, b, c[4]; double d; char *s;"
	"int z(void) { more(3); return s != t; }",
};

/* A line of both, and whether it is the same. */
static const struct {
	const char *one, *two;
	bool same;
} lines[] = {
	{ "return x;", "return (x) /* that */;", true },
	{ "a++; return 1;", "a += 1; return 1;", true },
	{ "a++; return 1;", "b++; return 1;", false },
	{ "a++; return 1;", "a++;\nreturn 1;", true },
	{ "a++; b--; return 1;", "b--;\na++; return 1;", false },
	{ "return a;", "return a;", true },
	{ "return a;", "return b;", false },
	{ "return c[2];", "return *(c + 2);", true },
	{ "return c[2];", "return c[3];", false },
	{ "return g(x);", "return g (x);", true },
	{ "return g(x);", "return h(x);", false },
	{ "s = \"one\"; return 1;", "s = \"on\" \"e\"; return 1;", true },
	{ "s = \"one\"; return 1;", "s = \"two\"; return 1;", false },
	{ "d = 1.5; return 1;", "d = 3 / 2.0; return 1;", true },
	{ "d = 1.5; return 1;", "d = 1.25; return 1;", false },
	{ "return x < 3;", "return 3 > x;", true },
	{ "return x < 3;", "return x < 4;", false },
	{ "return x < 3;", "return x > 3;", false },
	{ "return x && a;", "return (x && a);", true },
	{ "return x && a;", "return x || a;", false },
	{ "while (x > 0) x--; return x;", "while (0 < x) x -= 1; return (x);", true },
	{ "while (x > 0) x--; return x;", "while (x > 0) x++; return x;", false },
};

enum { FIRST = 99, STEP = 4 };

static struct image *program(const char *folder, bool second)
{
	GString *text = g_string_new(before[second]);
	struct image *im;
	g_autofree char *path = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		g_string_append_printf(text, "\n#line %zu\nint f%zu(int x) {\n%s }",
				       FIRST + STEP * i, i, second ? lines[i].two : lines[i].one);
	g_string_append(text, "\n#line 1\nint main(void) { return 0; }\n");
	path = test_compile(folder, second ? "two" : "one", text->str, "gcc -g -O0");
	im = image_open(path, NULL);
	assert_non_null(im);
	g_string_free(text, TRUE);
	return im;
}

/* Of the body of the i-th function: all instructions of its lines, one after the other. */
static uint64_t code_of(const GArray *codes, size_t i)
{
	unsigned first = FIRST + STEP * i + 1;
	uint64_t code = 0;

	for (guint k = 0; k < codes->len; k++) {
		const struct image_line_code *c = &g_array_index(codes, struct image_line_code, k);

		if (c->line < first || c->line > first + 1)
			continue;
		code = code * 31 + c->code;
		assert_int_equal(c->entry, first - 1);
	}
	if (!code)
		fail_msg("line %u has no code", first);
	return code;
}

static void compare(const char *folder)
{
	struct image *one = program(folder, false), *two = program(folder, true);
	g_autoptr(GArray) codes = image_line_codes(one), others = image_line_codes(two);

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		if ((code_of(codes, i) == code_of(others, i)) != lines[i].same)
			fail_msg("%s and %s: %s", lines[i].one, lines[i].two,
				 lines[i].same ? "differ" : "are the same");
	image_free(one);
	image_free(two);
}

static void test_lines(void **state)
{
	char *folder = test_folder_new();

	(void)state;
	compare(folder);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines) };

	test_need("gcc");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
