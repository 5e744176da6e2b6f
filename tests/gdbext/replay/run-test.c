/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How runs end, and that the program sees what the user's would. timeout: 180 */
#include "tests/support/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

static char *acts; /* the program */

/* A question with its first run behind it. */
struct asked {
	struct replay *replay;
	struct replay_failing failing;
};

static struct asked ask(const struct replay_options *options)
{
	struct asked a = { 0 };
	GError *error = NULL;

	a.replay = replay_new(options, &error);
	if (!a.replay || !replay_record_failing(a.replay, &a.failing, &error))
		fail_msg("%s", error->message);
	return a;
}

static struct asked ask_words(const char *const *words)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct replay_options options;

	g_ptr_array_add(argv, acts);
	do
		g_ptr_array_add(argv, (char *)*words);
	while (*words++);
	options = support_options((char **)argv->pdata);
	return ask(&options);
}

#define ASK(...) ask_words((const char *const[]){ __VA_ARGS__, NULL })

static void forget(struct asked *a)
{
	replay_failing_clear(&a->failing);
	replay_free(a->replay);
}

static struct run_result direct(struct asked *a, bool record)
{
	struct run_request request = { .record = record };
	struct run_result result = { 0 };
	struct runner *runner = replay_runner(a->replay);
	GError *error = NULL;

	if (!runner->run(runner, &request, &result, &error))
		fail_msg("%s", error->message);
	return result;
}

/* Both kinds of runs must end like this. */
static void check_end(struct asked a, enum run_end end, int status, int signo)
{
	struct run_result result = direct(&a, false);

	assert_int_equal(a.failing.end, end);
	assert_int_equal(a.failing.status, status);
	assert_int_equal(a.failing.signo, signo);
	assert_int_equal(result.end, end);
	assert_int_equal(result.status, status);
	assert_int_equal(result.signo, signo);
	run_result_clear(&result);
	forget(&a);
}

static void ends(void **state)
{
	(void)state;
	check_end(ASK("pass"), RUN_PASSED, 0, 0);
	check_end(ASK("status", "3"), RUN_STATUS, 3, 0);
	check_end(ASK("status", "255"), RUN_STATUS, 255, 0);
	check_end(ASK("fail"), RUN_ASSERT, 0, 0);
	check_end(ASK("segv"), RUN_SIGNAL, 0, SIGSEGV);
	check_end(ASK("abort"), RUN_SIGNAL, 0, SIGABRT);
	check_end(ASK("trap"), RUN_SIGNAL, 0, SIGTRAP);
	check_end(ASK("signals"), RUN_PASSED, 0, 0);
	check_end(ASK("thread"), RUN_ASSERT, 0, 0);
	check_end(ASK("handled"), RUN_ASSERT, 0, 0);
	check_end(ASK("lie"), RUN_PASSED, 0, 0);
}

static void names_the_assertion(void **state)
{
	struct asked a = ASK("fail");

	(void)state;
	assert_int_equal(a.failing.end, RUN_ASSERT);
	assert_string_equal(a.failing.expression, "b <= a");
	assert_true(g_str_has_suffix(a.failing.file, "tests/gdbext/replay/programs/acts.c"));
	/* clang gives the whole declarator */
	assert_non_null(strstr(a.failing.function, "act_fail"));
	assert_in_range(a.failing.line, 20, 60);
	assert_true(a.failing.gdb_ms > 0 && a.failing.run_ms > 0);
	forget(&a);
}

static void stops_an_endless_run(void **state)
{
	char word[] = "loop";
	char *argv[] = { acts, word, NULL };
	struct replay_options options = support_options(argv);
	gint64 start = g_get_monotonic_time();
	struct run_result result;
	struct asked a;

	(void)state;
	options.run_timeout = 1;
	a = ask(&options);
	assert_int_equal(a.failing.end, RUN_TIMEOUT);
	result = direct(&a, false);
	assert_int_equal(result.end, RUN_TIMEOUT);
	assert_true(g_get_monotonic_time() - start >=
		    2000000); /* twice; a busy machine takes longer */
	run_result_clear(&result);
	forget(&a);
}

/* What the program printed in both kinds of runs is the same, and this. */
static void check_prints(struct asked a, const char *expected)
{
	struct run_result result = direct(&a, false);
	g_autofree char *first = support_read(a.failing.record, "out");
	g_autofree char *second = support_read(result.record, "out");

	assert_string_equal(first, second);
	if (expected)
		assert_string_equal(first, expected);
	run_result_clear(&result);
	forget(&a);
}

static void arguments_arrive_whole(void **state)
{
	(void)state;
	check_prints(ASK("args", "a b", "", "'\"\\$x`y`", "n\nl", "\t", "\303\251\377", "*", "-g"),
		     "<a b><><'\"\\$x`y`><n\nl><\t><\303\251\377><*><-g>");
}

