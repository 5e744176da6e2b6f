/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer's JSON: it is read or refused with one sentence, and what was read is written as it is
 * read again. */
#include "solver/answer/json/json-read.h"
#include "solver/answer/json/json.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	struct explanation *first = tui_json_read((const char *)data, (gssize)size, &error),
			   *second;
	g_autofree char *once = NULL, *twice = NULL;

	if (!first) {
		g_assert(error && error->domain == TUI_JSON_ERROR && !strchr(error->message, '\n'));
		return 0;
	}
	once = tui_json(first);
	second = tui_json_read(once, -1, &error);
	g_assert_no_error(error);
	twice = tui_json(second);
	g_assert_cmpstr(once, ==, twice);
	explanation_free(second);
	explanation_free(first);
	return 0;
}
