/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record as `explain --record' takes it: checked, unpacked, its program found.  The input is a
 * file, whose checksum is made right first, or else the members of one, which are packed: name,
 * NUL, two bytes of length, bytes. */
#include "tests/support/archive.h"

#include "gdbext/record/record.h"

#include <fcntl.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int file_as_it_is(const uint8_t *data, size_t size)
{
	g_autofree uint8_t *bytes = g_memdup2(data, size);

	archive_reseal(bytes, size);
	return archive_file_of(bytes, size);
}

/* The length of the member at data, without its name; what follows is its bytes. */
static const uint8_t *next_member(const uint8_t *data, const uint8_t *end, char name[48],
				  size_t *length)
{
	size_t named = strnlen((const char *)data, MIN((size_t)(end - data), 47));

	memcpy(name, data, named);
	name[named] = '\0';
	data += MIN((size_t)(end - data), named + 1);
	*length = end - data < 2 ? 0 : (size_t)data[0] | (size_t)data[1] << 8;
	data += MIN(end - data, 2);
	*length = MIN(*length, (size_t)(end - data));
	return data;
}

static int file_of_members(const uint8_t *data, size_t size)
{
	int fd = archive_file_of("", 0);
	struct archive_writer *w = archive_create(fd, "FILE", NULL);
	const uint8_t *end = data + size;
	char name[48];
	size_t length;

	g_assert(w);
	for (; data < end; data += length) {
		data = next_member(data, end, name, &length);
		g_assert(archive_put_bytes(w, name, data, length, NULL));
	}
	g_assert(archive_finish(w, NULL));
	archive_writer_free(w);
	return fd;
}

static bool look_at(struct record *r, GError **error)
{
	/* nothing on this machine is the program, so nothing is run */
	const struct record_place place = { .directory = "/" };
	struct replay_failing failing = { 0 };
	struct image *const *images;
	size_t n;

	if (!record_find_program(r, &place, error))
		return false;
	images = record_images(r, &n);
	g_assert(n && images[0]);
	record_failing(r, &failing);
	replay_failing_clear(&failing);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool is_file = size >= 16 && !memcmp(data, ARCHIVE_MAGIC, 16);
	int fd = is_file ? file_as_it_is(data, size) : file_of_members(data, size);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autoptr(GError) error = NULL;
	struct record *r = record_open(path, 1 << 20, &error);

	if (!(r && look_at(r, &error)))
		g_assert(error && !strchr(error->message, '\n'));
	record_free(r);
	close(fd);
	return 0;
}
