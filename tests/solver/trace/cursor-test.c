/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/self-check.h"
#include "tests/support/tiny-run.h"

/* What the recorder writes for tiny_code with 0x10(%rdi) = value, the branch
 * as given, `natives` calls coming back, and 2 bytes moved by rep movsb. */
static void record_run(struct fixture *f, uint32_t value, bool taken)
{
	struct tiny_record *r = &f->record;
	static const uint8_t moved[2] = { 'h', 'i' };
	uint64_t native[17] = { [TRACE_RAX] = 2, [TRACE_RSI] = DATA + 0x100 };

	tiny_enter(r, TRACE_WHY_START, TINY_RUN, 0x1ffff, f->regs);
	loaded(value, r);
	tiny_bytes(r, &taken, 1);
	if (!taken)
		tiny_enter(r, TRACE_WHY_RETURN, TINY_RUN + 17, 1 << TRACE_RAX | 1 << TRACE_RSI,
			   native);
	loaded(taken ? value : 2, r); /* -4(%rbp) */
	tiny_bytes(r, &moved[0], 1);
	tiny_bytes(r, &moved[1], 1);
	tiny_word(r, 1000); /* rdtsc */
	tiny_word(r, TINY_RUN + TINY_POP);
	tiny_bytes(r, (uint64_t[]){ 0, 0 }, 16); /* pxor */
	tiny_word(r, TINY_RUN + TINY_POP);	 /* jmp *%rdx */
	tiny_word(r, 0x1122);			 /* pop: the rbp that was pushed */
	tiny_word(r, FAR);			 /* ret, and never back */
	r->head.insns = taken ? 16 : 17;
	tiny_write(r, f->directory, -1);
}

static void runs_through(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;
	uint8_t bytes[4];

	record_run(f, 2, true);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	trace_cursor_set_check(c, true);
	assert_int_equal(trace_cursor_pc(c), TINY_RUN);
	assert_int_equal(trace_cursor_reg(c, TRACE_RSP), STACK);
	tiny_step_to(c, &step, 2);
	assert_int_equal(step.n_reads, 1);
	assert_int_equal(step.reads[0].address, DATA + 0x10);
	assert_int_equal(step.reads[0].outside, 0xf);
	assert_int_equal(trace_cursor_reg(c, TRACE_RAX), 2);
	tiny_step_to(c, &step, 4);
	assert_true(step.taken);
	assert_int_equal(step.exit_kind, TRACE_EXIT_ON);
	assert_int_equal(step.next, TINY_RUN + 17);
	tiny_step_to(c, &step, 6); /* loads what it has just stored */
	assert_int_equal(step.reads[0].address, STACK - 8 - 4);
	assert_int_equal(step.reads[0].outside, 0);
	tiny_step_to(c, &step, 9); /* the iteration that only moves on */
	assert_int_equal(step.n_reads, 0);
	assert_int_equal(trace_cursor_pc(c), TINY_RUN + 25);
	assert_true(trace_cursor_read(c, DATA, 2, bytes));
	assert_memory_equal(bytes, "hi", 2);
	assert_false(trace_cursor_read(c, DATA, 3, bytes));
	tiny_step_to(c, &step, 10);
	assert_true(step.patched);
	assert_int_equal(trace_cursor_reg(c, TRACE_RAX), 1000);
	tiny_step_to(c, &step, 15);
	assert_int_equal(step.exit_kind, TRACE_EXIT_AWAY);
	assert_int_equal(step.native, FAR);
	assert_int_equal(trace_cursor_reg(c, TRACE_RSP), STACK + 8);
	assert_int_equal(trace_cursor_reg(c, TRACE_RBP), 0x1122);
	assert_int_equal(trace_cursor_pc(c), 0);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 0);
	assert_int_equal(step.exit_kind, TRACE_EXIT_AWAY);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 0);
	trace_cursor_free(c);
	trace_run_free(run);
}

/* A part of it: memory that was loaded or stored before is not known, registers are. */
static void walks_a_part(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;

	record_run(f, 2, true);
	run = tiny_open_run(f);
	assert_int_equal(trace_run_left_out(run, 0), 0);
	trace_run_narrow(run, 6, 8);
	assert_int_equal(trace_run_left_out(run, 0), 6);
	c = trace_cursor_new(run, 0, f->lift);
	trace_cursor_set_check(c, true);
	assert_int_equal(trace_cursor_reg(c, TRACE_RBP), STACK - 8);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
	assert_int_equal(step.number, 6);
	assert_int_equal(step.reads[0].address, STACK - 8 - 4);
	assert_int_equal(step.reads[0].outside, 0xf);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 1);
	assert_int_equal(step.number, 7);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 0);
	trace_cursor_free(c);
	trace_run_narrow(run, 0, 0);
	c = trace_cursor_new(run, 0, f->lift);
	tiny_step_to(c, &step, 15);
	trace_cursor_free(c);
	trace_run_free(run);
}

