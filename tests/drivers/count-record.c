/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * count-record DIRECTORY PROGRAM: from the record of a run, as run-profile's
 * --blocks and --outcomes have it: "ADDRESS TIMES" for each block that was
 * started, then "ADDRESS TAKEN NOT-TAKEN" for each conditional branch.
 */
#include "solver/trace/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
	const struct image *image;
	const struct trace_insn *insns;
	guint64 *started, *taken, *not_taken;
};

G_NORETURN static void die(GError *error)
{
	fprintf(stderr, "count-record: %s\n", error->message);
	exit(2);
}

static bool starts_block(const struct image *im, uint64_t addr)
{
	const struct image_block *b = image_block_at(im, image_function_at(im, addr), addr);

	return b && b->lo == addr;
}

static void count_thread(struct tally *t, struct trace_run *run, unsigned thread, struct lift *lift)
{
	struct trace_cursor *c = trace_cursor_new(run, thread, lift);
	uint64_t before = 0;
	struct trace_step step;
	GError *error = NULL;
	int got;

	while ((got = trace_cursor_step(c, &step, &error)) > 0) {
		const struct trace_insn *insn = image_insn_at(t->image, step.insn->addr);
		size_t i = (size_t)(insn - t->insns);
		bool again = insn->rep != TRACE_REP_NONE && before == insn->addr;

		before = insn->addr;
		if (!again)
			t->started[i]++;
		if (insn->flow == TRACE_FLOW_COND && step.exit_kind != TRACE_EXIT_CUT)
			++*(step.taken ? &t->taken[i] : &t->not_taken[i]);
	}
	if (got < 0)
		die(error);
	if (step.exit_kind == TRACE_EXIT_CUT && step.insn)
		t->started[image_insn_at(t->image, step.insn->addr) - t->insns]++;
	trace_cursor_free(c);
}

int main(int argc, char **argv)
{
	GError *error = NULL;
	struct image *image;
	struct trace_run *run;
	struct lift *lift;
	struct tally t;
	size_t n;

	if (argc != 3)
		return 2;
	image = image_open(argv[2], &error);
	run = image ? trace_run_open(argv[1], &image, 1, &error) : NULL;
	if (!run)
		die(error);
	n = image_insns(image, &t.insns);
	t.image = image;
	t.started = g_new0(guint64, n);
	t.taken = g_new0(guint64, n);
	t.not_taken = g_new0(guint64, n);
	lift = lift_new();
	for (unsigned i = 0; i < trace_run_threads(run); i++)
		count_thread(&t, run, i, lift);
	for (size_t i = 0; i < n; i++)
		if (t.started[i] && starts_block(image, t.insns[i].addr))
			printf("%" PRIx64 " %" G_GUINT64_FORMAT "\n", t.insns[i].addr,
			       t.started[i]);
	for (size_t i = 0; i < n; i++)
		if (t.taken[i] + t.not_taken[i])
			printf("%" PRIx64 " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
			       t.insns[i].addr, t.taken[i], t.not_taken[i]);
	g_free(t.started);
	g_free(t.taken);
	g_free(t.not_taken);
	trace_run_free(run);
	lift_free(lift);
	image_free(image);
	return 0;
}
