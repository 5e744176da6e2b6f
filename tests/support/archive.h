/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records' files in memory, for tests and fuzz targets. */
#ifndef TESTS_SUPPORT_ARCHIVE_H
#define TESTS_SUPPORT_ARCHIVE_H

#include "gdbext/record/archive.h"
#include "gdbext/record/facts.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file of these bytes that has no name. */
static inline int archive_file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("why-record", MFD_CLOEXEC);

	g_assert(fd >= 0);
	for (size_t at = 0; at < size;) {
		ssize_t got = write(fd, (const uint8_t *)bytes + at, size - at);

		g_assert(got > 0);
		at += (size_t)got;
	}
	return fd;
}

/* Makes the checksum right, as one would who alters a record on purpose. */
static inline void archive_reseal(uint8_t *bytes, size_t size)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	uint8_t digest[sizeof((struct archive_tail *)0)->sum];
	size_t length = sizeof digest;

	if (size < sizeof digest)
		return;
	g_checksum_update(sum, bytes, (gssize)(size - sizeof digest));
	g_checksum_get_digest(sum, digest, &length);
	memcpy(bytes + size - sizeof digest, digest, sizeof digest);
}

/* Opens it and reads every member, and what it says of the test.  False with
 * error where something is wrong. */
static inline bool archive_try(const void *bytes, size_t size, GError **error)
{
	int fd = archive_file_of(bytes, size);
	struct archive *a = archive_open(fd, "FILE", error);
	const struct archive_member *m = NULL;
	bool ok = a != NULL;
	size_t n = 0;

	if (a)
		m = archive_members(a, &n);
	for (size_t i = 0; ok && i < n; i++) {
		g_autoptr(GBytes) read = archive_read(a, &m[i], 1 << 20, error);

		ok = read != NULL;
		if (ok && strcmp(m[i].name, "facts") == 0) {
			gsize length;
			gconstpointer text = g_bytes_get_data(read, &length);
			struct facts *f = facts_read(text, length, error);

			ok = f != NULL;
			facts_free(f);
		}
	}
	archive_free(a);
	close(fd);
	return ok;
}

#endif
