/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of a run in many small windows says the same as in one that holds
 * it all, and what it says is true of the steps themselves. */
#include "gdbext/replay/replay.h"
#include "solver/trace/index/reverse-index.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char source[] =
	"#include <assert.h>\n"
	"#include <stdlib.h>\n"
	"static int table[8];\n"
	"static int less(const void *a, const void *b)\n"
	"{ return *(const int *)a - *(const int *)b; }\n"
	"static long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
	"int main(void)\n"
	"{\n"
	"  for (int i = 0; i < 8; i++) table[i] = (int)f(8 - i) ^ 5;\n"
	"  qsort(table, 8, sizeof(int), less);\n"
	"  char *s = calloc(1, 9); for (int i = 0; i < 8; i++) s[i] = (char)i;\n"
	"  assert(*(long *)s == table[3]);\n"
	"  return 0;\n"
	"}\n";

struct histories {
	struct limits few, joined; /* short windows; and few of them */
	struct reverse_index *small, *large, *fewer;
};

static void note_run(struct trace_run *run, struct lift *lift, struct histories *h)
{
	struct trace_cursor *c = trace_cursor_new(run, 0, lift);
	struct superblocks *s = superblocks_new(NULL, NULL);
	struct superblock_run superblock;
	struct trace_step step;
	unsigned superblocks = 0;
	int more = 1;

	h->few = *limits_default();
	h->few.index_window = 64;
	h->few.index_log_bytes = 20000; /* some windows of more than are there */
	h->small = reverse_index_new(&h->few);
	h->large = reverse_index_new(limits_default());
	h->joined = h->few;
	h->joined.index_windows = 16;
	h->fewer = reverse_index_new(&h->joined);
	while (more == 1) {
		reverse_index_before(h->fewer, c);
		reverse_index_before(h->small, c);
		reverse_index_before(h->large, c);
		more = superblocks_run(s, c, &superblock, NULL);
		if (more == 1) {
			superblocks++;
			reverse_index_after_superblock(h->fewer, c, s, &superblock);
			reverse_index_after_superblock(h->small, c, s, &superblock);
			reverse_index_after_superblock(h->large, c, s, &superblock);
		} else if (more == 0 && (more = trace_cursor_step(c, &step, NULL)) == 1) {
			reverse_index_after(h->fewer, c, &step);
			reverse_index_after(h->small, c, &step);
			reverse_index_after(h->large, c, &step);
		}
	}
	assert_int_equal(more, 0);
	assert_true(superblocks > 100);
	superblocks_free(s);
	trace_cursor_free(c);
}

static void same_place(struct histories *h, const struct reverse_index_place *p, uint64_t before)
{
	struct reverse_index_event a = { 0 }, b = { 0 };
	uint64_t x = 0, y = 0;
	enum reverse_index_found found = reverse_index_find(h->large, p, before, &x, &a);

	assert_int_equal(reverse_index_find(h->small, p, before, &y, &b), found);
	if (found == INDEX_NOTHING)
		return;
	assert_int_equal(x, y);
	assert_true(x < before);
	if (!p->memory)
		return;
	assert_int_equal(a.address, b.address);
	assert_int_equal(a.value, b.value);
	assert_true(a.address < p->address + p->size && p->address < a.address + a.size);
}

static uint64_t last_branch(struct histories *h, uint64_t before)
{
	for (uint64_t i = before; i > 0; i--) {
		const struct reverse_index_insn *info =
			reverse_index_insn_of(h->large, reverse_index_at(h->large, i - 1));

		if (info->insn->flow == TRACE_FLOW_COND)
			return info->pc;
	}
	return 0;
}

static void same_branch(struct histories *h, uint64_t before, uint32_t depth)
{
	uint64_t pc = last_branch(h, before), call, other;
	uint64_t found = reverse_index_find_branch(h->large, before, depth, &pc, 1, &call);

	assert_int_equal(reverse_index_find_branch(h->small, before, depth, &pc, 1, &other), found);
	assert_int_equal(call, other);
	if (found != UINT64_MAX)
		assert_int_equal(reverse_index_at(h->small, found)->depth, depth);
	if (call != UINT64_MAX)
		assert_true(reverse_index_at(h->small, call)->depth < depth);
}

/* The steps themselves tell which of these was executed last. */
static uint64_t last_executed(struct histories *h, uint64_t from, uint64_t before,
			      const uint64_t pcs[2])
{
	for (uint64_t i = before; i > from; i--) {
		uint64_t pc =
			reverse_index_insn_of(h->large, reverse_index_at(h->large, i - 1))->pc;

		if (pc == pcs[0] || pc == pcs[1])
			return i - 1;
	}
	return UINT64_MAX;
}

/* An instruction of the first third of the run, one that nobody executed, and an interval that
 * begins before the first one, with it, behind it, and behind its own end. */
static void same_instruction(struct histories *h, uint64_t before)
{
	const uint64_t first = before / 3;
	const uint64_t pcs[] = {
		reverse_index_insn_of(h->large, reverse_index_at(h->large, first))->pc, 1
	};
	const uint64_t froms[] = { 0, first, first + 1, before };

	for (unsigned i = 0; i < G_N_ELEMENTS(froms); i++) {
		const uint64_t found = last_executed(h, froms[i], before, pcs);

		assert_int_equal(reverse_index_find_insn(h->large, froms[i], before, pcs, 2),
				 found);
		assert_int_equal(reverse_index_find_insn(h->small, froms[i], before, pcs, 2),
				 found);
	}
	assert_int_equal(reverse_index_find_insn(h->small, 0, before, pcs + 1, 1), UINT64_MAX);
}

