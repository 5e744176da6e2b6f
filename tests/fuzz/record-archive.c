/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record's file, whose checksum is made right first, and what it says of the
 * test: whatever they hold, they are read or refused with one sentence. */
#include "tests/support/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree uint8_t *bytes = g_memdup2(data, size);
	g_autoptr(GError) error = NULL;
	GError *wrong = NULL;
	struct facts *facts;

	archive_reseal(bytes, size);
	if (!archive_try(bytes, size, &error))
		g_assert(error && error->domain == RECORD_ERROR && !strchr(error->message, '\n'));
	facts = facts_read(data, size, &wrong);
	g_assert(!facts == !!wrong);
	g_clear_error(&wrong);
	if (facts) {
		g_autoptr(GByteArray) again = facts_write(facts);
		struct facts *same = facts_read(again->data, again->len, NULL);

		g_assert(same);
		facts_free(same);
	}
	facts_free(facts);
	return 0;
}
