/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes, how they are cut, and trees composed of any subset of them. */
#include "solver/regress/changes.h"
#include "solver/regress/set.h"
#include "solver/regress/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static GBytes *bytes(const char *text)
{
	return g_bytes_new(text, strlen(text));
}

static struct regress_changes *one_file(const char *path, const char *old, const char *newer)
{
	struct regress_changes *c = regress_changes_new();
	g_autoptr(GBytes) before = bytes(old), after = bytes(newer);

	regress_changes_add_file(c, path, 0100644, before, path, 0100644, after);
	return c;
}

static void assert_composed(const struct regress_changes *c, guint mask, const char *expected)
{
	g_autoptr(GArray) reverted = regress_set_new();
	struct regress_state state;
	gsize size;
	const char *text;

	for (unsigned i = 0; i < regress_changes_count(c); i++)
		if (mask & 1u << i)
			g_array_append_val(reverted, i);
	regress_file_compose(c, 0, reverted, &state);
	assert_non_null(state.path);
	text = g_bytes_get_data(state.bytes, &size);
	assert_int_equal(size, strlen(expected));
	assert_memory_equal(text, expected, size);
	g_bytes_unref(state.bytes);
}

static void any_subset_is_composed(void **state)
{
	struct regress_changes *c = one_file("f.txt", "a\nb\nc\nd\n", "a\nB\nc\nD\ne\n");

	(void)state;
	regress_changes_add_lines(c, 2, 1, 2, 1, NULL);
	regress_changes_add_lines(c, 4, 1, 4, 2, NULL);
	assert_composed(c, 0, "a\nB\nc\nD\ne\n");
	assert_composed(c, 1, "a\nb\nc\nD\ne\n");
	assert_composed(c, 2, "a\nB\nc\nd\n");
	assert_composed(c, 3, "a\nb\nc\nd\n");
	regress_changes_free(c);
}

static void lines_added_or_deleted_only(void **state)
{
	struct regress_changes *c = one_file("f.txt", "a\nb\nc\n", "x\na\nc\ny\n");

	(void)state;
	regress_changes_add_lines(c, 0, 0, 1, 1, NULL);
	regress_changes_add_lines(c, 2, 1, 2, 0, NULL);
	regress_changes_add_lines(c, 3, 0, 4, 1, NULL);
	assert_composed(c, 7, "a\nb\nc\n");
	assert_composed(c, 2, "x\na\nb\nc\ny\n");
	assert_composed(c, 5, "a\nc\n");
	regress_changes_free(c);
}

/* CRLF is kept; a last line without its end is never torn from what follows. */
static void ends_of_lines(void **state)
{
	struct regress_changes *c = one_file("f.c", "a;\r\nb;", "a;\nb;\nc;\n");
	g_autofree char *text = NULL;

	(void)state;
	regress_changes_add_lines(c, 1, 1, 1, 1, NULL);
	regress_changes_add_lines(c, 2, 1, 2, 2, NULL);
	assert_int_equal(regress_changes_count(c), 2);
	assert_composed(c, 3, "a;\r\nb;");
	assert_composed(c, 1, "a;\r\nb;\nc;\n");
	assert_composed(c, 2, "a;\nb;");
	text = regress_change_text(c, 0);
	assert_non_null(strstr(text, "end of the line differs"));
	regress_changes_free(c);
}

/* A file that got other ends of lines, and one line that changed: that one is a change of its own.
 */
static void ends_of_lines_stand_apart(void **state)
{
	struct regress_changes *c = one_file("f.txt", "a\nb\nc\nd\n", "a\r\nb\r\nx\r\nd\r\n");

	(void)state;
	regress_changes_add_lines(c, 1, 4, 1, 4, NULL);
	assert_int_equal(regress_changes_count(c), 3);
	assert_composed(c, 2, "a\r\nb\r\nc\nd\r\n");
	assert_composed(c, 5, "a\nb\nx\r\nd\n");
	assert_composed(c, 7, "a\nb\nc\nd\n");
	regress_changes_free(c);
	c = one_file("f.txt", "a\nb\nc\n", "a\r\nb\r\n");
	regress_changes_add_lines(c, 1, 3, 1, 2, NULL);
	assert_int_equal(regress_changes_count(c), 2);
	assert_composed(c, 1, "a\nb\n");
	assert_composed(c, 2, "a\r\nb\r\nc\n");
	assert_composed(c, 3, "a\nb\nc\n");
	regress_changes_free(c);
}

/* Lines of a mixture are found again: in what is reverted, what is not, and in no change. */
static void lines_are_of_changes(void **state)
{
	struct regress_changes *c = one_file("d/f.c", "a\nb\nc\nd\n", "a\nB\nBB\nc\n");
	g_autoptr(GArray) none = regress_set_new(),
			  first = regress_set_of((const unsigned[]){ 0 }, 1);
	g_autoptr(GArray) all = regress_set_all(2);

	(void)state;
	regress_changes_add_lines(c, 2, 1, 2, 2, NULL);
	regress_changes_add_lines(c, 4, 1, 4, 0, NULL);
	assert_int_equal(regress_change_on_line(c, none, "f.c", 1), -1);
	assert_int_equal(regress_change_on_line(c, none, "f.c", 3), 0);
	assert_int_equal(regress_change_on_line(c, none, "f.c", 5), -1);
	assert_int_equal(regress_change_on_line(c, first, "f.c", 2), 0);
	assert_int_equal(regress_change_on_line(c, first, "f.c", 3), -1);
	assert_int_equal(regress_change_on_line(c, all, "f.c", 4), 1);
	assert_int_equal(regress_change_on_line(c, all, "g.c", 4), -1);
	regress_changes_free(c);
}

