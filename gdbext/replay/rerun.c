/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other tests of the same program, once GDB has seen the first of them fail:
 * recorded by a direct run, which says on standard error what failed.
 */
#include "gdbext/replay/run/assert-message.h"
#include "gdbext/replay/internal.h"
#include "gdbext/replay/preflight.h"

static bool is_same_test(const struct replay *r, char *const *argv, const char *input)
{
	return g_strcmp0(r->stdin_path, input) == 0 &&
	       g_strv_equal((const char *const *)r->argv, (const char *const *)argv);
}

void replay_expect(struct replay *r, const struct expected_output *expected)
{
	checkpoints_clear(r->direct.checkpoints);
	/* a file that takes the place of standard output need not be empty at first */
	r->expected = r->output_file.path ? NULL : expected;
}

bool replay_turn_to(struct replay *r, char *const *argv, const char *stdin_file, GError **error)
{
	char *input = preflight_stdin(stdin_file, r->directory, r->folder->path, r->until, error);

	if (!input)
		return false;
	checkpoints_clear(r->direct.checkpoints);
	if (!r->first_argv) {
		r->first_argv = g_strdupv(r->argv);
		r->first_stdin = g_strdup(r->stdin_path);
	}
	if (!is_same_test(r, argv, input))
		r->expected = NULL;
	g_free(r->stdin_path);
	r->stdin_path = input;
	g_strfreev(r->argv);
	r->argv = g_strdupv((char **)argv);
	/* how children of other tests end is not known */
	r->follow.absent =
		r->follow.is_known && g_strcmp0(r->first_stdin, input) == 0 &&
		g_strv_equal((const char *const *)r->first_argv, (const char *const *)r->argv);
	return true;
}

static void read_printed_assertion(struct replay_failing *failing)
{
	g_autofree char *text = NULL;
	struct assert_message found;
	gsize length = 0;

	if (!g_file_get_contents(failing->err, &text, &length, NULL))
		return;
	for (gsize i = 0; i < length; i++) /* NULs must not hide the rest */
		if (!text[i])
			text[i] = ' ';
	if (!assert_message_find(text, &found))
		return;
	failing->expression = g_steal_pointer(&found.expression);
	failing->file = g_steal_pointer(&found.file);
	failing->function = g_steal_pointer(&found.function);
	failing->line = found.line;
}

/* Without what an assertion says. */
static bool record_again(struct replay *r, const struct run_request *request,
			 struct replay_failing *failing, GError **error)
{
	struct run_result result = { 0 };

	if (!replay_runner(r)->run(replay_runner(r), request, &result, error))
		return false;
	*failing = (struct replay_failing){ .end = result.end,
					    .status = result.status,
					    .signo = result.signo,
					    .run_ms = result.ms,
					    .record = result.record };
	failing->out = g_build_filename(failing->record, "out", NULL);
	failing->err = g_build_filename(failing->record, "err", NULL);
	return true;
}

bool replay_record_other(struct replay *r, struct replay_failing *failing, unsigned *threads,
			 GError **error)
{
	const struct run_request request = { .record = true };
	struct trace_head head;

	if (!record_again(r, &request, failing, error))
		return false;
	if (failing->end == RUN_ASSERT)
		read_printed_assertion(failing);
	for (*threads = 0; replay_read_head(failing->record, *threads, &head);)
		++*threads;
	return true;
}

uint64_t replay_insns(const struct replay_failing *failing, unsigned thread)
{
	struct trace_head head;

	return replay_read_head(failing->record, thread, &head) ? head.insns : 0;
}

bool replay_record_part(struct replay *r, unsigned thread, uint64_t from, uint64_t until,
			struct replay_failing *failing, GError **error)
{
	const struct run_request request = {
		.record = true, .from = from, .max_insns = until, .thread = thread
	};

	if (!record_again(r, &request, failing, error))
		return false;
	replay_limit_time(r, failing->run_ms);
	failing->thread = thread;
	if (failing->end == RUN_LIMIT)
		failing->end = RUN_TIMEOUT;
	return true;
}
