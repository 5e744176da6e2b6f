/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A caged run starts on the processor of its guard; neither sees anything of it. timeout: 60 */
#include "tests/support/replay.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static char *where; /* the program */

static void check_run(char *way)
{
	char *argv[] = { where, way, NULL };
	struct replay_options options = support_options(argv);
	struct run_request native = { .native = true }, recorded = { .record = true };
	const struct run_request *const requests[] = { &native, &recorded };
	struct replay_failing failing;
	g_autofree char *alone = NULL;
	cpu_set_t before, after;
	GError *error = NULL;
	struct replay *r;

	assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
	assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &alone,
				 NULL, NULL, NULL));
	assert_non_null(strstr(alone, "Cpus_allowed:"));
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, &failing, &error))
		fail_msg("%s", error->message);
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++) {
		struct run_result result = { 0 };
		g_autofree char *out = NULL;

		if (!replay_runner(r)->run(replay_runner(r), requests[i], &result, &error))
			fail_msg("%s", error->message);
		assert_int_equal(result.end, RUN_ASSERT);
		out = support_read(result.record, "out");
		assert_string_equal(out, alone);
		run_result_clear(&result);
		assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
		assert_true(CPU_EQUAL(&before, &after));
		assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
	}
	replay_failing_clear(&failing);
	replay_free(r);
}

static void run_tells_as_alone(void **state)
{
	char write[] = "write";

	(void)state;
	check_run(NULL);
	check_run(write);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(run_tells_as_alone) };
	int failed;

	support_need_replay();
	where = support_compile("where.c", "where", "-g -O0 -pthread");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(where);
	return failed;
}
