/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changed runs that start behind a loop end as those do that start at the beginning. */
#include "gdbext/replay/server/late-servers.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The text is written behind the loop in pieces, of which the first was written before it. */
static const char source[] = "#include <stdio.h>\n"
			     "static volatile unsigned noise;\n"
			     "static int late(int x) { return x + 3; }\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "  char left[64];\n"
			     "  printf(\"begins\\n\"); fflush(stdout);\n"
			     "  for (int i = 0; i < 1000000; i++) noise += (unsigned)i;\n"
			     "  snprintf(left, sizeof left, \"%d %s\", late(argc), argv[1]);\n"
			     "  printf(\"%s %u\\n\", left, noise % 7);\n"
			     "  return late(4) != 8;\n"
			     "}\n";

enum { RUNS = 6, INSTRUCTIONS = 20000000 };

struct fixture {
	char *folder, *program;
	char *argv[3];
	struct replay *replay;
	struct replay_failing failing;
	struct trace_action change; /* of the sum in `late': another number for 3 */
	struct limits limits;
};

/* `add $3,%eax' of `late'. */
static struct trace_action change_of_sum(const struct image *im)
{
	struct trace_action a = { .kind = TRACE_ACTION_CODE };
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns), avail;

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const uint8_t *bytes = image_bytes(im, insns[i].addr, &avail);

		if (!row || image_statement(im, row->statement)->line != 3 ||
		    insns[i].length != 3 || bytes[0] != 0x83 || bytes[2] != 3)
			continue;
		a.addr = insns[i].addr;
		a.where = a.size = 3;
		memcpy(a.value, bytes, 3);
	}
	assert_true(a.addr);
	return a;
}

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	struct replay_options o;
	size_t n;

	support_need_replay();
	f->folder = test_folder_new();
	f->program = test_compile(f->folder, "late", source, "gcc -g -O0");
	f->argv[0] = f->program;
	f->argv[1] = "word";
	o = support_options(f->argv);
	f->replay = replay_new(&o, NULL);
	assert_non_null(f->replay);
	assert_true(replay_record_failing(f->replay, &f->failing, NULL));
	f->change = change_of_sum(replay_images(f->replay, &n)[0]);
	f->limits = *limits_default();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	replay_failing_clear(&f->failing);
	replay_free(f->replay);
	test_folder_free(f->folder);
	g_free(f->program);
	g_free(f);
	return 0;
}

static bool passes_from_the_start(const struct fixture *f, const struct expected_output *expected,
				  const struct trace_action *change)
{
	struct replay_server *s = replay_server_new(f->replay, NULL, 0, NULL);
	bool passes;

	assert_non_null(s);
	replay_server_expect(s, expected);
	assert_true(replay_server_run(s, change, 1, 1000000, &passes, NULL, NULL));
	replay_server_free(s);
	return passes;
}

/* Runs with numbers from 1 on; so many of them start late. */
static unsigned run_all(const struct fixture *f, const struct expected_output *expected,
			uint64_t step)
{
	struct late_servers *s =
		late_servers_new(f->replay, f->argv, NULL, expected, INSTRUCTIONS, &f->limits);
	const struct late_place place = { 0, f->change.addr, step };
	unsigned late = 0;

	for (uint8_t i = 1; i <= RUNS; i++) {
		struct trace_action change = f->change;
		enum late_outcome outcome;

		change.value[2] = i;
		outcome = late_servers_run(s, &place, &change, 1, 1000000);
		if (outcome == LATE_NONE)
			continue;
		late++;
		assert_int_equal(outcome, passes_from_the_start(f, expected, &change) ? LATE_PASSES
										      : LATE_FAILS);
	}
	late_servers_free(s);
	return late;
}

static void by_status(void **state)
{
	const struct fixture *f = *state;
	struct trace_action right = f->change;

	right.value[2] = 4;
	assert_true(passes_from_the_start(f, NULL, &right));
	assert_int_equal(run_all(f, NULL, INSTRUCTIONS - 100), RUNS - 1);
}

/* What the first run wrote is not there for the next ones. */
static void by_output(void **state)
{
	const struct fixture *f = *state;
	struct expected_output expected = { .text = { g_string_new("begins\n6 word 5\n") } };
	struct trace_action right = f->change;

	right.value[2] = 4;
	if (!passes_from_the_start(f, &expected, &right))
		fail_msg("the program writes something else");
	assert_int_equal(run_all(f, &expected, INSTRUCTIONS - 100), RUNS - 1);
	expected_clear(&expected);
}

/* A short way is gone again rather than that a process waits behind it. */
static void not_for_little(void **state)
{
	const struct fixture *f = *state;

	assert_int_equal(run_all(f, NULL, 1000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(by_status),
					    cmocka_unit_test(by_output),
					    cmocka_unit_test(not_for_little) };

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