static void environment_is_the_users(void **state)
{
	g_autofree char *text = NULL;
	struct asked a;

	(void)state;
	g_setenv("WITH_BLANKS", "  a b \n c", TRUE);
	g_unsetenv("LINES");
	g_unsetenv("COLUMNS");
	a = ASK("env");
	text = support_read(a.failing.record, "out");
	assert_non_null(strstr(text, "\nWITH_BLANKS=  a b \n c\n"));
	assert_null(strstr(text, "\nLINES="));
	assert_null(strstr(text, "\nCOLUMNS="));
	assert_null(strstr(text, "LD_PRELOAD="));
	assert_null(strstr(text, "GDB_WHY_PLAN="));
	check_prints(a, NULL);
	g_setenv("LINES", "17", TRUE);
	g_setenv("LD_PRELOAD", "libm.so.6", TRUE);
	a = ASK("env");
	g_free(text);
	text = support_read(a.failing.record, "out");
	assert_non_null(strstr(text, "LINES=17\n"));
	assert_non_null(strstr(text, "LD_PRELOAD=libm.so.6\n"));
	check_prints(a, NULL);
	g_unsetenv("LD_PRELOAD");
	g_unsetenv("LINES");
}

static void descriptors_are_the_users(void **state)
{
	int fd = open("/dev/null", O_RDONLY), ours = open("/dev/null", O_RDONLY | O_CLOEXEC);
	g_autofree char *text = NULL, *word = g_strdup_printf("%d ", fd),
			*other = g_strdup_printf("%d ", ours);
	struct asked a = ASK("descriptors");

	(void)state;
	text = support_read(a.failing.record, "out");
	assert_non_null(strstr(text, word));
	assert_null(strstr(text, other));
	check_prints(a, NULL);
	close(fd);
	close(ours);
}

static void stdin_is_read_anew(void **state)
{
	char word[] = "cat";
	char *argv[] = { acts, word, NULL };
	struct replay_options options = support_options(argv);
	int ends_of_pipe[2];
	g_autofree char *path = NULL;

	(void)state;
	check_prints(ask(&options), "");
	options.stdin_file = "tests/gdbext/replay/programs/acts.c";
	check_prints(ask(&options), NULL);
	options.stdin_file = "acts.c";
	options.directory = "tests/gdbext/replay/programs";
	check_prints(ask(&options), NULL);
	options.directory = NULL;
	assert_int_equal(pipe2(ends_of_pipe, O_CLOEXEC), 0);
	assert_int_equal(write(ends_of_pipe[1], "once\n", 5), 5);
	close(ends_of_pipe[1]);
	path = g_strdup_printf("/dev/fd/%d", ends_of_pipe[0]);
	options.stdin_file = path;
	check_prints(ask(&options), "once\n");
	close(ends_of_pipe[0]);
}

static void directory_is_entered(void **state)
{
	char word[] = "chdir", root[] = "/";
	char *argv[] = { acts, word, root, NULL };
	struct replay_options options = support_options(argv);

	(void)state;
	options.directory = "/usr";
	check_prints(ask(&options), "/usr\n/\n");
}

static void output_stays_out_of_mi(void **state)
{
	struct asked a = ASK("mi");
	g_autofree char *text = support_read(a.failing.record, "out");

	(void)state;
	assert_int_equal(a.failing.end, RUN_PASSED);
	assert_non_null(strstr(text, "^error,msg"));
	forget(&a);
	a = ASK("mi", "fail");
	assert_int_equal(a.failing.end, RUN_ASSERT);
	assert_non_null(strstr(a.failing.function, "act_mi"));
	forget(&a);
}

static void much_output_is_kept(void **state)
{
	struct asked a = ASK("print", "50000");
	struct run_result result = direct(&a, false);
	g_autofree char *first = support_read(a.failing.record, "out");
	g_autofree char *second = support_read(result.record, "out");

	(void)state;
	assert_int_equal(strlen(first), 50000000);
	assert_int_equal(strlen(second), 50000000);
	run_result_clear(&result);
	forget(&a);
}

/* rsp of the first traced instruction, from the record, which is so short that it
 * has not been appended to yet. */
static uint64_t first_rsp(const char *record)
{
	g_autofree char *path = g_build_filename(record, "tail.0", NULL);
	struct {
		struct trace_enter enter;
		uint64_t regs[5];
	} start;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &start, sizeof start, 0), sizeof start);
	close(fd);
	assert_int_equal(start.enter.tag, 'E');
	assert_int_equal(start.enter.why, TRACE_WHY_START);
	assert_int_equal(start.enter.mask & 0x1f, 0x1f);
	return start.regs[TRACE_RSP];
}