static void comes_back_from_untraced_code(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;
	uint64_t pushed;
	uint64_t checked;

	record_run(f, 9, false);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	tiny_step_to(c, &step, 5);
	assert_int_equal(step.exit_kind, TRACE_EXIT_NATIVE);
	assert_string_equal(step.native_name, "elsewhere");
	assert_int_equal(step.enter.why, TRACE_WHY_RETURN);
	assert_int_equal(step.next, TINY_RUN + 17);
	assert_int_equal(trace_cursor_reg(c, TRACE_RAX), 2);
	assert_true(trace_cursor_read(c, STACK - 16, 8, (uint8_t *)&pushed));
	assert_int_equal(pushed, TINY_RUN + 17);
	trace_cursor_free(c);
	/* nothing restored the stack pointer: the record is not of a real run */
	trace_run_free(run);
	run = tiny_open_run(f);
	assert_false(trace_check(run, f->lift, &checked, NULL));
	trace_run_free(run);
}

static void check_finds(struct fixture *f, const char *what)
{
	struct trace_run *run = tiny_open_run(f);
	g_autoptr(GError) error = NULL;
	uint64_t checked;

	assert_false(trace_check(run, f->lift, &checked, &error));
	assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_CHECK));
	assert_non_null(strstr(error->message, what));
	assert_non_null(strstr(error->message, "tiny.c:7"));
	trace_run_free(run);
}

/* Offset in the stream of what follows the first load. */
static size_t after_first_load(void)
{
	return sizeof(struct trace_enter) + 17 * 8 + 4;
}

static void check_passes(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	uint64_t checked;

	record_run(f, 2, true);
	run = tiny_open_run(f);
	assert_true(trace_check(run, f->lift, &checked, NULL));
	assert_int_equal(checked, 16);
	trace_run_free(run);
}

static void check_finds_another_branch(void **state)
{
	struct fixture *f = *state;

	record_run(f, 9, true); /* 9 <= 5 is not so */
	check_finds(f, "where control goes");
}

static void check_finds_another_value(void **state)
{
	struct fixture *f = *state;

	record_run(f, 2, true);
	f->record.stream->data[after_first_load() + 1] ^= 0x40; /* -4(%rbp) */
	tiny_write(&f->record, f->directory, -1);
	check_finds(f, "what memory holds");
}

static void check_finds_another_result(void **state)
{
	struct fixture *f = *state;

	record_run(f, 2, true);
	/* pxor's result: 24 bytes of flow, load and result follow */
	f->record.stream->data[f->record.stream->len - 24 - 1] = 1;
	tiny_write(&f->record, f->directory, -1);
	check_finds(f, "a vector register");
}

/* Every way to cut the stream is noticed. */
static void walk_to_end(struct trace_run *run, struct lift *lift)
{
	struct trace_cursor *c = trace_cursor_new(run, 0, lift);
	g_autoptr(GError) error = NULL;
	struct trace_step step;
	int went;

	do
		went = trace_cursor_step(c, &step, &error);
	while (went > 0);
	assert_int_equal(went, 0);
	assert_int_equal(step.exit_kind, TRACE_EXIT_AWAY);
	trace_cursor_free(c);
}

/* The stream's end in a file of its own, as a run leaves it, wherever it starts. */
static void completes_a_record(void **state)
{
	struct fixture *f = *state;
	g_autofree char *tail = g_build_filename(f->directory, "tail.0", NULL);
	const GByteArray *stream;

	record_run(f, 2, true);
	stream = f->record.stream;
	for (guint flushed = 0; flushed <= stream->len; flushed++) {
		struct trace_run *run;

		f->record.head.flushed = flushed;
		tiny_write(&f->record, f->directory, flushed);
		assert_true(g_file_set_contents(tail, (const char *)stream->data + flushed,
						stream->len - flushed, NULL));
		tiny_set_length(f, stream->len);
		run = tiny_open_run(f);
		assert_false(g_file_test(tail, G_FILE_TEST_EXISTS));
		walk_to_end(run, f->lift);
		trace_run_free(run);
	}
}

static void cut_off(void **state)
{
	struct fixture *f = *state;

	record_run(f, 2, true);
	for (guint length = 1; length < f->record.stream->len; length++) {
		g_autoptr(GError) error = NULL;
		struct trace_run *run;
		struct trace_cursor *c;
		struct trace_step step;
		int went;
		tiny_write(&f->record, f->directory, length);
		run = tiny_open_run(f);
		c = trace_cursor_new(run, 0, f->lift);
		while ((went = trace_cursor_step(c, &step, &error)) > 0)
			;
		assert_int_equal(went, -1);
		assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
		g_clear_error(&error);
		assert_int_equal(trace_cursor_step(c, &step, &error), -1);
		assert_non_null(error);
		trace_cursor_free(c);
		trace_run_free(run);
	}
}

