/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GDB's prompt does with a line before anyone executes it. */
#include "gdbext/session/typed/rules.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void repeats(void **state)
{
	static const struct {
		const char *line, *again;
	} all[] = {
		{ "next", "next" },
		{ "  step 3", "  step 3" },
		{ "list 1,5", "list" },
		{ "l", "l" },
		{ "x/2i $pc", "x" },
		{ "run", NULL },
		{ "r 1 2", NULL },
		{ "kill", NULL },
		{ "define twice", NULL },
		{ "source file", NULL },
		{ "", NULL },
		{ "print 1", "print 1" },
		{ "startle", "startle" },
		{ "if x", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *again = rules_repeat(all[i].line);

		if (g_strcmp0(again, all[i].again) != 0)
			fail_msg("%s: %s", all[i].line, again);
	}
}

static void asks(void **state)
{
	static const struct {
		const char *line;
		enum rules_question question;
	} all[] = {
		{ "quit", RULES_QUIT },
		{ "q 3", RULES_QUIT },
		{ "exit", RULES_QUIT },
		{ "delete", RULES_DELETE },
		{ "d", RULES_DELETE },
		{ "delete 3", RULES_NOTHING },
		{ "delete breakpoints", RULES_DELETE },
		{ "kill", RULES_KILL },
		{ "kill 2", RULES_NOTHING },
		{ "att 12", RULES_ATTACH },
		{ "at 12", RULES_NOTHING },
		{ "run", RULES_RUN_AGAIN },
		{ "start", RULES_RUN_AGAIN },
		{ "starti", RULES_RUN_AGAIN },
		{ "print quit", RULES_NOTHING },
		{ "", RULES_NOTHING },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (rules_question(all[i].line) != all[i].question)
			fail_msg("%s: %d", all[i].line, rules_question(all[i].line));
	assert_string_equal(rules_refused("run"), "Program not restarted.\n");
	assert_string_equal(rules_refused("kill"), "Not confirmed.\n");
	assert_string_equal(rules_refused("attach 12"), "Program not killed.\n");
	assert_string_equal(rules_refused("delete"), "");
	assert_true(rules_is_quit("q"));
	assert_false(rules_is_quit("run"));
	assert_true(rules_in_background("continue & "));
	assert_false(rules_in_background("print a & b"));
}

static void introduces(void **state)
{
	static const struct {
		const char *line, *text;
	} all[] = {
		{ "define twice", "Type commands for definition of \"twice\".\n" },
		{ "document twice", "Type documentation for \"twice\".\n" },
		{ "commands 1 2", "Type commands for breakpoint(s) 1 2, one per line.\n" },
		{ "commands", "Type commands for breakpoint(s) 7, one per line.\n" },
		{ "if 1", NULL },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *text = rules_introduction(all[i].line, 7);
		g_autofree char *whole =
			all[i].text ? g_strconcat(all[i].text,
						  "End with a line saying just \"end\".\n", NULL)
				    : NULL;

		assert_int_equal(g_strcmp0(text, whole), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats),
		cmocka_unit_test(asks),
		cmocka_unit_test(introduces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
