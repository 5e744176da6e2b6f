/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/recorded.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void must(bool ok, const GError *error)
{
	if (!ok)
		fail_msg("%s", error ? error->message : "no reason is given");
}

struct recorded *recorded_new(const char *text, const char *command, bool output)
{
	struct recorded *r = g_new0(struct recorded, 1);
	struct replay_options o;
	GError *error = NULL;

	r->folder = test_folder_new();
	r->program = test_compile(r->folder, "recorded.c", text, command);
	o = support_options((char *[]){ r->program, NULL });
	o.output = output;
	r->replay = replay_new(&o, &error);
	must(r->replay, error);
	must(replay_record_failing(r->replay, &r->failing, &error), error);
	r->images = replay_images(r->replay, &r->n_images);
	r->run = trace_run_open(r->failing.record, r->images, r->n_images, &error);
	must(r->run, error);
	must(trace_run_choose(r->run, r->failing.thread, &error), error);
	return r;
}

void recorded_free(struct recorded *r)
{
	trace_run_free(r->run);
	replay_failing_clear(&r->failing);
	replay_free(r->replay);
	g_free(r->program);
	test_folder_free(r->folder);
	g_free(r);
}

unsigned recorded_line(const char *source, const char *text)
{
	const char *found = strstr(source, text);
	unsigned line = 1;

	assert_non_null(found);
	for (const char *c = source; c < found; c++)
		line += *c == '\n';
	return line;
}
