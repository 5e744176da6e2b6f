/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record's files: nothing is lost, limits hold, and what a full disk or a fork does. */
#include "tests/support/hosted.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 1000, WINDOW = 256 << 10 };
static const uint8_t nothing[] = "\x48\x89\xf8\xc3";

static struct hosted *start(uint64_t max_bytes, uint64_t window)
{
	struct hosted *h = hosted_new(nothing, sizeof nothing - 1, TRACE_RECORD);

	hosted_function(h, 0, sizeof nothing - 1);
	h->plan.max_bytes = max_bytes;
	h->plan.window = window;
	hosted_load(h);
	return h;
}

/* The n-th piece of a stream, never the same twice. */
static void make_piece(unsigned n, uint8_t *piece)
{
	for (unsigned i = 0; i < PIECE; i++)
		piece[i] = (uint8_t)(n * 31 + i * 7 + (i >> 8) + (n >> 3));
}

static void put_pieces(struct agent_thread *t, unsigned from, unsigned to)
{
	uint8_t piece[PIECE];

	for (unsigned n = from; n < to; n++) {
		make_piece(n, piece);
		hosted_put(t, piece, PIECE);
	}
}

static void check_pieces(const GByteArray *s, unsigned n)
{
	uint8_t piece[PIECE];

	assert_int_equal(s->len, n * PIECE);
	for (unsigned i = 0; i < n; i++) {
		make_piece(i, piece);
		assert_memory_equal(s->data + i * PIECE, piece, PIECE);
	}
}

