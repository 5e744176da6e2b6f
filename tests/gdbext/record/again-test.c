/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record that is written and opened again: what it says of the failure, the runs that can be made
 * with it, and what it needs from this machine. timeout: 180 */
#include "gdbext/record/facts.h"
#include "gdbext/record/record.h"
#include "gdbext/replay/replay.h"

#include "solver/trace/run.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int n = argc + atoi(argv[1]);\n"
			     "	printf(\"n is %d, %s\\n\", n, getenv(\"KEPT\") ? getenv(\"KEPT\") "
			     ": \"-\"), fflush(stdout);\n"
			     "	assert(n < 5);\n"
			     "	return 0;\n"
			     "}\n";

/* The failing test, recorded once. */
struct made {
	char *folder, *program, *record;
	uint64_t size;
};
static struct made made;

static int make(void **state)
{
	struct replay_options options;
	struct replay_failing failing = { 0 };
	const char *const keep[] = { "KEPT", NULL };
	const struct record_options r = { .program = true, .keep_env = keep };
	char nine[] = "9", *argv[] = { NULL, nine, NULL };
	GError *error = NULL;
	struct replay *replay;
	struct image *const *images;
	size_t n;

	(void)state;
	made.folder = test_folder_new();
	made.program = test_compile(made.folder, "p", source, "cc -g -O0");
	made.record = g_build_filename(made.folder, "p.why", NULL);
	g_setenv("KEPT", "as it was", TRUE);
	argv[0] = made.program;
	options = support_options(argv);
	replay = replay_new(&options, &error);
	if (!replay || !replay_record_failing(replay, &failing, &error))
		fail_msg("%s", error->message);
	images = replay_images(replay, &n);
	/* opening it makes its streams whole */
	trace_run_free(trace_run_open(failing.record, images, n, NULL));
	if (!record_write(made.record, replay, &failing, &r, &made.size, &error))
		fail_msg("%s", error->message);
	replay_failing_clear(&failing);
	replay_free(replay);
	g_unsetenv("KEPT");
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	g_free(made.record);
	g_free(made.program);
	test_folder_free(made.folder);
	return 0;
}

static struct record *opened(const struct record_place *place)
{
	GError *error = NULL;
	struct record *r = record_open(made.record, 0, &error);

	if (!r || !record_find_program(r, place, &error))
		fail_msg("%s", error->message);
	return r;
}

static struct record_place here(void)
{
	return (struct record_place){ .run_timeout = 30, .agent = g_getenv("WHY_AGENT") };
}

static void it_says_how_the_test_failed(void **state)
{
	const struct record_place place = here();
	struct record *r = opened(&place);
	struct replay_failing f;
	size_t n;

	(void)state;
	record_failing(r, &f);
	assert_int_equal(f.end, RUN_ASSERT);
	assert_string_equal(f.expression, "n < 5");
	assert_int_equal(f.line, 8);
	assert_string_equal(record_facts(r)->args->pdata[1], "9");
	assert_string_equal(record_program(r), made.program);
	assert_non_null(record_images(r, &n));
	assert_int_equal(n, 1);
	assert_true(made.size > 1000);
	replay_failing_clear(&f);
	record_free(r);
}

/* As it was: the same arguments, variables and addresses. */
static void it_can_be_run_again(void **state)
{
	const struct record_place place = here();
	struct record *r = opened(&place);
	const char *why = NULL;
	struct replay *replay = record_replay(r, &why);
	struct run_request request = { .record = true };
	struct run_result result = { 0 };
	struct replay_failing f;
	struct trace_run *was, *is;
	GError *error = NULL;
	g_autofree char *out = NULL;
	size_t n;
	struct image *const *images = record_images(r, &n);

	(void)state;
	if (!replay)
		fail_msg("%s", why);
	if (!replay_runner(replay)->run(replay_runner(replay), &request, &result, &error))
		fail_msg("%s", error->message);
	assert_int_equal(result.end, RUN_ASSERT);
	record_failing(r, &f);
	was = trace_run_open(f.record, images, n, NULL);
	is = trace_run_open(result.record, images, n, NULL);
	assert_non_null(was);
	assert_non_null(is);
	assert_true(trace_run_head(is, 0)->regs[TRACE_RSP] ==
		    trace_run_head(was, 0)->regs[TRACE_RSP]);
	out = support_read(result.record, "out");
	assert_string_equal(out, "n is 11, as it was\n");
	trace_run_free(was);
	trace_run_free(is);
	replay_failing_clear(&f);
	run_result_clear(&result);
	record_free(r);
}

/* The program went away, or is another one: what is embedded still explains. */
static void without_the_program_it_is_read_only(void **state)
{
	const struct record_place place = here();
	g_autofree char *elsewhere = g_strconcat(made.program, ".away", NULL);
	const char *why = NULL;
	struct record *r;

	(void)state;
	assert_int_equal(g_rename(made.program, elsewhere), 0);
	r = opened(&place);
	assert_null(record_replay(r, &why));
	assert_non_null(strstr(why, "is not on this machine"));
	record_free(r);
	assert_int_equal(g_rename(elsewhere, made.program), 0);
}

static void another_program_is_refused(void **state)
{
	g_autofree char *other = test_compile(made.folder, "other", source, "cc -g -O1");
	struct record_place place = here();
	GError *error = NULL;
	struct record *r = record_open(made.record, 0, &error);

	(void)state;
	assert_non_null(r);
	place.program = other;
	assert_false(record_find_program(r, &place, &error));
	assert_non_null(strstr(error->message, "other"));
	g_clear_error(&error);
	record_free(r);
}

/* Named at another place it is the same program. */
static void the_same_program_elsewhere_is_taken(void **state)
{
	g_autofree char *copy = g_build_filename(made.folder, "copy", NULL);
	struct record_place place = here();
	const char *why = NULL;
	struct record *r;

	(void)state;
	g_free(test_output("cp '%s' '%s'", made.program, copy));
	place.program = copy;
	r = opened(&place);
	assert_non_null(record_replay(r, &why));
	record_free(r);
}

static void bad_files_are_refused(void **state)
{
	g_autofree char *text = NULL, *bad = g_build_filename(made.folder, "bad", NULL);
	gsize length;
	GError *error = NULL;

	(void)state;
	assert_true(g_file_get_contents(made.record, &text, &length, NULL));
	assert_null(record_open("/nonexistent/p.why", 0, &error));
	g_clear_error(&error);
	for (unsigned i = 0; i < 40; i++) { /* cut, and one bit turned */
		gsize at = length * i / 40;

		assert_true(g_file_set_contents(bad, text, (gssize)at, NULL));
		assert_null(record_open(bad, 0, &error));
		assert_non_null(strstr(error->message, bad));
		g_clear_error(&error);
		text[at] ^= 4;
		assert_true(g_file_set_contents(bad, text, (gssize)length, NULL));
		text[at] ^= 4;
		assert_null(record_open(bad, 0, &error));
		g_clear_error(&error);
	}
	assert_null(record_open(made.record, 10, &error)); /* more than was allowed */
	g_clear_error(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_how_the_test_failed),
		cmocka_unit_test(it_can_be_run_again),
		cmocka_unit_test(without_the_program_it_is_read_only),
		cmocka_unit_test(another_program_is_refused),
		cmocka_unit_test(the_same_program_elsewhere_is_taken),
		cmocka_unit_test(bad_files_are_refused),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, make, unmake);
}
