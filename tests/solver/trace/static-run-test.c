/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A side of a branch, as the code alone tells it, is what a forced run down that side does:
 * instruction by instruction, with the same operands, to the same end. */
#include "tests/support/canned.h"

#include "solver/base/hash.h"
#include "solver/trace/static-run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A branch is turned at its first executions only. */
enum { EXECUTIONS = 2 };

struct world {
	struct canned *canned;
	struct lift *lift;
	struct trace_run *failing;
	struct trace_summary *summary;
	unsigned ends[STATIC_RUN_UNKNOWN + 1]; /* how often a static run ended so */
	uint64_t compared;		       /* instructions behind branches */
};

static void open_world(struct world *w, const char *folder)
{
	*w = (struct world){ .canned = canned_open(folder), .lift = lift_new() };
	w->failing = trace_run_open(w->canned->failing.record, w->canned->images,
				    w->canned->n_images, NULL);
	assert_non_null(w->failing);
	w->summary = trace_summary_new(w->failing, w->lift, NULL);
	assert_non_null(w->summary);
}

static void close_world(struct world *w)
{
	trace_summary_free(w->summary);
	trace_run_free(w->failing);
	lift_free(w->lift);
	canned_free(w->canned);
}

/* The run as it was made with the branch forced; the caller clears *result. */
static struct trace_run *forced_run(struct world *w, const struct trace_action *turn,
				    struct run_result *result)
{
	const struct run_request request = {
		.actions = turn, .n_actions = 1, .record = true, .max_insns = 100000
	};
	struct trace_run *run;

	assert_true(w->canned->runner.run(&w->canned->runner, &request, result, NULL));
	run = trace_run_open(result->record, w->canned->images, w->canned->n_images, NULL);
	assert_non_null(run);
	return run;
}

static void compare_steps(const struct trace_step *ours, const struct trace_step *real)
{
	assert_int_equal(ours->pc, real->pc);
	assert_int_equal(ours->taken, real->taken);
	assert_int_equal(ours->n_reads, real->n_reads);
	for (unsigned i = 0; i < real->n_reads; i++) {
		assert_int_equal(ours->reads[i].address, real->reads[i].address);
		assert_memory_equal(ours->reads[i].bytes, real->reads[i].bytes,
				    real->reads[i].size);
	}
}

/* Both together, to where the static run ends.  The forced one ends there, too, when the code tells
 * all. */
static void compare(struct world *w, struct trace_run *ours, struct trace_run *real,
		    const struct trace_action *turn, enum static_run_end end)
{
	struct trace_cursor *a = trace_cursor_new(ours, 0, w->lift),
			    *b = trace_cursor_new(real, 0, w->lift);
	struct trace_step x, y;
	int more;

	trace_cursor_set_actions(a, turn, 1);
	trace_cursor_set_actions(b, turn, 1);
	while ((more = trace_cursor_step(a, &x, NULL)) > 0) {
		assert_int_equal(trace_cursor_step(b, &y, NULL), 1);
		compare_steps(&x, &y);
		assert_int_equal(trace_cursor_reg(a, TRACE_RSP), trace_cursor_reg(b, TRACE_RSP));
		w->compared++;
	}
	assert_int_equal(more, 0);
	if (end == STATIC_RUN_EXITS || end == STATIC_RUN_FAILS)
		assert_int_equal(trace_cursor_step(b, &y, NULL), 0);
	trace_cursor_free(a);
	trace_cursor_free(b);
}

static struct static_run_request request_of(const struct world *w, uint64_t pc, uint64_t nth,
					    bool taken)
{
	return (struct static_run_request){ .pc = pc,
					    .nth = nth,
					    .taken = taken,
					    .summary = w->summary,
					    .rounds = 8,
					    .max_insns = 100000 };
}

static struct trace_run *static_run(struct world *w, struct trace_run *from, uint64_t pc,
				    uint64_t nth, bool taken, struct static_run_result *result)
{
	const struct static_run_request request = request_of(w, pc, nth, taken);

	return static_run_new(from, &request, w->lift, result, NULL);
}

/* Turns the nth execution of the branch at which the failing run goes `taken'. */
static void turn(struct world *w, const struct trace_step *at, uint64_t nth)
{
	struct trace_action action = { .kind = TRACE_ACTION_FORCE,
				       .module = trace_run_module_number(w->failing, at->module),
				       .addr = at->insn->addr,
				       .nth = nth,
				       .value = { !at->taken } };
	struct static_run_result end;
	struct run_result result;
	struct trace_run *ours = static_run(w, w->failing, at->pc, nth, !at->taken, &end), *real;

	assert_non_null(ours);
	w->ends[end.end]++;
	real = forced_run(w, &action, &result);
	compare(w, ours, real, &action, end.end);
	if (end.end == STATIC_RUN_EXITS) {
		assert_int_equal(result.end, end.status ? RUN_STATUS : RUN_PASSED);
		assert_int_equal(result.status, end.status);
	}
	if (end.end == STATIC_RUN_FAILS)
		assert_int_equal(result.end, RUN_ASSERT);
	trace_run_free(ours);
	trace_run_free(real);
	run_result_clear(&result);
}

