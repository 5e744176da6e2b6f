/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record's file is read as it was written, or refused in one sentence. */
#include "tests/support/archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sys/resource.h>

/* Some facts, as they are in an archive. */
static GByteArray *some_facts(void)
{
	struct facts *f = facts_new();
	GByteArray *bytes;

	f->program = g_strdup("/home/u/p");
	f->directory = g_strdup("/home/u");
	g_ptr_array_add(f->args, g_strdup("./p"));
	g_ptr_array_add(f->args, g_strdup(""));
	g_ptr_array_add(f->args, g_strdup("a=\n\xff"));
	g_ptr_array_add(f->modules, g_strdup("/home/u/p"));
	g_ptr_array_add(f->build_ids, g_strdup(""));
	g_ptr_array_add(f->sums, g_strdup("00"));
	f->end = RUN_ASSERT;
	f->line = 13;
	bytes = facts_write(f);
	facts_free(f);
	return bytes;
}

enum { LONG = 600000 }; /* more than the pieces that files are read in */

static uint8_t *noise(void)
{
	uint8_t *bytes = g_malloc(LONG);
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (size_t i = 0; i < LONG; i++)
		bytes[i] = i % 1000 < 500 ? (uint8_t)g_rand_int(rand) : (uint8_t)i;
	return bytes;
}

/* An archive with a long member or without it. */
static GByteArray *some_archive(bool with_long)
{
	int fd = archive_file_of("", 0);
	g_autoptr(GByteArray) facts = some_facts();
	struct archive_writer *w = archive_create(fd, "FILE", NULL);
	g_autofree uint8_t *random = noise();
	GByteArray *all = g_byte_array_new();
	off_t size;

	assert_non_null(w);
	assert_true(archive_put_bytes(w, "facts", facts->data, facts->len, NULL));
	assert_true(archive_put_bytes(w, "empty", "", 0, NULL));
	if (with_long)
		assert_true(archive_put_bytes(w, "trace.0", random, LONG, NULL));
	assert_true(archive_finish(w, NULL));
	size = lseek(fd, 0, SEEK_END);
	assert_int_equal(size, archive_written(w));
	archive_writer_free(w);
	g_byte_array_set_size(all, (guint)size);
	assert_int_equal(pread(fd, all->data, (size_t)size, 0), size);
	close(fd);
	return all;
}

static void reads_what_was_written(void **state)
{
	g_autoptr(GByteArray) all = some_archive(true);
	g_autofree uint8_t *random = noise();
	g_autofree char *path = g_strdup_printf("/tmp/why-extract-%d", (int)getpid());
	g_autofree char *text = NULL;
	g_autoptr(GBytes) read = NULL;
	int fd = archive_file_of(all->data, all->len);
	struct archive *a = archive_open(fd, "FILE", NULL);
	const struct archive_member *m;
	size_t n;

	(void)state;
	assert_non_null(a);
	archive_members(a, &n);
	assert_int_equal(n, 3);
	assert_null(archive_find(a, "trace.1"));
	m = archive_find(a, "trace.0");
	assert_non_null(m);
	assert_null(archive_read(a, m, LONG - 1, NULL));
	read = archive_read(a, m, LONG, NULL);
	assert_non_null(read);
	assert_int_equal(g_bytes_get_size(read), LONG);
	assert_memory_equal(g_bytes_get_data(read, NULL), random, LONG);
	unlink(path);
	assert_true(archive_extract(a, m, path, NULL));
	assert_false(archive_extract(a, m, path, NULL)); /* it is there */
	assert_true(g_file_get_contents(path, &text, &n, NULL));
	assert_int_equal(n, LONG);
	assert_memory_equal(text, random, LONG);
	unlink(path);
	archive_free(a);
	close(fd);
}

