/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that do not end: what they wait for, in which loop or recursion they stay, what is recorded
 * of that, and what is said where it is not found; with GDB and the cage. timeout: 300 */
#include "gdbext/question/endless.h"

#include "gdbext/question/analysis/analysis.h"
#include "tests/support/program.h"
#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct asked {
	char *folder, *program;
	struct options options;
	struct question q;
	GError *error;
	int status;
};

static void parse(struct options *o, const char *also, char *program)
{
	g_autofree char *line = g_strdup_printf("gdb-why explain --run-timeout 2 %s--", also);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GError *error = NULL;
	char **argv;
	int argc;

	for (char **w = words; *w; w++)
		g_ptr_array_add(all, *w);
	g_ptr_array_add(all, program);
	argc = (int)all->len;
	g_ptr_array_add(all, NULL);
	argv = (char **)all->pdata;
	if (!options_parse(&argc, &argv, o, &error))
		fail_msg("%s", error->message);
}

static void ask(struct asked *a, const char *source, const char *also)
{
	memset(a, 0, sizeof *a);
	a->folder = test_folder_new();
	a->program = test_compile(a->folder, "p.c", source, "gcc -g -O0 -pthread");
	parse(&a->options, also, a->program);
	a->status = question_start(&a->q, &a->options, question_require_pass, NULL, &a->error);
}

static void end(struct asked *a)
{
	question_clear(&a->q);
	options_clear(&a->options);
	g_clear_error(&a->error);
	g_free(a->program);
	test_folder_free(a->folder);
}

static void is_not_explained(const struct asked *a)
{
	assert_int_equal(a->status, OPTIONS_EXIT_UNEXPLAINED);
	assert_non_null(a->error);
	assert_non_null(strstr(a->error->message, "did not end within 2 seconds: "));
}

static void says(const struct asked *a, const char *format, unsigned line)
{
	g_autofree char *numbered = g_strdup_printf("p.c:%u", line);
	g_auto(GStrv) parts = g_strsplit(format, "LINE", -1);
	g_autofree char *text = g_strjoinv(numbered, parts);

	if (!strstr(a->error->message, text))
		fail_msg("no `%s' in: %s", text, a->error->message);
}

static bool has_note(const struct asked *a, const char *text)
{
	for (guint i = 0; i < a->q.e->notes->len; i++)
		if (strstr(a->q.e->notes->pdata[i], text))
			return true;
	return false;
}

/* ---- what is not waited for ---- */

/* Nothing can end it, so it does not matter how long it might run. */
static void a_loop_that_is_certain_is_not_waited_for(void **state)
{
	static const char *const looks[] = { "--run-timeout 100000 ",
					     "--run-timeout 2 --limit endless_look_ms=0 " };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(looks); i++) {
		struct asked a;

		ask(&a,
		    "int main(int n, char **v)\n{\n	int i = 0;\n"
		    "	while (i < 9)\n		if (i != 5)\n			i++;\n"
		    "	return i == n;\n}\n",
		    looks[i]);
		assert_int_equal(a.status, 0);
		assert_non_null(a.q.endless);
		assert_int_equal(a.q.run.failing.end, RUN_TIMEOUT);
		end(&a);
	}
}

/* What is read does not change for a while, and then it does. */
static void a_loop_that_something_ends_is_waited_for(void **state)
{
	static const char *const sources[] = {
		"#include <signal.h>\n#include <unistd.h>\nstatic volatile int done;\n"
		"static void end(int n) { done = n; }\n"
		"int main(void) { signal(SIGALRM, end); alarm(3); while (!done); return 0; }\n",
		"#include <time.h>\n"
		"int main(void) { time_t then = time(0); while (time(0) < then + 3); return 0; }\n",
		"#include <pthread.h>\n#include <unistd.h>\nstatic volatile int done;\n"
		"static void *end(void *p) { sleep(3); done = 1; return p; }\n"
		"int main(void) { pthread_t t; pthread_create(&t, 0, end, 0); while (!done);\n"
		"	return pthread_join(t, 0); }\n",
		"int main(void) { for (volatile unsigned i = 0; i < 400000000; i++); return 0; }\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
		struct asked a;

		ask(&a, sources[i], "--run-timeout 200 ");
		if (a.status != OPTIONS_EXIT_PASSED)
			fail_msg("%zu: status %d: %s", i, a.status,
				 a.error ? a.error->message : "no error");
		end(&a);
	}
}

