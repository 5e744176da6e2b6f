/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that are forked from a process in the middle of the program, and those that begin
 * with it, are the same: how they end, what they print and what is recorded.  timeout: 180
 */
#include "solver/trace/run.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>

static char *stretch; /* the program */

/* Two replays of a test: one makes no checkpoints. */
struct two {
	struct limits without, with;
	struct replay *plain, *forking;
	struct replay_failing failing;
	uint64_t insns; /* of the failing run */
};

static struct replay *replay_of(const char *what, const char *input, const struct limits *limits,
				struct replay_failing *failing)
{
	g_autofree char *word = g_strdup(what);
	char *argv[] = { stretch, word, NULL };
	struct replay_options options = support_options(argv);
	GError *error = NULL;
	struct replay *r;

	options.limits = limits;
	options.stdin_file = input;
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, failing, &error))
		fail_msg("%s", error->message);
	return r;
}

static struct run_result run(struct replay *r, const struct run_request *request)
{
	struct run_result result = { 0 };
	GError *error = NULL;

	if (!replay_runner(r)->run(replay_runner(r), request, &result, &error))
		fail_msg("%s", error->message);
	return result;
}

static void start(struct two *t, const char *what, const char *input)
{
	struct replay_failing other;
	struct run_result all;

	*t = (struct two){ 0 };
	t->without = *limits_default();
	t->with = *limits_default();
	t->without.checkpoints = 0;
	t->plain = replay_of(what, input, &t->without, &t->failing);
	t->forking = replay_of(what, input, &t->with, &other);
	replay_failing_clear(&other);
	all = run(t->plain, &(struct run_request){ .thread = t->failing.thread });
	t->insns = all.insns;
	assert_true(t->insns > 10000);
	run_result_clear(&all);
}

static void end(struct two *t)
{
	replay_failing_clear(&t->failing);
	replay_free(t->plain);
	replay_free(t->forking);
}

/* A branch of work() goes the other way in its 1,000th execution from there on. */
static struct trace_action turn(const struct two *t)
{
	size_t n, n_functions;
	struct image *const *images = replay_images(t->plain, &n);
	const struct image_function *functions;
	const struct trace_insn *insns;

	n_functions = image_functions(images[0], &functions);
	n = image_insns(images[0], &insns);
	for (size_t i = 0; i < n_functions; i++)
		for (size_t k = 0; !strcmp(functions[i].name, "work") && k < n; k++)
			if (insns[k].addr >= functions[i].lo && insns[k].addr < functions[i].hi &&
			    insns[k].flow == TRACE_FLOW_COND)
				return (struct trace_action){ .kind = TRACE_ACTION_FORCE,
							      .thread = t->failing.thread,
							      .addr = insns[k].addr,
							      .nth = 1000 };
	fail_msg("no branch in work()");
	return (struct trace_action){ 0 };
}

static void same_file(const struct run_result *x, const struct run_result *y, const char *name)
{
	g_autofree char *a = support_read(x->record, name);
	g_autofree char *b = support_read(y->record, name);

	assert_string_equal(a, b);
}

/* The steps from the beginning of the record to its end. */
static GArray *steps_of(const struct two *t, const char *record)
{
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	size_t n;
	struct image *const *images = replay_images(t->plain, &n);
	GError *error = NULL;
	struct trace_run *run = trace_run_open(record, images, n, &error);
	struct lift *lift = lift_new();
	struct trace_cursor *cursor;
	struct trace_step step;
	int more;

	assert_non_null(run);
	assert_true(trace_run_choose(run, t->failing.thread, &error));
	cursor = trace_cursor_new(run, t->failing.thread, lift);
	while ((more = trace_cursor_step(cursor, &step, &error)) > 0) {
		uint64_t pc = step.insn->addr, rax = trace_cursor_reg(cursor, TRACE_RAX);

		g_array_append_val(steps, step.number);
		g_array_append_val(steps, pc);
		g_array_append_val(steps, rax);
	}
	assert_int_equal(more, 0);
	trace_cursor_free(cursor);
	lift_free(lift);
	trace_run_free(run);
	return steps;
}

static void same_record(const struct two *t, const struct run_result *x, const struct run_result *y)
{
	g_autoptr(GArray) a = steps_of(t, x->record), b = steps_of(t, y->record);

	assert_int_equal(a->len, b->len);
	assert_true(a->len > 0);
	assert_memory_equal(a->data, b->data, a->len * sizeof(uint64_t));
}