static void statements_are_cut(void **state)
{
	struct regress_changes *c =
		one_file("f.c", "a = 1;\nif (b)\n  c();\n", "a = 2;\nif (!b)\n  c();\n");

	(void)state;
	regress_changes_add_lines(c, 1, 3, 1, 3, "f");
	assert_int_equal(regress_changes_count(c), 2);
	assert_int_equal(regress_change_at(c, 1)->new_first, 2);
	assert_int_equal(regress_change_at(c, 1)->new_count, 2);
	assert_composed(c, 1, "a = 1;\nif (!b)\n  c();\n");
	regress_changes_free(c);
}

static void insertions_are_cut(void **state)
{
	struct regress_changes *c = one_file("f.c", "x;\n", "x;\nint m;\n\n/* why */\nm = 1;\n");

	(void)state;
	regress_changes_add_lines(c, 1, 0, 2, 4, "f");
	assert_int_equal(regress_changes_count(c), 2);
	assert_composed(c, 1, "x;\n\n/* why */\nm = 1;\n");
	assert_composed(c, 2, "x;\nint m;\n");
	regress_changes_free(c);
}

static GArray *split(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);

	for (char **p = parts; p[0] && p[1]; p++) {
		g_autofree char *line = g_strconcat(*p, "\n", NULL);

		g_ptr_array_add(lines, bytes(line));
	}
	return regress_split_statements((GBytes *const *)lines->pdata, lines->len);
}

static void assert_split(const char *text, guint n, unsigned first)
{
	g_autoptr(GArray) pieces = split(text);

	assert_non_null(pieces);
	assert_int_equal(pieces->len, n);
	assert_int_equal(g_array_index(pieces, unsigned, 0), first);
}

static void what_is_a_statement(void **state)
{
	static const char *const whole[] = { "}\n",	  "if (x)\n", "else\n  y;\n",
					     "f(a,\n",	  "b);\n",    "#if X\ny;\n#endif\n",
					     "/* open\n", "\"a;\n",   "x = {\n" };

	(void)state;
	assert_split("a;\nb;\n", 2, 1);
	assert_split("if (a) {\n  b;\n} else {\n  c;\n}\nd;\n", 2, 5);
	assert_split("do {\n  b;\n} while (x);\nd;\n", 2, 3);
	assert_split("struct s {\n  int a;\n} t;\nd;\n", 2, 3);
	assert_split("int t[] = {\n  1,\n};\nd;\n", 2, 3);
	assert_split("char c = ';';\nd = \"}\";\n", 2, 1);
	assert_split("#define A 1\n#define B \\\n  2\nd;\n", 3, 1);
	assert_split("static int f(int x)\n{\n  return x;\n}\nint g;\n", 2, 4);
	assert_split("for (i = 0; i < n; i++)\n  f(i);\nd;\n", 2, 2);
	for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
		g_autoptr(GArray) pieces = split(whole[i]);

		assert_null(pieces);
	}
}

static void files_come_and_go(void **state)
{
	struct regress_changes *c = regress_changes_new();
	g_autoptr(GBytes) text = bytes("t\n"), binary = g_bytes_new("\0\1", 2);
	g_autoptr(GArray) none = regress_set_new(), all = NULL;
	struct regress_state s;

	(void)state;
	regress_changes_add_file(c, NULL, 0, NULL, "new.c", 0100644, text);
	regress_changes_add_file(c, "old.c", 0100755, text, NULL, 0, NULL);
	regress_changes_add_file(c, "from.c", 0100644, text, "to.c", 0100755, text);
	regress_changes_add_file(c, "b.bin", 0100644, text, "b.bin", 0100644, binary);
	assert_int_equal(regress_changes_count(c), 5);
	all = regress_set_all(5);
	for (unsigned f = 0; f < 4; f++) {
		static const char *const names[][2] = { { "new.c", NULL },
							{ NULL, "old.c" },
							{ "to.c", "from.c" },
							{ "b.bin", "b.bin" } };

		regress_file_compose(c, f, none, &s);
		assert_int_equal(g_strcmp0(s.path, names[f][0]), 0);
		g_clear_pointer(&s.bytes, g_bytes_unref);
		regress_file_compose(c, f, all, &s);
		assert_int_equal(g_strcmp0(s.path, names[f][1]), 0);
		if (f == 1)
			assert_int_equal(s.mode, 0100755);
		if (f == 3)
			assert_true(g_bytes_equal(s.bytes, text));
		g_clear_pointer(&s.bytes, g_bytes_unref);
	}
	regress_changes_free(c);
}

static void words_are_those_of_one_side(void **state)
{
	struct regress_changes *c = one_file("f.c", "z = x + y;\n", "z = x + y - margin;\n");
	g_autoptr(GHashTable) words = NULL;

	(void)state;
	regress_changes_add_lines(c, 1, 1, 1, 1, NULL);
	words = regress_change_words(c, 0);
	assert_int_equal(g_hash_table_size(words), 1);
	assert_true(g_hash_table_contains(words, "margin"));
	regress_changes_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_subset_is_composed),
		cmocka_unit_test(lines_added_or_deleted_only),
		cmocka_unit_test(ends_of_lines),
		cmocka_unit_test(ends_of_lines_stand_apart),
		cmocka_unit_test(lines_are_of_changes),
		cmocka_unit_test(statements_are_cut),
		cmocka_unit_test(insertions_are_cut),
		cmocka_unit_test(what_is_a_statement),
		cmocka_unit_test(files_come_and_go),
		cmocka_unit_test(words_are_those_of_one_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
