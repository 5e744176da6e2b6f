/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of commands that hold ours, too: GDB, which reads such files itself, does
 * not know these, so their lines are executed here.
 */
#include "gdbext/session/internal.h"

#include <string.h>

static bool is_one_of_words(const char *line, const char *const *words)
{
	g_autofree char *word = g_strndup(line, strcspn(line, " \t"));

	return g_strv_contains(words, word);
}

/* Does the body of a command follow? */
static bool begins_body(const char *line)
{
	static const char *const always[] = { "define",	  "document", "if", "while",
					      "commands", "stepping", NULL };
	static const char *const alone[] = { "python", "py", "guile", "gu", "compile", NULL };

	return is_one_of_words(line, always) ||
	       (!strpbrk(line, " \t") && is_one_of_words(line, alone));
}

static bool has_own(char *const *lines)
{
	unsigned depth = 0;

	for (; *lines; lines++) {
		g_autofree char *line = g_strstrip(g_strdup(*lines));

		if (strcmp(line, "end") == 0 && depth)
			depth--;
		else if (begins_body(line))
			depth++;
		else if (!depth && why_is_own(line))
			return true;
	}
	return false;
}

char **script_lines(const char *line)
{
	g_autofree char *bare = g_strstrip(g_strdup(line));
	g_autofree char *file = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_str_has_prefix(bare, "source ") || g_str_has_suffix(bare, ".py") ||
	    g_str_has_suffix(bare, ".scm"))
		return NULL;
	file = g_strstrip(g_strdup(bare + strlen("source ")));
	if (file[0] == '~') {
		g_autofree char *short_one = g_steal_pointer(&file);

		file = g_strconcat(g_get_home_dir(), short_one + 1, NULL);
	}
	if (!g_file_get_contents(file, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	return has_own(lines) ? g_steal_pointer(&lines) : NULL;
}
