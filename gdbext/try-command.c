/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/try-command.h"

#include "gdbext/ending.h"
#include "gdbext/question.h"
#include "solver/change.h"

#include <string.h>

static char *words_of_end(const struct run_result *r)
{
	switch (r->end) {
	case RUN_PASSED:
		return g_strdup("it passes (exit status 0)");
	case RUN_STATUS:
		return g_strdup_printf("it exits with status %d", r->status);
	case RUN_ASSERT:
		return g_strdup("it fails an assertion");
	case RUN_SIGNAL:
		return g_strdup_printf("it is killed by %s", replay_signal_name(r->signo));
	default:
		return g_strdup("it does not end within the limits");
	}
}

static char *read_output(const struct run_result *r, const char *name)
{
	g_autofree char *path = g_build_filename(r->record, name, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_utf8_make_valid(text, -1)
							    : g_strdup("");
}

/* The first line that is another one. */
static void compare_output(const struct run_result *was, const struct run_result *is,
			   const char *file, const char *name)
{
	g_autofree char *a = read_output(was, file), *b = read_output(is, file);
	g_auto(GStrv) x = g_strsplit(a, "\n", -1), y = g_strsplit(b, "\n", -1);
	unsigned i = 0;

	if (strcmp(a, b) == 0) {
		if (*a)
			printf("its %s is the same\n", name);
		return;
	}
	while (x[i] && y[i] && strcmp(x[i], y[i]) == 0)
		i++;
	printf("its %s differs from line %u on:\n", name, i + 1);
	printf("  was  %s\n", x[i] && (*x[i] || x[i + 1]) ? x[i] : "(nothing)");
	printf("  is   %s\n", y[i] && (*y[i] || y[i + 1]) ? y[i] : "(nothing)");
}

/* Both in the cage, so that they differ in nothing but the change. */
static int run_both(const struct question *q, const struct change *c, GError **error)
{
	struct runner *runner = replay_runner(q->replay);
	struct run_request plain = { 0 }, changed = { .actions = &c->action, .n_actions = 1 };
	struct run_result was = { 0 }, is = { 0 };
	bool ok = runner->run(runner, &plain, &was, error) &&
		  runner->run(runner, &changed, &is, error);
	g_autofree char *end = ok ? words_of_end(&is) : NULL;
	g_autofree char *before = ok ? words_of_end(&was) : NULL;
	bool same = ok && was.end == is.end && was.status == is.status && was.signo == is.signo;

	if (ok && !is.actions_done) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The program did not come to that place again; it does not do the same "
			    "each time.");
		ok = false;
	} else if (ok) {
		g_autofree char *name = c->file ? g_path_get_basename(c->file) : g_strdup("?");

		printf("%s:%u: %s\n%s%s%s\n", name, c->line, c->text, end,
		       same ? ", as before" : "; before: ", same ? "" : before);
		compare_output(&was, &is, "out", "output");
		compare_output(&was, &is, "err", "standard error");
	}
	run_result_clear(&was);
	run_result_clear(&is);
	return ok ? OPTIONS_EXIT_EXPLAINED : ending_status(*error);
}

static bool find_change(const struct question *q, struct change *out, GError **error)
{
	const struct options *o = q->o;
	const struct change_of run = { q->images, q->n_images, q->failing.record,
				       q->failing.thread };
	struct stop stop = { 0 };
	const char *place = o->flip ? o->flip : o->at ? o->at : o->after;
	bool ok = stop_find(q->images, q->n_images, place, &stop, error);

	if (ok)
		ok = o->flip ? change_flip(&run, &stop, out, error)
			     : change_set(&run, &stop, o->after != NULL, o->set, out, error);
	stop_clear(&stop);
	return ok;
}

int try_command(const struct options *o, GError **error)
{
	struct question q = { .o = o, .clock = g_timer_new(), .e = explanation_new() };
	struct change c = { 0 };
	int status = OPTIONS_EXIT_USAGE;

	if (!question_start(&q, error))
		status = ending_status(*error);
	else if (!q.replay)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "Nothing can be tried, since %s.", q.e->not_run);
	else if (find_change(&q, &c, error))
		status = run_both(&q, &c, error);
	change_clear(&c);
	question_clear(&q);
	return status;
}
