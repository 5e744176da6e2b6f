/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of C: which characters of a line have which role. */
#include "tui/panel/syntax.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A letter for the role of each cell: k(eyword), l(iteral), c(omment), or a dot. */
static char *roles(const char *code, bool inside)
{
	static const char letters[] = {
		[TUI_PLAIN] = '.', [TUI_KEYWORD] = 'k', [TUI_LITERAL] = 'l', [TUI_COMMENT] = 'c'
	};
	const struct canvas_area all = { 0, 0, 80, 1 };
	GString *out = g_string_new(NULL);
	struct canvas c;
	unsigned end;

	canvas_init(&c, 80, 1);
	end = syntax_put(&c, &all, 0, 0, code, inside);
	for (unsigned x = 0; x < end; x++)
		g_string_append_c(out, letters[canvas_at(&c, x, 0)->role]);
	canvas_deinit(&c);
	return g_string_free(out, FALSE);
}

static void lines(void **state)
{
	static const struct {
		const char *code, *roles;
		bool inside;
	} all[] = {
		{ "int interest = 12;", "kkk............ll.", false },
		{ "s = \"int \\\" 1\"; c = '\\''; // if", "....llllllllll......llll..ccccc",
		  false },
		{ "a /* if */ b", "..cccccccc..", false },
		{ "if */ return 0x1fUL;", "ccccc.kkkkkk.llllll.", true },
		{ "  #  include <int>", "..kkkkkkkkkk..kkk.", false },
		{ "a #if", "...kk", false },
		{ "x1 = \"open", ".....lllll", false },
		{ "\xc3\xa4 = 1", "....l", false },
		{ "", "", true },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *is = roles(all[i].code, all[i].inside);

		assert_string_equal(is, all[i].roles);
	}
}

static void comments(void **state)
{
	static const char *const text[] = { "a /* b",	 "int \"*/\" c */ x /*",
					    "*/ \"/*\"", "// /* none",
					    "b",	 "/* c" };
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GByteArray *inside;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(text); i++)
		g_ptr_array_add(all, (gpointer)text[i]);
	inside = syntax_comments(all);
	assert_int_equal(inside->len, G_N_ELEMENTS(text));
	assert_memory_equal(inside->data, "\0\1\0\0\0\0", 6);
	g_byte_array_unref(inside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(comments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
