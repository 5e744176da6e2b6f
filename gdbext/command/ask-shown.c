/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask-shown.h"
#include "solver/source/stop.h"
#include "solver/source/value.h"

#include <stdbool.h>
#include <string.h>

/* "-3", "97 'a'" */
static bool is_plain_number(const char *text, gint64 *number)
{
	char *end;

	*number = g_ascii_strtoll(text, &end, 10);
	return end != text && (!*end || g_str_has_prefix(end, " '"));
}

char *ask_shown_value(const char *about, char *value, const char *shown, GError **error)
{
	g_autofree char *ours = value;
	gint64 a, b;

	if (!shown)
		return g_steal_pointer(&ours);
	if (!ours || value_has_holes(ours))
		return g_strdup(shown);
	if (is_plain_number(ours, &a) && is_plain_number(shown, &b) && a != b) {
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "`%s' is %s where the program stands, but %s at the time that the "
			    "replay takes for it; stop at a breakpoint, which tells the time.",
			    about, shown, ours);
		return NULL;
	}
	return g_steal_pointer(&ours);
}
