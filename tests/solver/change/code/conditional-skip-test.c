/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a missing condition may leave out, of functions that GCC made. */
#include "solver/change/code/conditional-skip.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char source[] = "int n, m;\n"
			     "int move(int k)\n"
			     "{\n"
			     "	int by = k;\n" /* 4 */
			     "	if (!n)\n"
			     "		return -1;\n" /* 6 */
			     "	n -= by;\n"	      /* 7 */
			     "	m += by;\n"
			     "	return 0;\n" /* 9 */
			     "}\n"
			     "void both(int k)\n"
			     "{\n"
			     "	if (k) {\n"
			     "		n = k;\n" /* 14 */
			     "	} else {\n"
			     "		m = k;\n"
			     "	}\n"
			     "	n++;\n"
			     "}\n"
			     "int main(void) { both(2); return move(1); }\n";

struct opened {
	char *folder, *path;
	struct image *image;
};

static int open_program(void **state)
{
	struct opened *o = g_new0(struct opened, 1);

	o->folder = test_folder_new();
	o->path = test_compile(o->folder, "skips", source, "gcc -g -O0");
	o->image = image_open(o->path, NULL);
	assert_non_null(o->image);
	*state = o;
	return 0;
}

static int close_program(void **state)
{
	struct opened *o = *state;

	image_free(o->image);
	test_folder_free(o->folder);
	g_free(o->path);
	g_free(o);
	return 0;
}

/* "7 8>9 r6 r9": the last line that is left out, and where control goes on; r: the return. */
static char *skips_of(const struct opened *o, unsigned line)
{
	const char *file = image_statement(o->image, 0)->file;
	g_autoptr(GArray) all = conditional_skips(o->image, file, line, limits_default());
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		const struct image_row *row = image_row_at(o->image, m->link_to);
		unsigned to = row ? image_statement(o->image, row->statement)->line : 0;

		if (m->to)
			g_string_append_printf(text, "r%d ", (int)m->to);
		else
			g_string_append_printf(text, "%d>%u ", m->from ? (int)m->from : (int)line,
					       to);
	}
	return g_string_free(text, FALSE);
}

/* The line, the line with the one below it, and the two returns of the function. */
static void lines_and_returns(void **state)
{
	g_autofree char *text = skips_of(*state, 7);

	assert_string_equal(text, "7>8 8>9 r6 r9 ");
}

/* Nobody puts an `if' before a declaration, but a way out. */
static void declarations(void **state)
{
	g_autofree char *text = skips_of(*state, 4);

	assert_string_equal(text, "r6 r9 ");
}

/* A block's last statement is followed by a jump around `else', and nothing goes on behind it. */
static void ends_of_blocks(void **state)
{
	g_autofree char *text = skips_of(*state, 14);

	assert_null(strstr(text, "16>"));
	assert_null(strstr(text, "18>"));
	assert_non_null(strstr(text, "r19 "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_and_returns, open_program, close_program),
		cmocka_unit_test_setup_teardown(declarations, open_program, close_program),
		cmocka_unit_test_setup_teardown(ends_of_blocks, open_program, close_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
