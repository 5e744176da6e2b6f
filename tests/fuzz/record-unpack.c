/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record's file, whose checksum is made right first, as `explain --record' takes it: checked,
 * unpacked, its program found. */
#include "tests/support/archive.h"

#include "gdbext/record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree uint8_t *bytes = g_memdup2(data, size);
	const struct record_place place = { .program = NULL };
	GError *error = NULL;
	struct record *r;
	int fd;

	archive_reseal(bytes, size);
	fd = archive_file_of(bytes, size);
	{
		g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

		r = record_open(path, 1 << 20, &error);
	}
	g_assert(!r == !!error);
	if (r && record_find_program(r, &place, &error)) {
		struct replay_failing failing = { 0 };

		record_failing(r, &failing);
		replay_failing_clear(&failing);
	}
	g_clear_error(&error);
	record_free(r);
	close(fd);
	return 0;
}
