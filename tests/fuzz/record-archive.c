/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record's file, whose checksum is made right first: whatever it holds, all of its members are
 * read, or it is refused with one sentence. */
#include "tests/support/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree uint8_t *bytes = g_memdup2(data, size);
	g_autoptr(GError) error = NULL;

	archive_reseal(bytes, size);
	if (!archive_try(bytes, size, &error))
		g_assert(error && error->domain == RECORD_ERROR && !strchr(error->message, '\n'));
	return 0;
}
