/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a record may become when it is unpacked: made on purpose, its checksum is right. */
#include "tests/support/archive.h"

#include "gdbext/record/record.h"
#include "solver/format/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib/gstdio.h>

static void put_facts(struct archive_writer *w)
{
	struct facts *f = facts_new();
	g_autoptr(GByteArray) bytes = NULL;

	f->program = g_strdup("/home/u/p");
	f->directory = g_strdup("/home/u");
	g_ptr_array_add(f->args, g_strdup("./p"));
	g_ptr_array_add(f->modules, g_strdup("/home/u/p"));
	g_ptr_array_add(f->build_ids, g_strdup(""));
	g_ptr_array_add(f->sums, g_strdup("00"));
	f->end = RUN_ASSERT;
	bytes = facts_write(f);
	facts_free(f);
	assert_true(archive_put_bytes(w, "facts", bytes->data, bytes->len, NULL));
}

/* A stream whose head says `said' bytes, in a file of `size' bytes. */
static char *stream_file(const char *folder, uint64_t said, uint64_t size)
{
	char *path = g_build_filename(folder, "stream", NULL);
	struct trace_head head = { .length = said };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	memcpy(head.magic, TRACE_HEAD_MAGIC, sizeof head.magic);
	assert_int_equal(write(fd, &head, sizeof head), sizeof head);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	close(fd);
	return path;
}

/* What opening a record with that stream says; NULL when it is opened. */
static char *said_of(uint64_t said, uint64_t size, uint64_t most)
{
	g_autofree char *folder = g_dir_make_tmp("gdb-why-unpack-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "r.why", NULL);
	g_autofree char *stream = stream_file(folder, said, size);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct archive_writer *w = archive_create(fd, path, NULL);
	struct record *r;
	GError *error = NULL;
	char *message;

	put_facts(w);
	assert_true(archive_put_file(w, "trace.0", stream, size, NULL));
	assert_true(archive_finish(w, NULL));
	archive_writer_free(w);
	close(fd);
	r = record_open(path, most, &error);
	record_free(r);
	message = error ? g_strdup(error->message) : NULL;
	assert_true(!r == !!error);
	g_clear_error(&error);
	g_unlink(path);
	g_unlink(stream);
	g_rmdir(folder);
	return message;
}

static void assert_says(char *message, const char *words)
{
	assert_non_null(message);
	if (!strstr(message, words))
		fail_msg("no `%s' in: %s", words, message);
	g_free(message);
}

static void bombs_are_refused(void **state)
{
	const uint64_t length = UINT64_C(300) << 20, size = TRACE_STREAM_OFFSET + length;

	(void)state;
	assert_says(said_of(length, size, 0), "--max-record 301M");
	assert_says(said_of(length, size, length), "if you trust it");
	assert_null(said_of(length, size, size + 100000));
}

static void small_ones_are_not(void **state)
{
	(void)state;
	assert_null(said_of(1 << 20, TRACE_STREAM_OFFSET + (1 << 20), 0));
}

static void nothing_stands_behind_the_end(void **state)
{
	(void)state;
	assert_says(said_of(100, TRACE_STREAM_OFFSET + 101, 0), "bytes behind the end");
	assert_null(said_of(100, TRACE_STREAM_OFFSET + 100, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(small_ones_are_not),
		cmocka_unit_test(nothing_stands_behind_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
