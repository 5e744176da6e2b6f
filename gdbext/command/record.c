/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/record.h"

#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/runs/run-source.h"
#include "gdbext/record/record.h"
#include "gdbext/replay/interrupt.h"
#include "solver/trace/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *name_of_record(const struct options *o)
{
	g_autofree char *program = g_path_get_basename(o->program[0]);

	return o->output ? g_strdup(o->output) : g_strconcat(program, ".why", NULL);
}

/* A run that passed is kept for questions and comparisons, with the words that say so. */
static char *words_of_failing_run(const struct replay_failing *failing)
{
	return failing->end == RUN_PASSED
		       ? g_strdup("a run that passed; `ask --record FILE --at PLACE' asks about it")
		       : failure_in_words(failing);
}

static int write_record(const struct options *o, struct replay *replay,
			const struct replay_failing *failing, GError **error)
{
	struct record_options r = { .program = !o->no_program,
				    .keep_env = (const char *const *)o->keep_env };
	g_autofree char *path = name_of_record(o);
	g_autofree char *human = NULL;
	g_autofree char *words = words_of_failing_run(failing);
	uint64_t size;
	size_t n;
	struct image *const *images = replay_images(replay, &n);
	struct trace_run *run = trace_run_open(failing->record, images, n, error);

	/* opening it completed its streams */
	trace_run_free(run);
	if (!run || !record_write(path, replay, failing, &r, &size, error))
		return ending_status(*error);
	human = g_format_size_full(size, G_FORMAT_SIZE_IEC_UNITS);
	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		printf("%s: %s, %s\n", path, human, words);
	return OPTIONS_EXIT_EXPLAINED;
}

int record_command(const struct options *o, GError **error)
{
	struct deadline until = deadline_in(INFINITY, replay_interrupt_flag());
	struct run_source run = { 0 };
	int status;

	if (run_source_start(&run, o, &until, error)) {
		bool passed = run.failing.end == RUN_PASSED;

		status = passed ? 0 : ending_check(o->program[0], &run.failing, error);
		if (!status)
			status = write_record(o, run.replay, &run.failing, error);
		if (!status && passed)
			status = ending_check(o->program[0], &run.failing, error);
	} else {
		status = ending_status(*error);
	}
	run_source_clear(&run);
	return status;
}
