/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of commands that hold ours, too: GDB, which reads such files itself, does
 * not know these, so their lines are executed here.  It executes the bodies of
 * definitions, conditions and hooks itself: there it has why.gdb.
 */
#include "gdbext/session/internal.h"

#include "mi/text.h"
#include "solver/base/installed.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

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

/* ---- bodies that GDB executes ---- */

static bool gdb_executes(struct session *s, const char *command)
{
	g_autofree char *quoted = mi_quote(command);
	g_autoptr(GError) error = NULL;
	g_autoptr(mi_record) r =
		mi_conn_command(s->gdb, -1, &error, "-interpreter-exec console %s", quoted);

	return r != NULL;
}

/* The text of why.gdb; NULL when it is not installed. */
static char *read_why_gdb(void)
{
	g_autofree char *path = installed_file("share", "why.gdb");
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}

static bool answers_in_bodies(const char *name)
{
	static const char *const names[] = { "why", "explain", "why-not", "suspects", NULL };

	return g_strv_contains(names, name);
}

/* Commands for what GDB does not have; the user's own of these names stay. */
static GString *lesson_for_gdb(struct session *s)
{
	g_autofree char *why = read_why_gdb();
	GString *text = g_string_new(NULL);
	const char *name;

	for (size_t i = 0; (name = why_name(i)); i++) {
		g_autofree char *asks = g_strconcat("help ", name, NULL);

		if (gdb_executes(s, asks))
			continue;
		if (why && strcmp(name, "why") == 0)
			g_string_append(text, why);
		else if (!why || !answers_in_bodies(name))
			g_string_append_printf(text,
					       "define %s\n  dont-repeat\n  echo `%s' works at the "
					       "prompt, not in a definition, a condition or a "
					       "hook.\\n\nend\n",
					       name, name);
	}
	return text;
}

void script_teach_gdb(struct session *s)
{
	GString *text;
	char *file = NULL;
	int fd;

	s->hushed = true;
	text = lesson_for_gdb(s);
	fd = g_file_open_tmp("gdb-why-bodies.XXXXXX", &file, NULL);
	if (fd >= 0) {
		g_autofree char *command = g_strconcat("source ", file, NULL);

		close(fd);
		if (g_file_set_contents(file, text->str, (gssize)text->len, NULL))
			gdb_executes(s, command);
		g_unlink(file);
	}
	s->hushed = false;
	g_string_free(text, TRUE);
	g_free(file);
}
