/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/runs.h"
#include "gdbext/question/failure.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok, GError *error)
{
	if (!ok)
		fail_msg("%s", error->message);
}

static char *compile(const char *source, const char *flags)
{
	const char *cc = g_getenv("CC");
	g_autofree char *command = NULL;
	char *program = NULL;
	int fd = g_file_open_tmp("why-runs-XXXXXX", &program, NULL);

	assert_true(fd >= 0);
	g_close(fd, NULL);
	command = g_strdup_printf("%s -g %s -o '%s' '%s'", cc ? cc : "cc", flags, program, source);
	if (system(command))
		fail_msg("cannot compile: %s", command);
	return program;
}

/* The words of " * test: …" behind the program's name. */
static char **arguments_of(const char *source, const char *program)
{
	g_autofree char *text = NULL, *line = NULL, *command = NULL;
	g_autofree char *quoted = g_shell_quote(program);
	const char *start;
	char **words = NULL;
	GError *error = NULL;

	must(g_file_get_contents(source, &text, NULL, &error), error);
	start = strstr(text, " * test:");
	assert_non_null(start);
	start += strlen(" * test:");
	line = g_strndup(start, strcspn(start, "\n"));
	command = g_strconcat(quoted, " ", line, NULL);
	must(g_shell_parse_argv(command, NULL, &words, &error), error);
	return words;
}

static struct support_run *run_new(struct support_runs *s, const char *directory,
				   const GArray *actions)
{
	struct support_run *r = g_new0(struct support_run, 1);
	GError *error = NULL;

	r->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	if (actions)
		g_array_append_vals(r->actions, actions->data, actions->len);
	r->record = trace_run_open(directory, s->images, s->n_images, &error);
	must(r->record, error);
	return r;
}

struct walk_run support_walk_run(const struct support_runs *s, unsigned number)
{
	const struct support_run *r = s->runs->pdata[number];
	bool failed = r->result.end != RUN_PASSED && r->result.end != RUN_STATUS;

	return (struct walk_run){
		.record = r->record,
		.actions = (const struct trace_action *)(const void *)r->actions->data,
		.n_actions = r->actions->len,
		.failed = failed,
		.status = r->result.status,
	};
}

static void forget_formula(struct support_runs *s)
{
	g_clear_pointer(&s->formula, formula_free);
	g_clear_pointer(&s->pool, term_pool_free);
}

static void make_formula(struct support_runs *s)
{
	g_autofree struct walk_run *runs = g_new0(struct walk_run, s->runs->len);
	struct walk_options options = { .requirement = s->requirement,
					.selectors = s->selectors,
					.granularity = WALK_BY_INSTANCE,
					.unroll = 64,
					.summary = s->summary };
	GError *error = NULL;

	for (guint i = 0; i < s->runs->len; i++)
		runs[i] = support_walk_run(s, i);
	forget_formula(s);
	s->pool = term_pool_new();
	s->formula = walk_runs(s->pool, runs, s->runs->len, s->lift, &options, &error);
	must(s->formula, error);
}

struct support_runs *support_runs_new(const char *source, const char *flags)
{
	struct support_runs *s = g_new0(struct support_runs, 1);
	struct replay_options options;
	g_auto(GStrv) argv = NULL;
	struct support_run *first;
	struct requirement_end end;
	GError *error = NULL;

	s->source = g_strdup(source);
	s->program = compile(source, flags);
	argv = arguments_of(source, s->program);
	options = support_options(argv);
	s->replay = replay_new(&options, &error);
	must(s->replay, error);
	must(replay_record_failing(s->replay, &s->failing, &error), error);
	s->images = replay_images(s->replay, &s->n_images);
	s->lift = lift_new();
	s->selectors = selector_table_new();
	s->runs = g_ptr_array_new_with_free_func((GDestroyNotify)support_run_free);
	first = run_new(s, s->failing.record, NULL);
	first->result.end = s->failing.end;
	first->result.status = s->failing.status;
	end = failure_end(&s->failing);
	s->requirement = requirement_new(&end);
	assert_non_null(s->requirement); /* the test has to fail */
	g_ptr_array_add(s->runs, first);
	s->summary = trace_summary_new(first->record, s->lift, &error);
	must(s->summary, error);
	if (s->requirement->kind->looks_back)
		must(trace_summary_note_end(s->summary, first->record, s->lift, &error), error);
	make_formula(s);
	return s;
}

void support_runs_free(struct support_runs *s)
{
	forget_formula(s);
	g_ptr_array_free(s->runs, TRUE);
	selector_table_free(s->selectors);
	trace_summary_free(s->summary);
	requirement_free(s->requirement);
	lift_free(s->lift);
	replay_failing_clear(&s->failing);
	replay_free(s->replay);
	remove(s->program);
	g_free(s->program);
	g_free(s->source);
	g_free(s);
}

struct support_run *support_run_again(struct support_runs *s, const GArray *actions)
{
	const struct support_run *first = s->runs->pdata[0];
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.record = true,
		.max_insns = 1000000 + 8 * trace_run_head(first->record, 0)->insns,
	};
	struct runner *runner = replay_runner(s->replay);
	struct run_result result = { 0 };
	struct support_run *r;
	GError *error = NULL;

	must(runner->run(runner, &request, &result, &error), error);
	r = run_new(s, result.record, actions);
	r->result = result;
	return r;
}

void support_run_free(struct support_run *r)
{
	trace_run_free(r->record);
	run_result_clear(&r->result);
	g_array_free(r->actions, TRUE);
	g_free(r);
}

bool support_run_passed(const struct support_run *r)
{
	return r->result.end == RUN_PASSED;
}

void support_runs_merge(struct support_runs *s, struct support_run *r)
{
	g_ptr_array_add(s->runs, r);
	make_formula(s);
}