/* Every branch of the failing run, one at a time. */
static void turn_all(struct world *w)
{
	struct trace_cursor *c = trace_cursor_new(w->failing, 0, w->lift);
	GHashTable *counts = g_hash_table_new(NULL, NULL);
	struct trace_step step;

	while (trace_cursor_step(c, &step, NULL) > 0) {
		gpointer pc = GSIZE_TO_POINTER(step.pc);
		guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(counts, pc)) + 1;

		if (step.insn->flow != TRACE_FLOW_COND)
			continue;
		g_hash_table_insert(counts, pc, GUINT_TO_POINTER(nth));
		if (nth <= EXECUTIONS)
			turn(w, &step, nth);
	}
	g_hash_table_destroy(counts);
	trace_cursor_free(c);
	assert_int_equal(w->canned->unknown, 0);
}

static void goes_as_forced_runs_do(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "tests/data/runs/sides");
	turn_all(&w);
	assert_true(w.ends[STATIC_RUN_EXITS] >= 4);
	assert_int_equal(w.ends[STATIC_RUN_FAILS], 1);	 /* smaller() */
	assert_int_equal(w.ends[STATIC_RUN_UNKNOWN], 1); /* abs() and rand() */
	assert_true(w.compared > 300);
	close_world(&w);
}

/* What repeats more often than it may is left, and a long way is left at its bound. */
static void ends_at_bounds(void **state)
{
	struct world w;
	struct static_run_result result;
	struct static_run_request request;
	struct trace_cursor *c;
	struct trace_step step;

	(void)state;
	open_world(&w, "tests/data/runs/sides");
	c = trace_cursor_new(w.failing, 0, w.lift);
	for (unsigned i = 0; i < 2; i++) /* if (n > 100) ... else if (n > 8) */
		do
			assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
		while (step.insn->flow != TRACE_FLOW_COND);
	request = request_of(&w, step.pc, 1, !step.taken);
	trace_run_free(static_run_new(w.failing, &request, w.lift, &result, NULL));
	assert_int_equal(result.end, STATIC_RUN_FAILS);
	request.rounds = 0; /* smaller() calls itself once */
	trace_run_free(static_run_new(w.failing, &request, w.lift, &result, NULL));
	assert_int_equal(result.end, STATIC_RUN_LOOPS);
	request.max_insns = 5;
	trace_run_free(static_run_new(w.failing, &request, w.lift, &result, NULL));
	assert_int_equal(result.end, STATIC_RUN_UNKNOWN);
	assert_int_equal(result.insns, 5);
	trace_cursor_free(c);
	close_world(&w);
}

/* Pointers to the heap, which the run has read before, and a loop over them. */
static void goes_along_pointers(void **state)
{
	struct world w;

	(void)state;
	open_world(&w, "tests/data/runs/list");
	turn_all(&w);
	assert_true(w.compared > 100);
	close_world(&w);
}

/* The sides of a static run are static runs, too. */
static void goes_on_from_itself(void **state)
{
	struct world w;
	struct static_run_result result;
	struct trace_cursor *c;
	struct trace_run *ours, *again;
	struct trace_step step;
	uint64_t last = 0;
	bool taken = false;

	(void)state;
	open_world(&w, "tests/data/runs/paper");
	c = trace_cursor_new(w.failing, 0, w.lift);
	while (trace_cursor_step(c, &step, NULL) > 0)
		if (step.insn->flow == TRACE_FLOW_COND) {
			last = step.pc;
			taken = step.taken;
		}
	trace_cursor_free(c);
	ours = static_run(&w, w.failing, last, 1, !taken, &result);
	assert_non_null(ours);
	assert_int_equal(result.end, STATIC_RUN_EXITS);
	assert_int_equal(result.status, 0);
	again = static_run(&w, ours, last, 1, taken, &result);
	assert_non_null(again);
	assert_int_equal(result.end, STATIC_RUN_FAILS);
	assert_null(
		static_run(&w, w.failing, last, 99, taken, &result)); /* not executed so often */
	trace_run_free(again);
	trace_run_free(ours);
	close_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_as_forced_runs_do),
		cmocka_unit_test(ends_at_bounds),
		cmocka_unit_test(goes_along_pointers),
		cmocka_unit_test(goes_on_from_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
