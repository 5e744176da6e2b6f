/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the recorder leaves out because the re-computation has it: loads and outcomes of branches.
 */
#include "tests/support/tiny-run.h"

/* The run whose seventh instruction loads -4(%rbp), which the sixth has stored. */
static void record_elided(struct fixture *f, uint64_t known_until, bool recorded)
{
	struct tiny_record *r = &f->record;

	f->image.insns[20].mem[0].flags |= TRACE_MEM_KNOWN;
	tiny_enter(r, TRACE_WHY_START, TINY_RUN, 0x1ffff, f->regs);
	loaded(2, r);
	tiny_bytes(r, (uint8_t[]){ 1 }, 1);
	if (recorded)
		loaded(77, r);
	r->head.insns = 7;
	r->head.known_until = known_until;
	tiny_write(r, f->directory, -1);
}

static uint32_t value_of_seventh(struct fixture *f, GError **error)
{
	struct image *images[] = { &f->image };
	struct trace_run *run = trace_run_open(f->directory, images, 1, NULL);
	struct trace_cursor *c = trace_cursor_new(run, 0, f->lift);
	struct trace_step step;
	uint32_t value = 0;

	while (trace_cursor_step(c, &step, error) > 0)
		if (step.n_reads)
			memcpy(&value, step.reads[0].bytes, 4);
	trace_cursor_free(c);
	trace_run_free(run);
	return value;
}

static void takes_what_is_elided_from_memory(void **state)
{
	g_autoptr(GError) error = NULL;

	record_elided(*state, UINT64_MAX, false);
	assert_int_equal(value_of_seventh(*state, &error), 2);
	assert_null(error);
}

static void believes_the_record_where_nothing_is_elided(void **state)
{
	g_autoptr(GError) error = NULL;

	record_elided(*state, 6, true);
	assert_int_equal(value_of_seventh(*state, &error), 77);
	assert_null(error);
}

static void refuses_to_elide_what_is_not_known(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GError) error = NULL;

	f->image.insns[4].mem[0].flags |= TRACE_MEM_KNOWN; /* which nothing has touched */
	record_elided(f, UINT64_MAX, false);
	value_of_seventh(f, &error);
	assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
}

/* The branch's outcome is inferred: it is taken when the third instruction loads up to 5. */
static void record_inferred(struct fixture *f, uint32_t value, uint64_t insns)
{
	struct tiny_record *r = &f->record;

	f->image.insns[10].flags |= TRACE_INSN_INFERRED;
	r->head.flags |= TRACE_INFERS;
	tiny_enter(r, TRACE_WHY_START, TINY_RUN, 0x1ffff, f->regs);
	loaded(value, r);
	loaded(value, r);
	r->head.insns = insns;
	tiny_write(r, f->directory, -1);
}

static void infers_a_branch_that_is_taken(void **state)
{
	g_autoptr(GError) error = NULL;

	record_inferred(*state, 5, 7);
	assert_int_equal(value_of_seventh(*state, &error), 5);
	assert_null(error);
}

static void infers_a_branch_that_is_not_taken(void **state)
{
	struct fixture *f = *state;
	struct image *images[] = { &f->image };
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;

	record_inferred(f, 6, 5);
	run = trace_run_open(f->directory, images, 1, NULL);
	c = trace_cursor_new(run, 0, f->lift);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
	assert_int_equal(step.insn->flow, TRACE_FLOW_COND);
	assert_false(step.taken);
	assert_int_equal(step.next, TINY_RUN + 12);
	trace_cursor_free(c);
	trace_run_free(run);
}

/* Where a register says is where control goes. */
static void infers_the_target_of_a_jump(void **state)
{
	struct fixture *f = *state;
	struct tiny_record *r = &f->record;
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;

	r->head.flags |= TRACE_INFERS;
	f->regs[TRACE_RDX] = TINY_RUN + TINY_POP;
	tiny_enter(r, TRACE_WHY_START, TINY_RUN + TINY_JMP, 0x1ffff, f->regs);
	r->head.insns = 1;
	tiny_write(r, f->directory, -1);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
	assert_int_equal(step.next, TINY_RUN + TINY_POP);
	trace_cursor_free(c);
	trace_run_free(run);
}

/* The number of the next miss, `distance` instructions later. */
static void next_miss(struct tiny_record *r, uint64_t distance)
{
	tiny_bytes(r, &distance, TRACE_MISS_SIZE);
}

/* The run whose third instruction loads what its sixth stores and its seventh loads again: the
 * former when the mirror has not that value, the latter when it is another. */
