/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Actions as text: what is written is read back, and nothing else is taken for one. */
#include "solver/change/action-text.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void what_is_written_is_read(void **state)
{
	(void)state;
	for (uint32_t kind = TRACE_ACTION_FORCE; kind <= TRACE_ACTION_MEM; kind++) {
		struct trace_action a = { .kind = kind,
					  .module = 3,
					  .thread = 2,
					  .reg = TRACE_RSI,
					  .size = 8,
					  .addr = UINT64_C(0xfffffffffffffff0),
					  .nth = UINT64_MAX,
					  .where = 0x7ffe12345678 };
		struct trace_action b = { 0 };

		for (unsigned i = 0; i < sizeof(a.value); i++)
			a.value[i] = (uint8_t)(i * 7 + kind);
		g_autofree char *text = change_action_text(&a);

		assert_true(change_action_parse(text, &b));
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

static void other_text_is_refused(void **state)
{
	struct trace_action a = { .size = 4 }, b = { .nth = 77 };
	g_autofree char *good = change_action_text(&a);
	g_autofree char *more = g_strconcat(good, "0", NULL);
	g_autofree char *long_size = g_strdup(good);
	const char *bad[] = { NULL, "", "force", "force module", more, long_size };

	(void)state;
	memcpy(strstr(long_size, "size 4"), "size 9", 6);
	assert_true(change_action_parse(long_size, &b));
	b = (struct trace_action){ .nth = 77 };
	bad[5] = "force module 0 thread 0 at 0x1 execution 1 register 0 size 99 where 0x0 value "
		 "0000000000000000000000000000000000000000000000000000000000000000";
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_false(change_action_parse(bad[i], &b));
	for (size_t n = 0; n < strlen(good); n++) {
		g_autofree char *cut = g_strndup(good, n);

		assert_false(change_action_parse(cut, &b));
	}
	assert_int_equal(b.nth, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(other_text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
