/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/typed/rules.h"

#include <glib.h>
#include <string.h>

/* A command by its full name and the shortest one that GDB takes for it. */
struct command {
	const char *name;
	unsigned least;
};

/* The first word of a line, in its letters. */
static char *first_word(const char *line)
{
	while (g_ascii_isspace(*line))
		line++;
	return g_strndup(line, strspn(line, "abcdefghijklmnopqrstuvwxyz"
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789"));
}

static bool is_command(const char *word, const struct command *c)
{
	size_t n = strlen(word);

	return n >= c->least && strncmp(word, c->name, n) == 0;
}

static bool is_one_of_commands(const char *word, const struct command *commands, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_command(word, &commands[i]))
			return true;
	return false;
}

/* Executing these once more by accident would hurt, or means nothing. */
static const struct command never_repeated[] = {
	{ "run", 1 },	   { "start", 4 },	{ "starti", 6 }, { "kill", 1 },
	{ "attach", 3 },   { "detach", 3 },	{ "define", 3 }, { "document", 3 },
	{ "commands", 4 }, { "delete", 1 },	{ "source", 3 }, { "python", 2 },
	{ "shell", 3 },	   { "file", 3 },	{ "thread", 6 }, { "clear", 2 },
	{ "quit", 1 },	   { "if", 2 },		{ "while", 2 },	 { "load", 2 },
	{ "signal", 3 },   { "disconnect", 4 }, { "target", 3 }, { "checkpoint", 2 },
};

/* These go on where they ended when they are repeated without their arguments. */
static const struct command continued[] = { { "list", 1 }, { "x", 1 } };

char *rules_repeat(const char *line)
{
	g_autofree char *word = first_word(line);

	if (!*word || is_one_of_commands(word, never_repeated, G_N_ELEMENTS(never_repeated)))
		return NULL;
	if (is_one_of_commands(word, continued, G_N_ELEMENTS(continued)))
		return g_strdup(word);
	return g_strdup(line);
}

/* What follows the first word, without blanks around it; free it. */
static char *rest_of(const char *line)
{
	while (g_ascii_isspace(*line))
		line++;
	line += strcspn(line, " \t");
	return g_strstrip(g_strdup(line));
}

enum rules_question rules_question(const char *line)
{
	static const struct command quit = { "quit", 1 }, exits = { "exit", 3 },
				    deletes = { "delete", 1 }, kill = { "kill", 1 },
				    attach = { "attach", 3 };
	static const struct command runs[] = { { "run", 1 }, { "start", 4 }, { "starti", 6 } };
	g_autofree char *word = first_word(line);
	g_autofree char *rest = rest_of(line);

	if (!*word)
		return RULES_NOTHING;
	if (is_command(word, &quit) || is_command(word, &exits))
		return RULES_QUIT;
	if (is_command(word, &deletes) && (!*rest || strcmp(rest, "breakpoints") == 0))
		return RULES_DELETE;
	if (is_command(word, &kill) && !*rest)
		return RULES_KILL;
	if (is_command(word, &attach))
		return RULES_ATTACH;
	return is_one_of_commands(word, runs, G_N_ELEMENTS(runs)) ? RULES_RUN_AGAIN : RULES_NOTHING;
}

const char *rules_refused(const char *line)
{
	switch (rules_question(line)) {
	case RULES_RUN_AGAIN:
		return "Program not restarted.\n";
	case RULES_KILL:
		return "Not confirmed.\n";
	case RULES_ATTACH:
		return "Program not killed.\n";
	default:
		return "";
	}
}

bool rules_is_quit(const char *line)
{
	return rules_question(line) == RULES_QUIT;
}

bool rules_is_tui(const char *line)
{
	static const struct command screens[] = { { "layout", 2 }, { "tui", 3 }, { "focus", 3 } };
	g_autofree char *word = first_word(line);

	return *word && is_one_of_commands(word, screens, G_N_ELEMENTS(screens));
}

char *rules_introduction(const char *line, unsigned last_breakpoint)
{
	static const struct command define = { "define", 3 }, document = { "document", 3 },
				    commands = { "commands", 4 };
	g_autofree char *word = first_word(line);
	g_autofree char *rest = rest_of(line);
	const char *end = "End with a line saying just \"end\".\n";

	if (is_command(word, &define))
		return g_strdup_printf("Type commands for definition of \"%s\".\n%s", rest, end);
	if (is_command(word, &document))
		return g_strdup_printf("Type documentation for \"%s\".\n%s", rest, end);
	if (!is_command(word, &commands))
		return NULL;
	if (*rest)
		return g_strdup_printf("Type commands for breakpoint(s) %s, one per line.\n%s",
				       rest, end);
	return g_strdup_printf("Type commands for breakpoint(s) %u, one per line.\n%s",
			       last_breakpoint, end);
}

bool rules_in_background(const char *line)
{
	g_autofree char *bare = g_strstrip(g_strdup(line));

	return g_str_has_suffix(bare, "&");
}
