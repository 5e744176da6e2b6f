/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/panel/panel-leave.h"

#include <string.h>

static bool is_plain_path(const char *file)
{
	for (const char *c = file; *c; c++)
		if (!g_ascii_isalnum(*c) && !strchr("/._+-", *c))
			return false;
	return *file && *file != '-';
}

/* Nothing may end the line, or the quotes. */
static bool can_be_quoted(const char *file)
{
	for (const char *c = file; *c; c++)
		if (g_ascii_iscntrl(*c) || *c == '\'' || *c == '\\')
			return false;
	return *file;
}

char *panel_leave_break(const char *command, const char *file, unsigned line)
{
	if (is_plain_path(file))
		return g_strdup_printf("%s %s:%u", command, file, line);
	if (can_be_quoted(file))
		return g_strdup_printf("%s -source '%s' -line %u", command, file, line);
	return NULL;
}

static void add_breakpoint(void *arg, const char *file, unsigned line, const char *text)
{
	g_autofree char *command = panel_leave_break("break", file, line);

	(void)text;
	if (command)
		g_string_append_printf(arg, "%s\n", command);
}

char *panel_leave_commands(const struct panel *p, const char *last)
{
	GString *out = g_string_new(NULL);

	panel_remarks(p, PANEL_REMARK_BREAK, add_breakpoint, out);
	if (last)
		g_string_append_printf(out, "%s\n", last);
	return g_string_free(out, FALSE);
}