static void facts_come_back(void **state)
{
	g_autoptr(GByteArray) bytes = some_facts();
	struct facts *f = facts_read(bytes->data, bytes->len, NULL);

	(void)state;
	assert_non_null(f);
	assert_string_equal(f->program, "/home/u/p");
	assert_int_equal(f->args->len, 3);
	assert_string_equal(f->args->pdata[1], "");
	assert_string_equal(f->args->pdata[2], "a=\n\xff");
	assert_null(f->expression);
	assert_int_equal(f->line, 13);
	assert_int_equal(f->end, RUN_ASSERT);
	facts_free(f);
}

static void refuses(const void *bytes, size_t size, const char *says, const char *what, size_t at)
{
	g_autoptr(GError) error = NULL;

	if (archive_try(bytes, size, &error))
		fail_msg("%s %zu was accepted", what, at);
	assert_true(error->domain == RECORD_ERROR && error->code == RECORD_ERROR_FORMAT);
	if (strchr(error->message, '\n') || !g_str_has_suffix(error->message, ".") ||
	    (says && !strstr(error->message, says)))
		fail_msg("%s %zu: %s", what, at, error->message);
}

static void refuses_every_shorter_file(void **state)
{
	g_autoptr(GByteArray) all = some_archive(false), large = some_archive(true);

	(void)state;
	for (size_t n = 0; n < all->len; n++) {
		refuses(all->data, n, NULL, "the first bytes", n);
		/* the same with an end that fits */
		g_autofree uint8_t *cut = g_memdup2(all->data, all->len);

		if (n < sizeof(struct archive_tail))
			continue;
		memcpy(cut + n - sizeof(struct archive_tail),
		       all->data + all->len - sizeof(struct archive_tail),
		       sizeof(struct archive_tail));
		archive_reseal(cut, n);
		refuses(cut, n, NULL, "the first bytes, sealed,", n);
	}
	for (size_t n = 1; n < large->len; n = n * 5 / 3 + 1)
		refuses(large->data, large->len - n, NULL, "less the last bytes", n);
}

static void refuses_every_altered_byte(void **state)
{
	g_autoptr(GByteArray) all = some_archive(false);
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);

	(void)state;
	for (size_t i = 0; i < all->len; i++) {
		uint8_t was = all->data[i];

		all->data[i] ^= (uint8_t)g_rand_int_range(rand, 1, 256);
		refuses(all->data, all->len, NULL, "altered byte", i);
		all->data[i] = was;
	}
	g_byte_array_append(all, (const guint8 *)"x", 1);
	refuses(all->data, all->len, NULL, "one more byte after", all->len);
}

/* Altered on purpose: the checksum fits.  It may be another good one. */
static void reads_or_refuses_what_is_sealed(void **state)
{
	g_autoptr(GByteArray) all = some_archive(true);
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	g_autofree uint8_t *bytes = g_malloc(all->len);
	unsigned refused = 0;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		g_autoptr(GError) error = NULL;
		int flips = g_rand_int_range(rand, 1, 4);

		memcpy(bytes, all->data, all->len);
		for (int k = 0; k < flips; k++) {
			/* half of them in the list and the end, where the lengths are */
			size_t at = i % 2 ? all->len - 1 - (size_t)g_rand_int_range(rand, 0, 260)
					  : (size_t)g_rand_int_range(rand, 0, (int)all->len);

			bytes[at] = (uint8_t)g_rand_int(rand);
		}
		archive_reseal(bytes, all->len);
		if (archive_try(bytes, all->len, &error))
			continue;
		refused++;
		assert_true(error && error->domain == RECORD_ERROR);
	}
	/* Noise stays noise, and what follows a name's end is not looked at. */
	if (refused < 100)
		fail_msg("only %u of 1500 were refused", refused);
}

/* Parts of an archive, which lie as they come: copied out and in. */
static struct archive_tail tail_of(const GByteArray *all)
{
	struct archive_tail tail;

	memcpy(&tail, all->data + all->len - sizeof tail, sizeof tail);
	return tail;
}