/* forked: whether the second one and later ones have to come from a checkpoint. */
static void same_runs(struct two *t, uint64_t from, bool forked)
{
	struct trace_action actions[] = { turn(t) };

	for (unsigned i = 0; i < 6; i++) {
		struct run_request request = { .actions = actions,
					       .n_actions = i & 1,
					       .record = i & 2,
					       .max_insns = i == 5 ? t->insns - 500 : 0,
					       .from = from,
					       .thread = t->failing.thread };
		struct run_result x = run(t->plain, &request), y = run(t->forking, &request);

		assert_int_equal(x.end, y.end);
		assert_int_equal(x.status, y.status);
		assert_int_equal(x.signo, y.signo);
		assert_int_equal(x.actions_done, y.actions_done);
		assert_int_equal(x.insns, y.insns);
		assert_false(x.forked);
		assert_int_equal(y.forked,
				 forked && i > 0 &&
					 (!request.max_insns || request.max_insns > from));
		same_file(&x, &y, "out");
		same_file(&x, &y, "err");
		if (request.record)
			same_record(t, &x, &y);
		run_result_clear(&x);
		run_result_clear(&y);
	}
}

static void the_same_from_anywhere(void **state)
{
	static const char *const what[] = { "flush", "file", "error", "leave" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(what); i++) {
		struct two t;

		start(&t, what[i], NULL);
		same_runs(&t, 1, true);
		same_runs(&t, t.insns / 2, true);
		same_runs(&t, t.insns - 200, true);
		end(&t);
	}
}

/* Where more runs follow, the first one is worth a process. */
static void the_first_may_be_forked(void **state)
{
	struct two t;
	struct run_request request = { .from = 1, .repeats = true };
	struct run_result plain, forked;

	(void)state;
	start(&t, "flush", NULL);
	request.thread = t.failing.thread;
	forked = run(t.forking, &request);
	request.from = 0;
	plain = run(t.plain, &request);
	assert_true(forked.forked);
	assert_int_equal(forked.end, plain.end);
	same_file(&plain, &forked, "out");
	run_result_clear(&plain);
	run_result_clear(&forked);
	end(&t);
}

/* A run that leaves its record where the next one does is like any other, and what it left is gone
 * before the next one. */
static void runs_in_place_leave_nothing(void **state)
{
	struct two t;
	struct run_request request = { .from = 1, .repeats = true, .record = true };
	g_autofree char *folder = NULL, *record = NULL;
	struct run_result taken, here;

	(void)state;
	start(&t, "flush", NULL);
	request.thread = t.failing.thread;
	taken = run(t.forking, &request);
	request.in_place = true;
	for (int i = 0; i < 2; i++) {
		here = run(t.forking, &request);
		assert_true(here.forked && here.in_place && !taken.in_place);
		assert_int_equal(here.end, taken.end);
		assert_int_equal(here.insns, taken.insns);
		same_file(&taken, &here, "out");
		folder = folder ? folder : g_strdup(here.record);
		assert_string_equal(here.record, folder);
		g_free(record);
		record = g_build_filename(folder, "trace.0", NULL);
		assert_true(g_file_test(record, G_FILE_TEST_EXISTS));
		run_result_clear(&here);
		assert_false(g_file_test(record, G_FILE_TEST_EXISTS));
		assert_true(g_file_test(folder, G_FILE_TEST_IS_DIR));
	}
	request.in_place = false;
	here = run(t.forking, &request);
	assert_true(here.forked && strcmp(here.record, folder) != 0);
	same_file(&taken, &here, "out");
	run_result_clear(&here);
	run_result_clear(&taken);
	end(&t);
}

static void each_reads_on_in_the_input(void **state)
{
	char *folder = support_folder();
	g_autofree char *input = g_build_filename(folder, "input", NULL);
	struct two t;

	(void)state;
	assert_true(g_file_set_contents(input, "abcdefghij", -1, NULL));
	start(&t, "input", input);
	same_runs(&t, t.insns / 2, true);
	end(&t);
	g_remove(input);
	support_forget_folder(folder);
}

/* Where a fork would not be the same process: with threads, timers, signals that wait, memory in
 * common or that a child does not get, and files that runs would share. */
static void not_forked_where_it_would_differ(void **state)
{
	static const char *const what[] = { "thread", "timer", "clock", "signal",
					    "shared", "left",  "wiped", "copy" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(what); i++) {
		struct two t;

		start(&t, what[i], NULL);
		same_runs(&t, t.insns / 2, false);
		end(&t);
	}
}

/* One process is lost with a run that does not end; the next run has another. */
static void a_lost_process_is_replaced(void **state)
{
	struct two t;
	struct run_request request = { 0 };
	struct run_result result;

	(void)state;
	start(&t, "flush", NULL);
	request.from = t.insns + 1000000; /* never reached */
	for (int i = 0; i < 3; i++) {
		result = run(t.forking, &request);
		assert_int_equal(result.end, RUN_ASSERT);
		assert_false(result.forked);
		run_result_clear(&result);
	}
	same_runs(&t, t.insns / 2, true);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_from_anywhere),
		cmocka_unit_test(the_first_may_be_forked),
		cmocka_unit_test(runs_in_place_leave_nothing),
		cmocka_unit_test(each_reads_on_in_the_input),
		cmocka_unit_test(not_forked_where_it_would_differ),
		cmocka_unit_test(a_lost_process_is_replaced),
	};
	int failed;

	support_need_replay();
	stretch = support_compile("stretch.c", "stretch", "-g -O0 -pthread");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(stretch);
	return failed;
}
