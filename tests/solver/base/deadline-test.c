/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question is over when its time is up, when a signal came, or when it was busy for too long. */
#include "solver/base/deadline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <time.h>

static void never_and_at_once(void **state)
{
	struct deadline now = deadline_in(0, NULL), later = deadline_in(1e6, NULL);
	GError *error = NULL;

	(void)state;
	assert_false(deadline_is_over(NULL));
	assert_true(deadline_is_over(&now));
	assert_false(deadline_is_over(&later));
	assert_int_equal(deadline_left_ms(&later, 20), 20);
	assert_int_equal(deadline_left_ms(&now, 20), 0);
	assert_false(deadline_check(&now, &error));
	assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_TIME));
	g_clear_error(&error);
}

static void a_signal_ends_it(void **state)
{
	volatile sig_atomic_t signal = 0;
	struct deadline d = deadline_in(1e6, &signal);
	GError *error = NULL;

	(void)state;
	assert_false(deadline_is_over(&d));
	signal = SIGINT;
	assert_false(deadline_check(&d, &error));
	assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL));
	g_clear_error(&error);
}

static clock_t used(void)
{
	return clock() * 1000 / CLOCKS_PER_SEC; /* milliseconds of processor time */
}

/* What others do meanwhile does not count. */
static void processor_time_ends_it(void **state)
{
	struct deadline d = deadline_in(1e6, NULL);
	clock_t before = used();

	(void)state;
	deadline_limit_busy(&d, 0.1);
	g_usleep(200000);
	assert_false(deadline_is_over(&d));
	while (!deadline_is_over(&d))
		;
	assert_true(used() - before >= 99);
	deadline_limit_busy(&d, 1e6);
	assert_false(deadline_is_over(&d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_and_at_once),
		cmocka_unit_test(a_signal_ends_it),
		cmocka_unit_test(processor_time_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