static size_t place_of_entry(const GByteArray *all, unsigned i)
{
	return (size_t)tail_of(all).entries + i * sizeof(struct archive_entry);
}

static struct archive_entry entry_of(const GByteArray *all, unsigned i)
{
	struct archive_entry e;

	memcpy(&e, all->data + place_of_entry(all, i), sizeof e);
	return e;
}

/* Refused with this entry or tail in place (NULL: as it is) and a checksum that
 * fits; afterwards all is as before. */
static void refuses_with(GByteArray *all, unsigned i, const struct archive_entry *e,
			 const struct archive_tail *tail, const char *says, const char *what)
{
	g_autofree uint8_t *bytes = g_memdup2(all->data, all->len);

	if (e)
		memcpy(bytes + place_of_entry(all, i), e, sizeof *e);
	if (tail)
		memcpy(bytes + all->len - sizeof *tail, tail, sizeof *tail);
	archive_reseal(bytes, all->len);
	refuses(bytes, all->len, says, what, i);
}

static void says_what_is_wrong(void **state)
{
	static const char script[] = "#!/bin/sh\necho this is no record, though it is long enough "
				     "to be one; it goes on and on until it is longer than a head";
	g_autoptr(GByteArray) all = some_archive(false);
	g_autofree uint8_t *good = g_memdup2(all->data, all->len);
	struct archive_head *head = (void *)all->data;

	(void)state;
	refuses("", 0, "it is none", "nothing", 0);
	refuses(script, sizeof script, "it is none", "a script", 0);
	refuses(all->data, all->len - 1, "cut off", "shorter by", 1);
	all->data[70] ^= 1;
	refuses(all->data, all->len, "altered", "byte", 70);
	memcpy(all->data, good, all->len);
	head->version++;
	refuses(all->data, all->len, "version 2 of the format", "version", 2);
	memcpy(all->data, good, all->len);
	memcpy(head->machine, "aarch64-linux", 14);
	refuses(all->data, all->len, "for aarch64-linux", "machine", 0);
	memcpy(all->data, good, all->len);
}

/* As a copy to a medium of whole blocks leaves them, and two records joined to one file. */
static void counts_bytes_behind_its_end(void **state)
{
	static const guint lengths[] = { 1, 15, 64, 4096, LONG };
	g_autoptr(GByteArray) all = some_archive(false);
	g_autofree uint8_t *zeros = g_malloc0(LONG);
	g_autofree char *joined = g_strdup_printf("cannot be used: %u more bytes stand", all->len);
	const guint whole = all->len;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		g_autofree char *says = g_strdup_printf("%u more byte%s behind its end", lengths[i],
							lengths[i] == 1 ? " stands" : "s stand");

		g_byte_array_append(all, zeros, lengths[i]);
		refuses(all->data, all->len, says, "more bytes:", lengths[i]);
		g_byte_array_set_size(all, whole);
	}
	g_byte_array_set_size(all, 2 * whole);
	memcpy(all->data + whole, all->data, whole);
	refuses(all->data, all->len, joined, "two of them", 2);
	/* Without a whole record before them they are not counted. */
	all->data[whole - sizeof(struct archive_tail)] ^= 1;
	refuses(all->data, all->len, "list of contents is damaged", "two of them, damaged", 2);
	all->data[2 * whole - sizeof(struct archive_tail)] ^= 1;
	refuses(all->data, all->len, "cut off", "two of them, without an end", 2);
}