static void record_mirrored(struct fixture *f, uint32_t third, uint32_t seventh)
{
	struct tiny_record *r = &f->record;
	const bool again = third != seventh;

	for (unsigned i = 0; i < 4; i++)
		f->image.insns[(const uint8_t[]){ 0, 4, 17, 20 }[i]].mem[0].flags |=
			TRACE_MEM_MIRRORED;
	r->head.flags |= TRACE_MIRRORS;
	tiny_enter(r, TRACE_WHY_START, TINY_RUN, 0x1ffff, f->regs);
	next_miss(r, third ? 2 : again ? 6 : TRACE_MISS_NONE);
	if (third) {
		next_miss(r, again ? 4 : TRACE_MISS_NONE);
		loaded(third, r);
	}
	tiny_bytes(r, (uint8_t[]){ 1 }, 1);
	if (again) {
		next_miss(r, TRACE_MISS_NONE);
		loaded(seventh, r);
	}
	r->head.insns = 7;
	tiny_write(r, f->directory, -1);
}

static void takes_what_the_mirror_has(void **state)
{
	g_autoptr(GError) error = NULL;

	record_mirrored(*state, 2, 2);
	assert_int_equal(value_of_seventh(*state, &error), 2);
	assert_null(error);
}

static void a_mirror_begins_with_zeros(void **state)
{
	g_autoptr(GError) error = NULL;

	record_mirrored(*state, 0, 0);
	assert_int_equal(value_of_seventh(*state, &error), 0);
	assert_null(error);
}

static void believes_the_record_where_the_mirror_misses(void **state)
{
	g_autoptr(GError) error = NULL;

	record_mirrored(*state, 2, 77);
	assert_int_equal(value_of_seventh(*state, &error), 77);
	assert_null(error);
}

static void a_copy_has_a_mirror_of_its_own(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	struct trace_cursor *c, *copy;
	struct trace_step step;

	record_mirrored(f, 2, 2);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	tiny_step_to(c, &step, 1);
	copy = trace_cursor_copy(c);
	tiny_step_to(c, &step, 6);
	trace_cursor_free(c);
	tiny_step_to(copy, &step, 6);
	assert_memory_equal(step.reads[0].bytes, ((uint8_t[]){ 2, 0, 0, 0 }), 4);
	trace_cursor_free(copy);
	trace_run_free(run);
}

/* A number that the recorder knew after it had flushed its place. */
static void completes_the_number_of_a_miss(void **state)
{
	struct fixture *f = *state;
	g_autofree char *tail = g_build_filename(f->directory, "tail.0", NULL);
	g_autofree char *path = g_build_filename(f->directory, "trace.0", NULL);
	const struct trace_missed missed = { .offset = sizeof(struct trace_enter) + 17 * 8,
					     .next = ~UINT64_C(0) << 48 | 2 };
	const GByteArray *stream = f->record.stream;
	g_autoptr(GError) error = NULL;
	guint flushed = (guint)missed.offset + TRACE_MISS_SIZE;
	int fd;

	record_mirrored(f, 2, 2);
	memset(stream->data + missed.offset, 0xff, TRACE_MISS_SIZE);
	f->record.head.flushed = flushed;
	tiny_write(&f->record, f->directory, flushed);
	assert_true(g_file_set_contents(tail, (const char *)stream->data + flushed,
					stream->len - flushed, NULL));
	tiny_set_length(f, stream->len);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &missed, sizeof missed, TRACE_MISSED_OFFSET), sizeof missed);
	close(fd);
	assert_int_equal(value_of_seventh(f, &error), 2);
	assert_null(error);
}

static void a_mirrored_record_may_be_cut_off(void **state)
{
	struct fixture *f = *state;

	record_mirrored(f, 2, 77);
	for (guint length = 1; length < f->record.stream->len; length++) {
		g_autoptr(GError) error = NULL;

		tiny_write(&f->record, f->directory, length);
		value_of_seventh(f, &error);
		assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(takes_what_is_elided_from_memory, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(believes_the_record_where_nothing_is_elided,
						tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(refuses_to_elide_what_is_not_known, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(infers_a_branch_that_is_taken, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(infers_a_branch_that_is_not_taken, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(infers_the_target_of_a_jump, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(takes_what_the_mirror_has, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(a_mirror_begins_with_zeros, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(believes_the_record_where_the_mirror_misses,
						tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(a_copy_has_a_mirror_of_its_own, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(completes_the_number_of_a_miss, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(a_mirrored_record_may_be_cut_off, tiny_set_up,
						tiny_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