static bool exists(const struct hosted *h, const char *name)
{
	g_autofree char *path = g_build_filename(h->folder, name, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static gsize size_of(const struct hosted *h, const char *name)
{
	g_autofree char *path = g_build_filename(h->folder, name, NULL);
	GStatBuf st;

	return g_stat(path, &st) ? 0 : (gsize)st.st_size;
}

/* Less than a window, exactly at its end, and many. */
static void all_bytes_are_in_the_files(void **state)
{
	static const unsigned pieces[] = { 0, 1, 10, WINDOW / PIECE, 2 * WINDOW / PIECE + 1, 2000 };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(pieces); i++) {
		struct hosted *h = start(0, 0);
		struct agent_thread *t = hosted_thread();
		GByteArray *s;

		put_pieces(t, 0, pieces[i]);
		s = hosted_stream(h, t);
		check_pieces(s, pieces[i]);
		assert_int_equal(head_of(t)->length, pieces[i] * PIECE);
		assert_int_equal(head_of(t)->end, TRACE_END_RUNNING);
		assert_true(head_of(t)->length - head_of(t)->flushed <= WINDOW);
		assert_int_equal(size_of(h, "tail.0"), WINDOW);
		g_byte_array_free(s, TRUE);
		hosted_free(h);
	}
}

static void the_head_says_whose_it_is(void **state)
{
	struct hosted *h = start(0, 0);
	const struct trace_head *head = head_of(hosted_thread());
	g_autofree char *path = g_build_filename(h->folder, "trace.0", NULL);
	g_autofree char *text = NULL;

	(void)state;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_memory_equal(text, head, sizeof *head); /* the same page */
	assert_string_equal(head->magic, TRACE_HEAD_MAGIC);
	assert_int_equal(head->pid, getpid());
	assert_int_equal(head->bias[0], (uint64_t)h->code - HOSTED_LINK);
	assert_int_equal(head->native, 1);
	hosted_free(h);
}

/* From --max-record on the program runs without a record. */
static void a_limit_ends_the_record(void **state)
{
	struct hosted *h = start(10 * PIECE + 1, 0);
	struct agent_thread *t = hosted_thread();

	(void)state;
	put_pieces(t, 0, 11);
	assert_int_equal(head_of(t)->end, TRACE_END_RUNNING);
	put_pieces(t, 11, 40);
	assert_int_equal(head_of(t)->end, TRACE_END_BYTES);
	assert_int_equal(head_of(t)->length, 11 * PIECE);
	assert_int_equal(head_of(t)->insns, 40);
	assert_false(t->recording);
	hosted_free(h);
}

/* The process' limit on files: a signal would end the program. */
static void a_limit_on_files_is_no_signal(void **state)
{
	struct hosted *h = start(0, 0);
	struct agent_thread *t = hosted_thread();
	pid_t child = fork();
	int status;

	(void)state;
	if (!child) {
		const struct rlimit limit = { 2 * WINDOW, 2 * WINDOW };

		signal(SIGXFSZ, SIG_DFL);
		if (setrlimit(RLIMIT_FSIZE, &limit))
			_exit(9);
		put_pieces(t, 0, 10 * WINDOW / PIECE);
		_exit(head_of(t)->end == TRACE_END_BYTES && !t->recording ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	hosted_free(h);
}

/* A folder that went away. */
static void a_file_that_cannot_be_made_ends_it(void **state)
{
	struct hosted *h = start(0, 0);
	struct agent_thread *t = hosted_thread();
	const struct trace_async a = { .signo = 5 };

	(void)state;
	h->plan.directory = (uint64_t) "/nonexistent" - (uint64_t)&h->plan;
	put_pieces(t, 0, 2 * WINDOW / PIECE);
	assert_int_equal(head_of(t)->end, TRACE_END_BYTES);
	stream_async(t, &a);
	assert_int_equal(head_of(t)->n_async, 0);
	assert_false(stream_announce(head_of(t)));
	hosted_free(h);
}

/* With a window two parts are kept, each long enough. */
static void only_the_last_parts_are_kept(void **state)
{
	struct hosted *h = start(0, 100);
	struct agent_thread *t = hosted_thread();
	struct trace_head *head = head_of(t);
	uint64_t kept;

	(void)state;
	for (unsigned n = 0; n < 2000; n++) {
		put_pieces(t, n, n + 1);
		if (t->at >= t->limit) {
			stream_grow(t);
			stream_next_part(t);
		}
	}
	assert_true(head->part >= 2);
	assert_true(exists(h, "odd.0") && exists(h, "even.0"));
	kept = head->insns - head->parts[~head->part & 1].insns;
	assert_true(kept >= 100 && kept < head->insns);
	/* what the file had from an older part may stand behind that */
	assert_true(size_of(h, head->part & 1 ? "even.0" : "odd.0") >=
		    head->parts[head->part & 1].offset - head->parts[~head->part & 1].offset);
	assert_int_equal(head->known_until, 0); /* nothing is elided in it */
	hosted_free(h);
}

/* A part begins with all registers, so that a reader may begin there. */
static void a_part_begins_with_the_registers(void **state)
{
	struct hosted *h = start(0, 1);
	struct agent_thread *t = hosted_thread();
	struct trace_head *head = head_of(t);
	g_autofree char *path = g_build_filename(h->folder, "tail.0", NULL);
	g_autofree char *text = NULL;

	(void)state;
	put_pieces(t, 0, 3);
	stream_next_part(t); /* what is in the window is not in a file yet */
	assert_int_equal(head->part, 0);
	stream_grow(t);
	head->regs[TRACE_RBX] = 0x1234567890;
	stream_next_part(t);
	assert_int_equal(head->part, 1);
	assert_int_equal(head->length, 3 * PIECE + TRACE_PART_START);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_int_equal(text[0], 'E');
	assert_int_equal(text[1], TRACE_WHY_START);
	assert_memory_equal(text + sizeof(struct trace_enter) + 8 * TRACE_RBX,
			    &head->regs[TRACE_RBX], 8);
	hosted_free(h);
}

static void what_other_threads_announce_is_a_record(void **state)
{
	struct hosted *h = start(0, 0);

	(void)state;
	hosted_thread();
	assert_int_equal(thread_announce(), 1);
	assert_int_equal(thread_announce(), 2);
	assert_int_equal(size_of(h, "trace.2"), TRACE_STREAM_OFFSET);
	hosted_free(h);
}

static void signals_are_told_in_order(void **state)
{
	struct hosted *h = start(0, 0);
	struct agent_thread *t = hosted_thread();
	g_autofree char *path = g_build_filename(h->folder, "async.0", NULL);
	g_autofree char *text = NULL;
	const struct trace_async *all;
	gsize length;

	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		const struct trace_async a = { .signo = 10 + i, .insns = i };

		stream_async(t, &a);
	}
	assert_int_equal(head_of(t)->n_async, 3);
	assert_true(g_file_get_contents(path, &text, &length, NULL));
	assert_int_equal(length, 3 * sizeof *all);
	all = (const void *)text;
	assert_int_equal(all[0].signo, 11);
	assert_int_equal(all[2].signo, 13);
	hosted_free(h);
}

/* What the recorder may leave out, it may until somebody else writes. */
static void all_loads_are_recorded_from_then_on(void **state)
{
	struct hosted *h = start(0, 0);
	struct agent_thread *t = hosted_thread();

	(void)state;
	assert_true(t->elides);
	put_pieces(t, 0, 5);
	stream_record_all(t);
	assert_int_equal(head_of(t)->known_until, 5);
	assert_false(t->elides);
	put_pieces(t, 5, 9);
	stream_record_all(t);
	assert_int_equal(head_of(t)->known_until, 5);
	hosted_free(h);
}

/* The child of a fork goes on unrecorded, and the parent's record is its own. */
static void a_fork_leaves_the_record_alone(void **state)
{
	struct hosted *h = start(0, 0);
	struct agent_thread *t = hosted_thread();
	pid_t child;
	GByteArray *s;
	int status;

	(void)state;
	put_pieces(t, 0, 10);
	child = fork();
	if (!child) {
		uint64_t length = head_of(t)->length;

		stream_fork(t);
		put_pieces(t, 100, 2000);
		_exit(head_of(t)->length == length && !t->recording ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	put_pieces(t, 10, 20);
	s = hosted_stream(h, t);
	check_pieces(s, 20);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_bytes_are_in_the_files),
		cmocka_unit_test(the_head_says_whose_it_is),
		cmocka_unit_test(a_limit_ends_the_record),
		cmocka_unit_test(a_limit_on_files_is_no_signal),
		cmocka_unit_test(a_file_that_cannot_be_made_ends_it),
		cmocka_unit_test(only_the_last_parts_are_kept),
		cmocka_unit_test(a_part_begins_with_the_registers),
		cmocka_unit_test(what_other_threads_announce_is_a_record),
		cmocka_unit_test(signals_are_told_in_order),
		cmocka_unit_test(all_loads_are_recorded_from_then_on),
		cmocka_unit_test(a_fork_leaves_the_record_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
