/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/pool.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/suite/fold.h"
#include "gdbext/suite/task.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/stat.h>

/* Runs at once: enough to keep many processors busy, few enough for descriptors. */
enum { JOBS_MOST = 256 };

static void finish_pool_task(struct task *t);

static struct suite_outcome *outcome_of_task(struct task *t)
{
	return &g_array_index(t->pool->result->outcomes, struct suite_outcome, t->index);
}

/* The test tells nothing, and why. */
static void give_up_task(struct task *t, char *fault)
{
	t->fault = fault;
	finish_pool_task(t);
}

static void finish_pool_task(struct task *t)
{
	struct pool *p = t->pool;
	struct suite_outcome *o = outcome_of_task(t);

	t->ready = true;
	o->direct = t->command.direct;
	if (!t->fault)
		o->verdict = suite_judge(&o->end, o->direct, p->rule,
					 p->rule == SUITE_BY_STATUS ? NULL : &t->reference);
	p->done++;
	p->failed += suite_is_failure(o->verdict);
	/* one before it may take long, and there may be many behind it */
	if (p->folded != t->index)
		task_put_aside(t);
	fold_ready(p);
	if (p->options->progress)
		p->options->progress(
			&(struct suite_progress){ p->done, p->result->outcomes->len, p->failed },
			p->options->arg);
}

/* A process could not be started: for want of its input, which concerns this test,
 * or of anything else, which concerns all. */
static void note_start_failure(struct task *t, GError *wrong)
{
	if (g_error_matches(wrong, SUITE_ERROR, SUITE_ERROR_READ)) {
		give_up_task(t, g_strdup(wrong->message));
		g_error_free(wrong);
		return;
	}
	if (t->pool->broken)
		g_error_free(wrong);
	else
		t->pool->broken = wrong;
}

static const struct limits *limits_of(const struct pool *p)
{
	return p->options->limits ? p->options->limits : limits_default();
}

/* A suite in which hundreds of tests hang would take hours.  The golden run of a test tells how
 * long it takes; where there is none, the others get a generous multiple of what those took that
 * ended, once some hung. */
static double time_limit(const struct task *t)
{
	const struct pool *p = t->pool;
	const struct suite_options *o = p->options;
	const struct limits *limits = limits_of(p);
	const bool late = p->late >= limits->suite_late;
	const gint64 usual = t->reference.usecs ? t->reference.usecs : p->longest;
	uint64_t least = late ? limits->suite_least_ms : limits->suite_golden_ms;
	double ms = (double)limits->suite_times * (double)usual / 1000;

	if (!late && !t->reference.usecs)
		return o->run_timeout;
	return MIN(o->run_timeout, MAX(ms, (double)least) / 1000);
}

static void note_test_time(struct pool *p, const struct suite_end *end)
{
	if (end->kind == SUITE_TIMED_OUT)
		p->late++;
	else
		p->longest = MAX(p->longest, end->usecs);
}

static bool start_process(struct task *t, bool golden, suite_process_done *done)
{
	struct pool *p = t->pool;
	GError *wrong = NULL;
	g_auto(GStrv) env = task_environ(t, golden, &wrong);
	struct suite_process_start s = { .supervisor = p->supervisor,
					 .path = t->command.path,
					 .argv = t->command.argv,
					 .envp = env,
					 .directory = p->result->directory,
					 .stdin_file = t->command.stdin_file,
					 .timeout = time_limit(t),
					 .output = p->rule != SUITE_BY_STATUS,
					 .keep = golden ? limits_of(p)->suite_kept_bytes : 0 };

	t->short_timeout = s.timeout < p->options->run_timeout;
	if (env)
		t->process = suite_process_new(&s, p->context, done, t, &wrong);
	if (t->process) {
		p->running++;
		return true;
	}
	note_start_failure(t, wrong);
	return false;
}

static void end_process(struct task *t)
{
	suite_process_free(t->process);
	t->process = NULL;
	t->pool->running--;
}

static void pump_tasks(struct pool *p);

static void note_program_end(const struct suite_end *end, void *arg)
{
	struct task *t = arg;
	struct pool *p = t->pool;

	outcome_of_task(t)->end = *end;
	note_test_time(p, end);
	end_process(t);
	finish_pool_task(t);
	pump_tasks(p);
}

static void run_program(struct task *t)
{
	struct pool *p = t->pool;
	struct suite_outcome *o = outcome_of_task(t);

	suite_command_clear(&t->command);
	suite_result_command(p->result, t->index, &t->command);
	suite_key(&p->conditions, t->test, t->key);
	o->cached = suite_cache_get(p->cache, t->key, &o->end, &t->profile);
	if (!o->cached) {
		start_process(t, false, note_program_end);
		return;
	}
	note_test_time(p, &o->end);
	finish_pool_task(t);
}

