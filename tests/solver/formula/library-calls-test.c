/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wrong character is found through each function of the C library that has a model: the
 * statement that stored it is an explanation, and what the function returned was not taken as it
 * was.  Without models, none of these has an explanation there.  The source, library-calls.c,
 * says what becomes of the string "ab?de".  Small changes of the code are not asked for: they
 * would be most of the time.  Every second function, with THOROUGH=1 each.  timeout: 300
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char *const names[] = {
	"strcmp",  "strncmp", "memcmp",	 "strcasecmp", "strlen",  "strchr", "strrchr",
	"memchr",  "strspn",  "strcspn", "strpbrk",    "atoi",	  "strtol", "strtoul",
	"strtoll", "strstr",  "toupper", "isdigit",    "isspace", "memcpy", "memmove",
	"strcpy",  "strncpy", "strcat",	 "memset",
};

static char *source; /* read before the folder changes */

static void what_was_stored_is_found_through_each_function(void **state)
{
	const char *thorough = g_getenv("THOROUGH");
	const size_t step = thorough && *thorough ? 1 : 2;
	struct command_case all[G_N_ELEMENTS(names)] = { { 0 } };
	size_t n = 0;
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	char *folder = commands_begin();
	g_autofree char *program = test_compile(folder, "calls", source, "cc -g -O0 -fno-builtin");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i += step) {
		char *line = g_strdup_printf("gdb-why explain --all --limit slip_lines=0 "
					     "--limit mutant_runs=0 ./calls %s",
					     names[i]);

		g_ptr_array_add(lines, line);
		all[n].line = line;
		all[n].says[0] = "proven by replay";
		/* one character, not what any of the functions returned */
		all[n].says[1] = "gave to[i] = ";
		all[n].says[2] = "of 6 times";
		n++;
	}
	commands_expect(all, n);
	test_folder_free(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_stored_is_found_through_each_function),
	};
	int status;

	if (commands_is_child(argc, argv, &status))
		return status;
	if (!g_file_get_contents("tests/solver/formula/library-calls.c", &source, NULL, NULL))
		return 1;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(source);
	return status;
}
