/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop in which a record ends, against what the source says; and what a thread waits for. */
#include "solver/trace/endless-loop.h"
#include "solver/trace/waiting.h"
#include "tests/support/program.h"
#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A program with several loops around another; argv[1] says which one does not end. */
static const char nested[] =
	"#include <stdlib.h>\n"
	"static volatile unsigned sink;\n"
	"static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n"
	"static void work(unsigned n)\n"
	"{\n"
	"	for (unsigned i = 0; i < n; i++) /* work */\n"
	"		sink += i;\n"
	"}\n"
	"static unsigned recurse(unsigned n) { work(2); return n ? recurse(n - 1) + 1 : 0; }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	int which = argc > 1 ? atoi(argv[1]) : 0, v[] = { 3, 1, 2 };\n"
	"	unsigned state = 5;\n"
	"	work(3000);\n"
	"	while (which == 1) /* outer */\n"
	"		work(20);\n"
	"	while (which == 2) /* sorts */\n"
	"		qsort(v, 3, sizeof *v, compare);\n"
	"	while (which == 3) /* recurses */\n"
	"		recurse(5);\n"
	"	for (unsigned k = 0; which == 4; k++) /* counts */\n"
	"		sink += k;\n"
	"	while (which == 5) { /* settles */\n"
	"		if (state)\n"
	"			state--;\n"
	"	}\n"
	"	work(100);\n"
	"	return 1;\n"
	"}\n";

struct fixture {
	char *folder, *program;
	struct deadline never;
	struct replay *replay;
	struct replay_failing part;
	struct trace_run *run;
};

static void start(struct fixture *f, const char *which, const char *flags)
{
	char *argv[] = { NULL, (char *)which, NULL };
	struct replay_options o;
	GError *error = NULL;

	f->folder = test_folder_new();
	f->program = test_compile(f->folder, "nested.c", nested, flags);
	argv[0] = f->program;
	o = support_options(argv);
	o.direct = true;
	f->replay = replay_new(&o, &error);
	if (!f->replay)
		fail_msg("%s", error->message);
}

static void forget_part(struct fixture *f)
{
	trace_run_free(f->run);
	f->run = NULL;
	replay_failing_clear(&f->part);
}

static void record(struct fixture *f, uint64_t from, uint64_t until)
{
	struct image *const *images;
	GError *error = NULL;
	size_t n;

	forget_part(f);
	if (!replay_record_part(f->replay, 0, from, until, &f->part, &error))
		fail_msg("%s", error->message);
	assert_int_equal(f->part.end, RUN_TIMEOUT);
	images = replay_images(f->replay, &n);
	f->run = trace_run_open(f->part.record, images, n, &error);
	if (!f->run || !trace_run_choose(f->run, 0, &error))
		fail_msg("%s", error->message);
}

static void end(struct fixture *f)
{
	forget_part(f);
	replay_free(f->replay);
	g_free(f->program);
	test_folder_free(f->folder);
}

static unsigned line_of(const struct fixture *f, uint64_t pc)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(f->run, pc, &link);
	const struct image_row *row = m ? image_row_at(m->image, link) : NULL;

	return row ? image_statement(m->image, row->statement)->line : 0;
}

/* The loop whose line has that comment does not end. */
static void check_loop(const char *which, const char *flags, const char *comment, bool repeats)
{
	struct fixture f = { 0 };
	struct endless_loop loop;
	struct limits limits = *limits_or_default(NULL);
	GError *error = NULL;
	bool found = false;

	start(&f, which, flags);
	record(&f, 100000, 120000);
	assert_true(endless_loop_find(f.run, 0, &loop, &found, &error));
	assert_true(found);
	assert_int_equal(line_of(&f, loop.pc), recorded_line(nested, comment));
	/* too short to come there */
	record(&f, 0, 5000);
	assert_true(endless_loop_rounds(f.run, 0, &limits, &loop, &found, &error));
	assert_false(found);
	record(&f, 0, 100000);
	assert_true(endless_loop_rounds(f.run, 0, &limits, &loop, &found, &error));
	assert_true(found);
	assert_true(loop.repeats == repeats);
	if (!repeats)
		assert_true(loop.rounds == limits.endless_rounds ||
			    loop.cut - loop.since > limits.endless_steps);
	/* the jump is what comes next there */
	record(&f, 0, loop.cut);
	assert_int_equal(trace_run_head(f.run, 0)->insns, loop.cut);
	end(&f);
}

static void the_innermost_that_goes_on(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const char *flags = i ? "gcc -g -O1 -fno-inline" : "gcc -g -O0";

		check_loop("1", flags, "/* outer */", false);
		check_loop("2", flags, "/* sorts */", true);
		check_loop("3", flags, "/* recurses */", false);
		check_loop("4", flags, "/* counts */", false);
		check_loop("5", flags, "/* settles */", true);
	}
}

static void a_run_that_ends_has_none(void **state)
{
	struct replay_failing part;
	struct fixture f = { 0 };
	GError *error = NULL;

	(void)state;
	start(&f, "0", "gcc -g -O0");
	assert_true(replay_record_part(f.replay, 0, 0, 1000000, &part, &error));
	assert_int_equal(part.end, RUN_STATUS);
	assert_in_range(replay_insns(&part, 0), 1000, 100000);
	assert_int_equal(replay_insns(&part, 1), 0);
	replay_failing_clear(&part);
	end(&f);
}

/* ---- what waits ---- */

static const char locks[] =
	"#include <pthread.h>\n"
	"#include <unistd.h>\n"
	"static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = "
	"PTHREAD_MUTEX_INITIALIZER;\n"
	"int main(void)\n"
	"{\n"
	"	pthread_mutex_lock(&a);\n"
	"	pthread_mutex_lock(&b); /* held */\n"
	"	pthread_mutex_unlock(&a);\n"
	"	pthread_mutex_trylock(&b);\n"
	"	pthread_mutex_lock(&c);\n"
	"	pthread_mutex_unlock(&c);\n"
	"	alarm(1);\n"
	"	pthread_mutex_lock(&b); /* waits */\n"
	"	return 0;\n"
	"}\n";

static void a_lock_is_held_until_it_is_given_back(void **state)
{
	struct recorded *r = recorded_new(locks, "gcc -g -O0 -pthread", false);
	struct fixture f = { .run = r->run };
	const struct held_lock *held;
	struct waiting w;
	GError *error = NULL;

	(void)state;
	assert_true(waiting_find(r->run, 0, &w, &error));
	assert_string_equal(w.name, "pthread_mutex_lock");
	assert_int_equal(line_of(&f, w.pc), recorded_line(locks, "/* waits */"));
	assert_int_equal(w.held->len, 1);
	held = waiting_holds(&w, w.lock);
	assert_non_null(held);
	assert_int_equal(line_of(&f, held->pc), recorded_line(locks, "/* held */"));
	assert_null(waiting_holds(&w, w.lock + 1));
	waiting_clear(&w);
	recorded_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_that_goes_on),
		cmocka_unit_test(a_run_that_ends_has_none),
		cmocka_unit_test(a_lock_is_held_until_it_is_given_back),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
