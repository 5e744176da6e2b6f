/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct spec_event *event(const struct spec_events *e, guint i)
{
	assert_true(i < e->all->len);
	return &g_array_index(e->all, struct spec_event, i);
}

static void test_verdicts(void **state)
{
	struct spec_events e;

	(void)state;
	spec_events_read(
		"the program's own line\n@why call 1 1\n@why try 4\n@why holds 4\n"
		"@why try 5\n@why writes 5\n@why return 1 1\n@why call 0 1\nhalf a line@why try 0\n"
		"@why fails 0\n@why return 0 1\n@why call 1 2\n@why try 4\nan assertion\n",
		2, &e);
	assert_int_equal(e.all->len, 4);
	assert_int_equal(event(&e, 0)->verdict, SPEC_HOLDS);
	assert_int_equal(event(&e, 1)->verdict, SPEC_WRITES);
	assert_int_equal(event(&e, 1)->constraint, 5);
	assert_int_equal(event(&e, 2)->verdict, SPEC_FAILS);
	assert_int_equal(event(&e, 2)->call, 1);
	assert_int_equal(event(&e, 3)->verdict, SPEC_UNENDING);
	assert_int_equal(event(&e, 3)->call, 2);
	assert_ptr_equal(spec_events_first(&e), event(&e, 1));
	assert_true(e.is_inside);
	assert_int_equal(e.function, 1);
	assert_int_equal(g_array_index(e.calls, uint64_t, 0), 1);
	assert_int_equal(g_array_index(e.calls, uint64_t, 1), 2);
	spec_events_clear(&e);
}

/* What a program prints may look like our lines; it must not harm. */
static void test_nonsense(void **state)
{
	struct spec_events e;

	(void)state;
	spec_events_read("@why try 3\n@why holds 3\n@why call 99 1\n@why call\n@why\n@why fails 1\n"
			 "@why return 7\n@why call 0 18446744073709551615\n",
			 1, &e);
	assert_int_equal(e.all->len, 0);
	assert_null(spec_events_first(&e));
	assert_true(e.is_inside);
	spec_events_clear(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
