/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a record says of the test: it is read or refused with one sentence, and what was read is
 * written as it is read again. */
#include "gdbext/record/archive.h"
#include "gdbext/record/facts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	struct facts *facts = facts_read(data, size, &error), *again;
	g_autoptr(GByteArray) once = NULL, twice = NULL;

	if (!facts) {
		g_assert(error && error->domain == RECORD_ERROR && !strchr(error->message, '\n'));
		return 0;
	}
	once = facts_write(facts);
	again = facts_read(once->data, once->len, NULL);
	g_assert(again);
	twice = facts_write(again);
	g_assert(once->len == twice->len && !memcmp(once->data, twice->data, once->len));
	facts_free(again);
	facts_free(facts);
	return 0;
}
