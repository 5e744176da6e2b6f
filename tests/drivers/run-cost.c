/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run-cost AGENT KIND N PROG ARGS...: the first run of a failing test, then N caged runs of it, of
 * KIND recorded, unrecorded or native.  What a run costs is the difference between two such calls,
 * divided by the difference of their N (tests/bench/runs.sh).
 */
#include "gdbext/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int die(const GError *error)
{
	fprintf(stderr, "run-cost: %s\n", error->message);
	return 2;
}

static bool run_some(struct replay *r, const char *kind, unsigned n, GError **error)
{
	const struct run_request request = { .record = !strcmp(kind, "recorded"),
					     .native = !strcmp(kind, "native") };
	struct runner *runner = replay_runner(r);

	while (n--) {
		struct run_result result = { 0 };

		if (!runner->run(runner, &request, &result, error))
			return false;
		run_result_clear(&result);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct replay_failing failing = { 0 };
	struct replay_options options = { .jit = true };
	GError *error = NULL;
	struct replay *r;

	if (argc < 5) {
		fprintf(stderr, "Usage: run-cost AGENT KIND N PROG ARGS...\n");
		return 2;
	}
	options.agent = argv[1];
	options.argv = argv + 4;
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, &failing, &error) ||
	    !run_some(r, argv[2], (unsigned)atoi(argv[3]), &error))
		return die(error);
	replay_failing_clear(&failing);
	replay_free(r);
	return 0;
}
