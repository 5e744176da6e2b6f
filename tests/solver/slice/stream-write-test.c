/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which call of a stream in memory printed a byte of its text, and of which it is not said. */
#include "gdbext/replay/replay.h"
#include "solver/slice/library-read.h"
#include "solver/slice/stream-write.h"
#include "solver/source/trace-point/trace-point.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char streams[] = "#define _GNU_SOURCE\n"
			      "#include <assert.h>\n"
			      "#include <stdio.h>\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "  char *text = NULL, *other = NULL, name[3] = \"ab\";\n"
			      "  size_t size;\n"
			      "  FILE *m = open_memstream(&text, &size);\n"
			      "  fprintf(m, \"n=%d;%s.\", argc + 6, name);\n" /* n=7;ab. */
			      "  fputc('x', m);\n"
			      "  fputs(\"two\", m);\n"
			      "  fputs(name, m);\n"
			      "  fputc('y', m);\n"
			      "  fclose(m);\n"
			      "  m = open_memstream(&other, &size);\n"
			      "  fprintf(m, \"%d\", argc);\n"
			      "  fseek(m, 0, SEEK_SET);\n"
			      "  fputc('z', m);\n"
			      "  fclose(m);\n"
			      "  assert(text[2] + other[0] == 0);\n"
			      "  return argv[0][0];\n"
			      "}\n";

struct stream_fixture {
	char *folder;
	struct replay *replay;
	struct replay_failing failing;
	struct reverse_index *index;
	struct trace_point *point;
};

static void start_streams(struct stream_fixture *x)
{
	g_autofree char *program = NULL;
	struct replay_options o;
	struct image *const *images;
	size_t n;

	x->folder = test_folder_new();
	program = test_compile(x->folder, "streams", streams, "gcc -g -O0 -fno-builtin");
	o = support_options((char *[]){ program, NULL });
	x->replay = replay_new(&o, NULL);
	assert_non_null(x->replay);
	assert_true(replay_record_failing(x->replay, &x->failing, NULL));
	images = replay_images(x->replay, &n);
	x->index = reverse_index_new(limits_default());
	x->point = trace_point_new(images, n, x->failing.record, x->failing.thread, x->failing.line,
				   x->index, NULL, NULL);
	assert_non_null(x->point);
}

static void stop_streams(struct stream_fixture *x)
{
	trace_point_free(x->point);
	reverse_index_free(x->index);
	replay_failing_clear(&x->failing);
	replay_free(x->replay);
	test_folder_free(x->folder);
}

static bool two_long(void *arg, uint64_t step, uint64_t address, uint64_t *length)
{
	(void)arg;
	(void)step;
	(void)address;
	*length = 2;
	return true;
}

static struct stream_write write_at(struct stream_fixture *x, unsigned stream, unsigned at,
				    unsigned size, stream_measure_fn *measure)
{
	const struct memory_stream *m = memory_streams_at(reverse_index_streams(x->index), stream);
	const struct reverse_index_place place = { .memory = true,
						   .address = memory_stream_address(m, 0) + at,
						   .size = size };
	struct stream_write w = { 0 };

	assert_true(stream_write_before(x->index, &place, reverse_index_steps(x->index), measure,
					NULL, &w));
	assert_ptr_equal(w.stream, m);
	return w;
}

static void each_byte_is_of_its_call(struct stream_fixture *x)
{
	static const struct {
		unsigned at, call, offset;
	} bytes[] = {
		{ 0, 0, 0 }, { 2, 0, 2 }, { 6, 0, 6 }, { 7, 1, 0 }, { 8, 2, 0 }, { 10, 2, 2 }
	};

	for (size_t i = 0; i < G_N_ELEMENTS(bytes); i++) {
		struct stream_write w = write_at(x, 0, bytes[i].at, 1, NULL);

		assert_true(w.is_known);
		assert_int_equal(w.first, bytes[i].call);
		assert_int_equal(w.end, bytes[i].call + 1);
		assert_int_equal(w.offset, bytes[i].offset);
	}
}

/* How long the text is that the fourth call printed, somebody has to say. */
static void what_is_not_known_is_not_said(struct stream_fixture *x)
{
	struct stream_write w = write_at(x, 0, 13, 1, NULL);

	assert_false(w.is_known);
	assert_int_equal(w.first, 3);
	assert_int_equal(w.end, 5);
	w = write_at(x, 0, 13, 1, two_long);
	assert_true(w.is_known);
	assert_int_equal(w.first, 4);
	assert_int_equal(w.end, 5);
	w = write_at(x, 0, 6, 3, NULL);
	assert_true(w.is_known);
	assert_int_equal(w.first, 0);
	assert_int_equal(w.end, 3);
	w = write_at(x, 1, 0, 1, NULL);
	assert_int_equal(w.end, 0);
}

/* Byte 2 is of the number, in the third argument; byte 3 is of the format, and byte 4 of the text.
 */
static void a_byte_is_made_of_its_argument(struct stream_fixture *x)
{
	static const struct {
		unsigned at, reg, reads;
	} bytes[] = {
		{ 2, TRACE_RDX, 1 }, { 3, TRACE_RSI, 1 }, { 4, TRACE_RCX, 2 }, { 7, TRACE_RDI, 1 }
	};

	for (size_t i = 0; i < G_N_ELEMENTS(bytes); i++) {
		g_autoptr(GArray) reads = g_array_new(FALSE, FALSE, sizeof(struct library_read));
		struct stream_write w = write_at(x, 0, bytes[i].at, 1, NULL);

		stream_write_reads(x->index, &w, reads);
		assert_int_equal(reads->len, bytes[i].reads);
		assert_false(g_array_index(reads, struct library_read, 0).place.memory);
		assert_int_equal(g_array_index(reads, struct library_read, 0).place.reg,
				 bytes[i].reg);
	}
}

static void texts_in_memory_are_taken_apart(void **state)
{
	struct stream_fixture x = { 0 };

	(void)state;
	support_need_replay();
	start_streams(&x);
	assert_int_equal(memory_streams_count(reverse_index_streams(x.index)), 2);
	each_byte_is_of_its_call(&x);
	what_is_not_known_is_not_said(&x);
	a_byte_is_made_of_its_argument(&x);
	stop_streams(&x);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_in_memory_are_taken_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