/* ---- what it waits for ---- */

static const char deadlock[] =
	"#include <pthread.h>\n"
	"static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
	"static pthread_barrier_t both;\n"
	"static void *other(void *unused)\n"
	"{\n"
	"	pthread_mutex_lock(&b);\n"
	"	pthread_barrier_wait(&both);\n"
	"	pthread_mutex_lock(&a);\n"
	"	return unused;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	pthread_t thread;\n"
	"	pthread_barrier_init(&both, 0, 2);\n"
	"	pthread_create(&thread, 0, other, 0);\n"
	"	pthread_mutex_lock(&a);\n"
	"	pthread_barrier_wait(&both);\n"
	"	pthread_mutex_lock(&b);\n"
	"	return 0;\n"
	"}\n";

static void two_threads_wait_for_each_other(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, deadlock, "");
	is_not_explained(&a);
	says(&a, "thread 1 waits in pthread_mutex_lock at LINE for `b'", 18);
	says(&a, "for `b', which thread 2 took at LINE", 6);
	says(&a, "thread 2 waits in pthread_mutex_lock at LINE for `a'", 8);
	says(&a, "for `a', which thread 1 took at LINE: a deadlock.", 16);
	end(&a);
}

/* A thread that locks its own mutex twice is a circle of one; the lock lies on the heap. */
static const char twice[] = "#include <pthread.h>\n"
			    "#include <stdlib.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "	pthread_mutex_t *m = malloc(sizeof *m);\n"
			    "	pthread_mutex_init(m, 0);\n"
			    "	pthread_mutex_lock(m);\n"
			    "	pthread_mutex_lock(m);\n"
			    "	return 0;\n"
			    "}\n";

static void a_thread_waits_for_itself(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, twice, "");
	is_not_explained(&a);
	says(&a, "it waits in pthread_mutex_lock at LINE for the lock at 0x", 8);
	says(&a, ", which thread 1 took at LINE: a deadlock.", 7);
	end(&a);
}

static const char reads[] = "#include <unistd.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "	int ends[2];\n"
			    "	char c;\n"
			    "	if (pipe(ends))\n"
			    "		return 1;\n"
			    "	return (int)read(ends[0], &c, 1);\n"
			    "}\n";

static void a_pipe_stays_empty(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, reads, "");
	is_not_explained(&a);
	says(&a, ": it waits in read at LINE.", 8);
	assert_null(strstr(a.error->message, "deadlock"));
	end(&a);
}

/* ---- loops ---- */

/* lo, hi: 0, 8; 4, 8; 4, 6; 4, 5; 4, 5: the fifth round reads what the fourth one read, and one
 * more is shown that does so, too. */
static const char search[] = "int main(void)\n"
			     "{\n"
			     "	volatile int lo = 0, hi = 8;\n"
			     "	while (lo < hi) {\n"
			     "		int mid = (lo + hi) / 2;\n"
			     "		if (mid < 5)\n"
			     "			lo = mid;\n"
			     "		else\n"
			     "			hi = mid;\n"
			     "	}\n"
			     "	return 0;\n"
			     "}\n";

static void rounds_that_do_the_same(void **state)
{
	struct asked a;
	uint64_t size, insns;

	(void)state;
	ask(&a, search, "");
	assert_int_equal(a.status, 0);
	assert_non_null(a.q.endless);
	endless_note(&a.q);
	assert_true(has_note(&a, "round 6 of the loop did the same as the one before: nothing "
				 "that it reads changes any more"));
	/* it was cut there, and not after the two seconds of the first run */
	assert_int_equal(a.q.run.failing.end, RUN_TIMEOUT);
	assert_true(replay_is_whole(&a.q.run.failing, &size, &insns));
	assert_in_range(replay_insns(&a.q.run.failing, 0), 6 * 8, 6 * 40);
	assert_true(endless_part(&a.q) > 0);
	end(&a);
}