/* Lengths that would take all memory, with a checksum that fits. */
static void allocates_nothing_for_wrong_lengths(void **state)
{
	static const uint64_t lengths[] = { 1ull << 20, 1ull << 32, 1ull << 62, 1ull << 63,
					    UINT64_MAX };
	g_autoptr(GByteArray) all = some_archive(false);
	struct rusage before, after;

	(void)state;
	getrusage(RUSAGE_SELF, &before);
	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		struct archive_entry size = entry_of(all, 0), stored = size;
		struct archive_tail entries = tail_of(all), place = entries;

		size.size = stored.stored = place.entries = lengths[i];
		entries.n_entries = (uint32_t)MIN(lengths[i], UINT32_MAX);
		refuses_with(all, 0, &size, NULL, NULL, "a wrong size");
		refuses_with(all, 0, &stored, NULL, "damaged", "a wrong size in the file");
		refuses_with(all, 0, NULL, &entries, "damaged", "a wrong number of entries");
		refuses_with(all, 0, NULL, &place, "damaged", "a wrong place of the entries");
	}
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 32 << 10);
}

static void names_are_names(void **state)
{
	g_autoptr(GByteArray) all = some_archive(false);
	struct archive_entry e = entry_of(all, 1);

	(void)state;
	memset(e.name, 'x', sizeof e.name);
	refuses_with(all, 1, &e, NULL, "damaged", "a name without end");
	memset(e.name, 0, sizeof e.name);
	refuses_with(all, 1, &e, NULL, "damaged", "a name without letters");
	strcpy(e.name, "facts");
	refuses_with(all, 1, &e, NULL, "damaged", "two of a name");
}

static void facts_that_make_no_sense(void **state)
{
#define TEXT_OF(n) #n
#define STREAMS_OF(n) "streams=" TEXT_OF(n)
#define STREAMS STREAMS_OF(TRACE_VERSION)
#define BASE STREAMS "\0program=/p\0arg=p\0directory=/\0module=/p\0build-id=\0sum=0\0"
#define CASE(text, says)                     \
	{                                    \
		text, sizeof(text) - 1, says \
	}
	static const struct {
		const char *text;
		size_t size;
		const char *says;
	} cases[] = {
		CASE("", "cut off"),
		CASE("program=/p", "cut off"),
		CASE("\0", "without a name"),
		CASE("nothing\0", "without a name"),
		CASE("program=/p\0", "another version"),
		CASE("streams=99\0program=/p\0", "another version"),
		CASE(STREAMS "\0program=/p\0", "a program"),
		CASE(STREAMS "\0program=p\0arg=p\0", "a program"),
		CASE(STREAMS "\0program=/p\0arg=p\0directory=x\0", "a folder"),
		CASE(STREAMS "\0program=/p\0arg=p\0directory=/\0", "modules"),
		CASE(BASE "module=/q\0", "modules"),
		CASE(BASE "program=/p\0", "two of program"),
		CASE(BASE "end=99\0", "number for end"),
		CASE(BASE "line=-1\0", "number for line"),
		CASE(BASE "line=\0", "number for line"),
		CASE(BASE "env-bytes=99999999999\0", "number for env-bytes"),
	};
	struct facts *good = facts_read(BASE, sizeof BASE - 1, NULL);

	(void)state;
	assert_non_null(good);
	facts_free(good);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		if (facts_read(cases[i].text, cases[i].size, &error))
			fail_msg("case %zu was accepted", i);
		assert_int_equal(error->domain, RECORD_ERROR);
		if (!strstr(error->message, cases[i].says))
			fail_msg("case %zu: %s", i, error->message);
	}
}

static void full_disks_are_told(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	g_autoptr(GError) error = NULL;

	(void)state;
	if (fd < 0)
		skip();
	assert_null(archive_create(fd, "FILE", &error));
	assert_true(g_error_matches(error, RECORD_ERROR, RECORD_ERROR_FILE));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_written),
		cmocka_unit_test(facts_come_back),
		cmocka_unit_test(refuses_every_shorter_file),
		cmocka_unit_test(refuses_every_altered_byte),
		cmocka_unit_test(reads_or_refuses_what_is_sealed),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(counts_bytes_behind_its_end),
		cmocka_unit_test(allocates_nothing_for_wrong_lengths),
		cmocka_unit_test(names_are_names),
		cmocka_unit_test(facts_that_make_no_sense),
		cmocka_unit_test(full_disks_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
