/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a child gdb-why: it is an event or refused with one sentence, and what was read can
 * be written. */
#include "gdbext/ipc/event.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int null = -1;
	GError *error = NULL;
	struct event e;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (event_read((const char *)data, size, &e, &error)) {
		g_assert(!error);
		event_write(null, &e);
		event_clear(&e);
	} else {
		g_assert(error);
		g_clear_error(&error);
	}
	return 0;
}
