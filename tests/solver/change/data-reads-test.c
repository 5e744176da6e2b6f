/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which initial values a run read: the last ones first, and none that was changed before. */
#include "gdbext/replay/replay.h"
#include "solver/change/data-mutant.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
	"#include <assert.h>\n"
	"int early[4] = { 11, 12, 13, 14 }, late[2] = { 21, 22 }, changed = 31, unread = 41;\n"
	"double real = 1.5; int zero;\n"
	"int main(void)\n"
	"{\n"
	"  int sum = 0;\n"
	"  for (int i = 0; i < 1000; i++) { sum += early[i % 3]; zero ^= 0; }\n"
	"  changed = 32;\n"
	"  sum += changed;\n"
	"  if (real > 0) sum += late[1];\n"
	"  assert(!sum);\n"
	"  return 0;\n"
	"}\n";

static uint64_t address_of(const struct image *im, const char *name)
{
	const struct image_variable *const *globals;
	size_t n = image_globals(im, &globals);

	for (size_t i = 0; i < n; i++)
		if (strcmp(globals[i]->name, name) == 0)
			return globals[i]->address;
	fail_msg("there is no %s", name);
	return 0;
}

static void check_reads(const struct image *im, const GArray *reads)
{
	const uint64_t early = address_of(im, "early"), late = address_of(im, "late") + 4,
		       expected[] = { late,
				      address_of(im, "real"),
				      address_of(im, "zero"),
				      early,
				      early + 8,
				      early + 4 };

	assert_int_equal(reads->len, G_N_ELEMENTS(expected));
	for (guint i = 0; i < reads->len; i++)
		assert_int_equal(g_array_index(reads, struct data_read, i).address, expected[i]);
	assert_int_equal(g_array_index(reads, struct data_read, 1).size, 8);
}

static GArray *reads_from_begin(struct trace_run *run, const struct image *im, unsigned most)
{
	struct lift *lift = lift_new();
	struct trace_cursor *from = trace_cursor_new(run, 0, lift);
	GArray *reads = data_reads(run, from, im, most, NULL);

	trace_cursor_free(from);
	lift_free(lift);
	return reads;
}

static void the_last_ones_come_first(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *program = test_compile(folder, "reads", source, "gcc -g -O0");
	struct replay_options o = support_options((char *[]){ program, NULL });
	struct replay_failing failing = { 0 };
	struct replay *replay;
	struct image *const *images;
	struct trace_run *run;
	size_t n;

	(void)state;
	support_need_replay();
	replay = replay_new(&o, NULL);
	assert_non_null(replay);
	assert_true(replay_record_failing(replay, &failing, NULL));
	images = replay_images(replay, &n);
	run = trace_run_open(failing.record, images, n, NULL);
	assert_non_null(run);
	{
		g_autoptr(GArray) reads = reads_from_begin(run, images[0], 100);
		g_autoptr(GArray) few = reads_from_begin(run, images[0], 2);

		check_reads(images[0], reads);
		assert_int_equal(few->len, 2);
	}
	trace_run_free(run);
	replay_failing_clear(&failing);
	replay_free(replay);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_last_ones_come_first) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