static void same(struct histories *h)
{
	uint64_t n = reverse_index_steps(h->large);

	assert_true(n > 2000);
	assert_int_equal(reverse_index_steps(h->small), n);
	for (uint64_t i = 1; i < n; i += 37) {
		struct reverse_index_step s = *reverse_index_at(h->large, i);
		unsigned k, events;
		const struct reverse_index_event *e;

		for (unsigned reg = 0; reg < 24; reg++)
			same_place(h, &(struct reverse_index_place){ .reg = reg }, i);
		for (unsigned at = 0; at < 128; at += 12)
			same_place(h, &(struct reverse_index_place){ true, 0, s.rsp + at, 4, 0 },
				   i);
		e = reverse_index_events(h->large, i, &events);
		for (k = 0; k < events; k++) {
			struct reverse_index_place p = { true, 0, e[k].address, e[k].size, 0 };

			same_place(h, &p, i);
			e = reverse_index_events(h->large, i, &events);
		}
		for (uint32_t depth = 0; depth <= s.depth; depth++)
			same_branch(h, i, depth);
		same_instruction(h, i);
	}
}

static uint64_t pc_at(struct histories *h, uint64_t step)
{
	return reverse_index_insn_of(h->large, reverse_index_at(h->large, step))->pc;
}

static uint64_t times_before(struct histories *h, uint64_t pc, uint64_t step)
{
	uint64_t times = 0;

	for (uint64_t i = 0; i < step; i++)
		times += pc_at(h, i) == pc;
	return times;
}

static void same_counts(struct histories *h, struct reverse_index *of, uint64_t step)
{
	struct prefix_counts *counts = reverse_index_counts(of, step);
	const uint64_t n = reverse_index_steps(h->large);

	assert_int_equal(prefix_counts_steps(counts), step);
	for (uint64_t i = step % 7; i < n; i += n / 20)
		assert_int_equal(prefix_counts_of(counts, pc_at(h, i)),
				 times_before(h, pc_at(h, i), step));
	prefix_counts_free(counts);
}

static void begins_window(struct histories *h, struct reverse_index *of, uint64_t step)
{
	uint64_t first;
	struct trace_cursor *c = reverse_index_window(of, step, &first);

	assert_true(first <= step);
	assert_int_equal(trace_cursor_pc(c), pc_at(h, first));
	trace_cursor_free(c);
}

/* Executions are those that the steps themselves show, in one window, in many, and where windows
 * were joined. */
static void counts(struct histories *h)
{
	struct reverse_index *const all[] = { h->large, h->small, h->fewer };
	const uint64_t n = reverse_index_steps(h->large), steps[] = { 0, 1, 64, n / 3, n - 1, n };

	for (unsigned k = 0; k < G_N_ELEMENTS(all); k++) {
		for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++)
			same_counts(h, all[k], steps[i]);
		begins_window(h, all[k], n / 3);
		begins_window(h, all[k], n - 1);
	}
}

/* The run once more, by steps, from that one on. */
static struct reverse_index *stepped_from(struct trace_run *run, struct lift *lift,
					  const struct limits *limits, unsigned from)
{
	struct reverse_index *index = reverse_index_new(limits);
	struct trace_cursor *c = trace_cursor_new(run, 0, lift);
	struct trace_step step;

	for (unsigned i = 0; i < from; i++)
		assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
	for (;;) {
		reverse_index_before(index, c);
		if (trace_cursor_step(c, &step, NULL) != 1)
			break;
		reverse_index_after(index, c, &step);
	}
	trace_cursor_free(c);
	return index;
}

/* That runs do the same is found out whether they went by superblocks or by steps, and not said of
 * runs that do not. */
static void same_paths(struct histories *h, struct trace_run *run, struct lift *lift)
{
	struct reverse_index *same = stepped_from(run, lift, &h->few, 0);
	struct reverse_index *other = stepped_from(run, lift, &h->few, 1);
	const uint64_t n = reverse_index_steps(h->small);

	assert_true(reverse_index_same_until(h->small, h->small) > n - n / 4);
	assert_true(reverse_index_same_until(h->small, same) > n / 2);
	assert_true(reverse_index_same_until(h->fewer, same) > 0);
	assert_true(reverse_index_same_until(h->small, same) < n);
	assert_int_equal(reverse_index_same_until(h->small, other), 0);
	reverse_index_free(same);
	reverse_index_free(other);
}

static void windows(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *program = test_compile(folder, "history", source, "gcc -g -O0");
	struct replay_options o = support_options((char *[]){ program, NULL });
	struct replay *replay;
	struct replay_failing failing = { 0 };
	struct lift *lift = lift_new();
	struct histories h;
	struct image *const *images;
	size_t n;

	(void)state;
	support_need_replay();
	replay = replay_new(&o, NULL);
	assert_non_null(replay);
	assert_true(replay_record_failing(replay, &failing, NULL));
	images = replay_images(replay, &n);
	struct trace_run *run = trace_run_open(failing.record, images, n, NULL);
	assert_non_null(run);
	note_run(run, lift, &h);
	same(&h);
	counts(&h);
	same_paths(&h, run, lift);
	reverse_index_free(h.fewer);
	reverse_index_free(h.small);
	reverse_index_free(h.large);
	trace_run_free(run);
	lift_free(lift);
	replay_failing_clear(&failing);
	replay_free(replay);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(windows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