static void compare_with_golden(struct task *t)
{
	if (suite_is_reference(&t->reference, t->command.direct))
		run_program(t);
	else
		give_up_task(t, g_strdup(t->reference.kind == SUITE_TIMED_OUT
						 ? "the golden program does not end in time"
						 : "the golden program crashes"));
}

static void note_golden(const struct suite_end *end, void *arg)
{
	struct task *t = arg;
	struct pool *p = t->pool;

	t->reference = *end;
	if (end->kind == SUITE_EXITED) {
		outcome_of_task(t)->golden_printed = suite_process_printed(t->process);
		outcome_of_task(t)->golden_status = end->number;
	}
	suite_cache_put(p->golden_cache, t->key, end, NULL);
	end_process(t);
	task_close_folder(t);
	compare_with_golden(t);
	pump_tasks(p);
}

static void run_golden_program(struct task *t)
{
	struct pool *p = t->pool;
	GBytes *none = NULL;

	suite_command_init(&t->command, t->test, p->golden, p->result->shown, p->result->directory);
	suite_key(&p->golden_conditions, t->test, t->key);
	if (!suite_cache_get(p->golden_cache, t->key, &t->reference, &none)) {
		start_process(t, true, note_golden);
		return;
	}
	g_clear_pointer(&none, g_bytes_unref);
	compare_with_golden(t);
}

static void read_test_output(struct task *t)
{
	g_autofree char *name = g_strconcat(t->test->name, ".out", NULL);
	g_autofree char *path = g_build_filename(t->pool->expected, name, NULL);

	if (suite_digest_file(path, &t->reference.length, t->reference.digest, NULL))
		run_program(t);
	else
		give_up_task(t, g_strdup_printf("%s/%s cannot be read", t->pool->options->expected,
						name));
}

static void begin_task(struct pool *p)
{
	struct task *t = task_new(p, p->begun);

	p->tasks[p->begun++] = t;
	if (p->rule == SUITE_BY_GOLDEN)
		run_golden_program(t);
	else if (p->rule == SUITE_BY_EXPECTED)
		read_test_output(t);
	else
		run_program(t);
}

static void pump_tasks(struct pool *p)
{
	p->interrupted = p->interrupted || replay_interrupted();
	while (!p->interrupted && !p->broken && p->running < p->jobs &&
	       p->begun < p->result->outcomes->len)
		begin_task(p);
}

static gboolean note_interrupt(gint fd, GIOCondition condition, gpointer arg)
{
	struct pool *p = arg;

	(void)fd;
	(void)condition;
	p->interrupted = true;
	return G_SOURCE_REMOVE;
}

static GSource *watch_interrupt(struct pool *p)
{
	GSource *source;

	if (replay_interrupt_fd() < 0)
		return NULL;
	source = g_unix_fd_source_new(replay_interrupt_fd(), G_IO_IN);
	g_source_set_callback(source, G_SOURCE_FUNC(note_interrupt), p, NULL);
	g_source_attach(source, p->context);
	return source;
}

static void end_tasks(struct pool *p)
{
	for (unsigned i = 0; i < p->begun; i++) {
		if (p->tasks[i] && p->tasks[i]->process)
			end_process(p->tasks[i]);
	}
	fold_rest(p);
	for (unsigned i = 0; i < p->begun; i++)
		task_free(p->tasks[i]);
	g_clear_pointer(&p->tasks, g_free);
}

bool pool_run(struct pool *p, GError **error)
{
	unsigned wanted = p->options->jobs ? p->options->jobs : g_get_num_processors();
	GSource *interrupt;

	p->context = g_main_context_new();
	p->tasks = g_new0(struct task *, p->result->outcomes->len);
	p->jobs = MIN(wanted, (unsigned)JOBS_MOST);
	interrupt = watch_interrupt(p);
	pump_tasks(p);
	while (p->running && !p->interrupted && !p->broken)
		g_main_context_iteration(p->context, TRUE);
	end_tasks(p);
	if (interrupt) {
		g_source_destroy(interrupt);
		g_source_unref(interrupt);
	}
	g_main_context_unref(p->context);
	if (!p->broken)
		return true;
	g_set_error(error, SUITE_ERROR, SUITE_ERROR_SYSTEM, "A test cannot be started: %s.",
		    p->broken->message);
	g_clear_error(&p->broken);
	return false;
}