/* A run without a change is cut as the failing one was; the answer names lines of the loop, with
 * which it ends. */
static void it_is_explained_by_what_ends_it(void **state)
{
	const struct run_request unchanged = { .record = true, .max_insns = 1 << 30 };
	struct run_result result = { 0 };
	struct asked a;
	const struct explanation_suspect *s;
	bool found = false;

	(void)state;
	ask(&a, search, "");
	assert_int_equal(a.status, 0);
	assert_true(a.q.run.runner->run(a.q.run.runner, &unchanged, &result, NULL));
	assert_int_equal(result.end, RUN_TIMEOUT);
	run_result_clear(&result);
	analysis_begin(&a.q);
	assert_int_equal(analysis_explain(&a.q, &a.error), 0);
	for (guint i = 0; i < a.q.e->suspects->len; i++) {
		s = a.q.e->suspects->pdata[i];
		found |= s->replay == REPLAY_PASSES && s->statements->len == 1 &&
			 g_array_index(s->statements, struct explanation_statement, 0).line ==
				 recorded_line(search, "lo = mid");
	}
	assert_true(found);
	end(&a);
}

static const char step[] = "int main(void)\n"
			   "{\n"
			   "	volatile unsigned i = 0;\n"
			   "	while (i != 9)\n"
			   "		i += 2;\n"
			   "	return 0;\n"
			   "}\n";

static void rounds_that_differ(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, step, "");
	assert_int_equal(a.status, 0);
	endless_note(&a.q);
	assert_true(has_note(&a, "rounds, which differ; the first ones are explained"));
	assert_false(has_note(&a, "did the same"));
	end(&a);
}

/* It loops only after 30000 instructions; less than that may be recorded. */
static const char late[] = "int main(void)\n"
			   "{\n"
			   "	volatile int j = 0;\n"
			   "	for (volatile int i = 0; i < 6000; i++)\n"
			   "		;\n"
			   "	while (j >= 0)\n"
			   "		j = 1;\n"
			   "	return 0;\n"
			   "}\n";

static void a_loop_that_comes_too_late(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, late, "--limit endless_insns=1000 --limit endless_most=10000 ");
	is_not_explained(&a);
	says(&a, "it comes late to the loop in which it stays (limit `endless_most')", 0);
	end(&a);
}

/* ---- recursion ---- */

static const char recursion[] = "static int depth(int n)\n"
				"{\n"
				"	if (n == 1)\n"
				"		return 0;\n"
				"	return 1 + depth(n - 2);\n"
				"}\n"
				"int main(void)\n"
				"{\n"
				"	return depth(4) != 1;\n"
				"}\n";

static void a_recursion_is_cut(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, recursion, "");
	assert_int_equal(a.status, 0);
	assert_non_null(a.q.overflow);
	assert_non_null(a.q.endless);
	endless_note(&a.q);
	assert_true(has_note(&a, "calls of the recursion are explained"));
	end(&a);
}

static void what_ends_has_no_loop(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, "int main(void)\n{\n	return 3;\n}\n", "");
	assert_int_equal(a.status, 0);
	assert_null(a.q.endless);
	assert_int_equal(endless_part(&a.q), 0);
	endless_note(&a.q);
	assert_int_equal(a.q.e->notes->len, 0);
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_that_is_certain_is_not_waited_for),
		cmocka_unit_test(a_loop_that_something_ends_is_waited_for),
		cmocka_unit_test(two_threads_wait_for_each_other),
		cmocka_unit_test(a_thread_waits_for_itself),
		cmocka_unit_test(a_pipe_stays_empty),
		cmocka_unit_test(rounds_that_do_the_same),
		cmocka_unit_test(it_is_explained_by_what_ends_it),
		cmocka_unit_test(rounds_that_differ),
		cmocka_unit_test(a_loop_that_comes_too_late),
		cmocka_unit_test(a_recursion_is_cut),
		cmocka_unit_test(what_ends_has_no_loop),
	};

	support_need_replay();
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
