/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions print, and what of their arguments. */
#include "solver/output/arguments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void the_source_has_other_names(void **state)
{
	static const struct {
		const char *called, *name; /* NULL: it has no values among its arguments */
		unsigned first;
	} all[] = {
		{ "printf", "printf", 1 },   { "__printf_chk", "printf", 1 },
		{ "fprintf", "fprintf", 2 }, { "__fprintf_chk", "fprintf", 2 },
		{ "dprintf", "dprintf", 2 }, { "puts", "puts", 0 },
		{ "fputs", "fputs", 0 },     { "putchar", "putchar", 0 },
		{ "_IO_putc", "putc", 0 },   { "fputc", "fputc", 0 },
		{ "vprintf", NULL, 0 },	     { "write", NULL, 0 },
		{ "strlen", NULL, 0 },	     { NULL, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		const char *name = NULL;
		unsigned first = 99;
		bool is = arguments_in_source(all[i].called, &name, &first);

		if (is != (all[i].name != NULL) || g_strcmp0(name, all[i].name) != 0 ||
		    (is && first != all[i].first))
			fail_msg("%s: %s, %u", all[i].called, name, first);
	}
}

static void formats_are_followed(void **state)
{
	(void)state;
	assert_true(arguments_follow_format("printf"));
	assert_true(arguments_follow_format("snprintf"));
	assert_false(arguments_follow_format("puts"));
	assert_false(arguments_follow_format("vprintf"));
	assert_false(arguments_follow_format(NULL));
	assert_true(library_formats_memory("sprintf"));
	assert_false(library_formats_memory("printf"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_source_has_other_names),
		cmocka_unit_test(formats_are_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