/* A record that ends in the middle: at an instruction that did not complete. */
static void ends_at_a_fault(void **state)
{
	struct fixture *f = *state;
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;

	record_run(f, 2, true);
	f->record.head.insns = 2;
	tiny_write(&f->record, f->directory, (gssize)after_first_load() - 4);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	tiny_step_to(c, &step, 1);
	assert_int_equal(trace_cursor_pc(c), TINY_RUN + 4);
	assert_int_equal(trace_cursor_step(c, &step, NULL), 0);
	assert_int_equal(step.exit_kind, TRACE_EXIT_CUT);
	assert_int_equal(step.pc, TINY_RUN + 4);
	assert_int_equal(step.n_reads, 0);
	assert_int_equal(trace_cursor_pc(c), 0);
	trace_cursor_free(c);
	trace_run_free(run);
}

static void applies_actions(void **state)
{
	struct fixture *f = *state;
	struct trace_action action = { .kind = TRACE_ACTION_REG,
				       .reg = TRACE_RAX,
				       .size = 4,
				       .addr = TINY_LINK + 4,
				       .nth = 1,
				       .value = { 3 } };
	struct trace_run *run;
	struct trace_cursor *c;
	struct trace_step step;

	record_run(f, 9, true);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	trace_cursor_set_actions(c, &action, 1);
	tiny_step_to(c, &step, 2);
	assert_int_equal(trace_cursor_reg(c, TRACE_RAX), 3);
	trace_cursor_free(c);
	trace_run_free(run);
}

/* The original does not notice what the copy did. */
static void a_copy_has_the_same_actions(void **state)
{
	struct fixture *f = *state;
	struct trace_action action = { .kind = TRACE_ACTION_REG,
				       .reg = TRACE_RAX,
				       .size = 4,
				       .addr = TINY_LINK + 4,
				       .nth = 1,
				       .value = { 3 } };
	struct trace_run *run;
	struct trace_cursor *c, *copy;
	struct trace_step step;

	record_run(f, 9, true);
	run = tiny_open_run(f);
	c = trace_cursor_new(run, 0, f->lift);
	trace_cursor_set_actions(c, &action, 1);
	tiny_step_to(c, &step, 1);
	copy = trace_cursor_copy(c);
	tiny_step_to(copy, &step, 1);
	assert_int_equal(trace_cursor_reg(copy, TRACE_RAX), 3);
	trace_cursor_free(copy);
	tiny_step_to(c, &step, 1);
	assert_int_equal(trace_cursor_reg(c, TRACE_RAX), 3);
	trace_cursor_free(c);
	trace_run_free(run);
}

/* The second file was being made when the process ended. */
static void chooses_a_thread_that_is_there(void **state)
{
	static const char zeros[TRACE_STREAM_OFFSET];
	struct fixture *f = *state;
	g_autofree char *path = g_build_filename(f->directory, "trace.1", NULL);
	g_autoptr(GError) error = NULL;
	struct trace_run *run;

	record_run(f, 2, true);
	for (size_t size = 0; size <= sizeof(zeros); size += sizeof(zeros)) {
		assert_true(g_file_set_contents(path, zeros, (gssize)size, NULL));
		run = tiny_open_run(f);
		assert_int_equal(trace_run_threads(run), 1);
		assert_int_equal(trace_run_chosen(run), 0);
		assert_true(trace_run_choose(run, 0, &error));
		assert_false(trace_run_choose(run, 1, &error));
		assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_OPEN));
		assert_int_equal(trace_run_chosen(run), 0);
		g_clear_error(&error);
		trace_run_free(run);
	}
	g_unlink(path);
}

static void refuses_other_files(void **state)
{
	struct fixture *f = *state;
	struct image *images[] = { &f->image };
	g_autoptr(GError) error = NULL;

	assert_null(trace_run_open(f->directory, images, 1, &error));
	assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_OPEN));
	g_clear_error(&error);
	record_run(f, 2, true);
	for (uint32_t version = TRACE_OLDEST_VERSION - 1; version <= TRACE_VERSION + 1; version++) {
		bool known = version >= TRACE_OLDEST_VERSION && version <= TRACE_VERSION;
		struct trace_run *run;

		f->record.head.version = version;
		tiny_write(&f->record, f->directory, -1);
		run = trace_run_open(f->directory, images, 1, &error);
		assert_true(!run != known);
		assert_true(known || g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
		g_clear_error(&error);
		trace_run_free(run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_through, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(walks_a_part, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(comes_back_from_untraced_code, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(check_passes, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(check_finds_another_branch, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(check_finds_another_value, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(check_finds_another_result, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(completes_a_record, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(cut_off, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(ends_at_a_fault, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(applies_actions, tiny_set_up, tiny_tear_down),
		cmocka_unit_test_setup_teardown(a_copy_has_the_same_actions, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(chooses_a_thread_that_is_there, tiny_set_up,
						tiny_tear_down),
		cmocka_unit_test_setup_teardown(refuses_other_files, tiny_set_up, tiny_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