static void stack_lies_where_it_lay(void **state)
{
	struct asked a = ASK("fail", "with", "arguments");
	uint64_t rsp = first_rsp(a.failing.record);

	(void)state;
	assert_in_range(rsp, 0x7ffff0000000, 0x7fffffffffff);
	for (int i = 0; i < 3; i++) {
		struct run_result result = direct(&a, true);

		assert_int_equal(first_rsp(result.record), rsp);
		run_result_clear(&result);
	}
	forget(&a);
}

static uint64_t rsp_of_other(struct asked *a, const char *const *words)
{
	GPtrArray *argv = g_ptr_array_new();
	struct run_result result;
	GError *error = NULL;
	uint64_t rsp;

	g_ptr_array_add(argv, acts);
	do
		g_ptr_array_add(argv, (char *)*words);
	while (*words++);
	if (!replay_turn_to(a->replay, (char **)argv->pdata, NULL, &error))
		fail_msg("%s", error->message);
	result = direct(a, true);
	rsp = first_rsp(result.record);
	run_result_clear(&result);
	g_ptr_array_unref(argv);
	return rsp;
}

#define RSP_OF_OTHER(A, ...) rsp_of_other(A, (const char *const[]){ __VA_ARGS__, NULL })

/* What a change writes to the stack of one test it can write to that of another one. */
static void stack_of_other_tests_lies_there(void **state)
{
	struct asked a = ASK("fail", "with", "arguments");
	uint64_t rsp = first_rsp(a.failing.record);
	char text[3000];

	(void)state;
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	assert_int_equal(RSP_OF_OTHER(&a, "fail"), rsp);
	assert_int_equal(RSP_OF_OTHER(&a, "fail", "a"), rsp);
	assert_int_equal(RSP_OF_OTHER(&a, "fail", "seventeen letters"), rsp);
	assert_int_equal(RSP_OF_OTHER(&a, "fail", "1", "2", "3", "4", "", text + 2700), rsp);
	assert_true(replay_stack_is_kept(a.replay));
	assert_true(RSP_OF_OTHER(&a, "fail", text) < rsp);
	assert_false(replay_stack_is_kept(a.replay));
	assert_int_equal(RSP_OF_OTHER(&a, "fail", "with", "arguments"), rsp);
	assert_true(replay_stack_is_kept(a.replay));
	forget(&a);
}

static void direct_runs_cost_little(void **state)
{
	struct asked a = ASK("fail");
	double best = 1e9;

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct run_result result = direct(&a, true);

		best = MIN(best, result.ms);
		run_result_clear(&result);
	}
	print_message("a direct run takes %.2f ms, the one under GDB %.2f ms after %.1f ms\n", best,
		      a.failing.run_ms, a.failing.gdb_ms);
	assert_true(best < 50);
	forget(&a);
}

static gpointer run_five_times(gpointer asked)
{
	for (int i = 0; i < 5; i++) {
		struct run_result result = direct(asked, true);

		if (result.end != RUN_ASSERT)
			return asked;
		run_result_clear(&result);
	}
	return NULL;
}

static void two_at_a_time(void **state)
{
	struct asked a = ASK("fail");
	GThread *other = g_thread_new("other", run_five_times, &a);

	(void)state;
	assert_null(run_five_times(&a));
	assert_null(g_thread_join(other));
	forget(&a);
}

static void records_end_with_the_question(void **state)
{
	char *folder = support_folder();
	struct asked a = ASK("fail");
	struct run_result result = direct(&a, true);

	(void)state;
	assert_int_equal(support_count_entries(folder), 1);
	assert_int_equal(access(result.record, F_OK), 0);
	run_result_clear(&result);
	forget(&a);
	assert_int_equal(support_count_entries(folder), 0);
	support_forget_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(names_the_assertion),
		cmocka_unit_test(stops_an_endless_run),
		cmocka_unit_test(arguments_arrive_whole),
		cmocka_unit_test(environment_is_the_users),
		cmocka_unit_test(descriptors_are_the_users),
		cmocka_unit_test(stdin_is_read_anew),
		cmocka_unit_test(directory_is_entered),
		cmocka_unit_test(output_stays_out_of_mi),
		cmocka_unit_test(much_output_is_kept),
		cmocka_unit_test(stack_lies_where_it_lay),
		cmocka_unit_test(stack_of_other_tests_lies_there),
		cmocka_unit_test(direct_runs_cost_little),
		cmocka_unit_test(two_at_a_time),
		cmocka_unit_test(records_end_with_the_question),
	};
	int failed;

	support_need_replay();
	acts = support_compile("acts.c", "acts", "-g -O0");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(acts);
	return failed;
}
