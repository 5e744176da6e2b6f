/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer's JSON: it is read or refused with one sentence, and what was read can be
 * written and read again. */
#include "solver/answer/json-read.h"
#include "solver/answer/json.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	GError *error = NULL;
	struct explanation *e = tui_json_read((const char *)data, (gssize)size, &error);

	g_assert(!e == !!error);
	g_clear_error(&error);
	explanation_free(e);
	return 0;
}
