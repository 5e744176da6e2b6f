/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void each_folder_has_its_level(void **state)
{
	struct log_rules *r = log_rules_new("mi:debug,formula:info", NULL, NULL);

	(void)state;
	assert_true(log_rules_say(r, "mi", G_LOG_LEVEL_DEBUG));
	assert_true(log_rules_say(r, "mi", G_LOG_LEVEL_CRITICAL));
	assert_true(log_rules_say(r, "formula", G_LOG_LEVEL_INFO));
	assert_false(log_rules_say(r, "formula", G_LOG_LEVEL_DEBUG));
	assert_true(log_rules_say(r, "search", G_LOG_LEVEL_WARNING));
	assert_false(log_rules_say(r, "search", G_LOG_LEVEL_MESSAGE));
	assert_false(log_rules_say(r, NULL, G_LOG_LEVEL_DEBUG));
	log_rules_free(r);
}

static void the_last_that_fits_counts(void **state)
{
	struct log_rules *r = log_rules_new("debug,mi:error", NULL, NULL);

	(void)state;
	assert_true(log_rules_say(r, "search", G_LOG_LEVEL_DEBUG));
	assert_true(log_rules_say(r, NULL, G_LOG_LEVEL_DEBUG));
	assert_false(log_rules_say(r, "mi", G_LOG_LEVEL_WARNING));
	assert_true(log_rules_say(r, "mi", G_LOG_LEVEL_ERROR));
	log_rules_free(r);
}

static void as_in_all_programs_with_glib(void **state)
{
	struct log_rules *some = log_rules_new(NULL, "mi replay", NULL);
	struct log_rules *all = log_rules_new("", "all", NULL);

	(void)state;
	assert_true(log_rules_say(some, "replay", G_LOG_LEVEL_DEBUG));
	assert_false(log_rules_say(some, "search", G_LOG_LEVEL_INFO));
	assert_true(log_rules_say(all, "search", G_LOG_LEVEL_DEBUG));
	log_rules_free(some);
	log_rules_free(all);
}

static void what_makes_no_sense_is_said(void **state)
{
	const char *const wrong[] = { "mi:loud", "loud", ":debug", "mi:", "mi:debug,formula" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(log_rules_new(wrong[i], NULL, &error));
		assert_non_null(error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_folder_has_its_level),
		cmocka_unit_test(the_last_that_fits_counts),
		cmocka_unit_test(as_in_all_programs_with_glib),
		cmocka_unit_test(what_makes_no_sense_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
