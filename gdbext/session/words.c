/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/session.h"

#include <string.h>

/* GDB's options may be cut short, and take one dash or two. */
struct option {
	const char *name;
	unsigned least;
	enum {
		PASSED_ON, /* to GDB, with a value */
		COMMAND,   /* executed once the session is there */
		SCRIPT,	   /* likewise sourced */
		GDB,	   /* which one to use */
		BATCH,
		PROGRAM_FOLLOWS,
		REFUSED,
	} kind;
};

/* Options without a value need not stand here: they are passed on. */
static const struct option options[] = {
	{ "args", 4, PROGRAM_FOLLOWS },
	{ "eval-command", 2, COMMAND },
	{ "ex", 2, COMMAND },
	{ "command", 3, SCRIPT },
	{ "x", 1, SCRIPT },
	{ "gdb", 3, GDB },
	{ "interpreter", 1, REFUSED },
	{ "batch", 1, BATCH },
	{ "batch-silent", 6, REFUSED },
	{ "tui", 2, REFUSED },
	{ "tty", 2, REFUSED },
	{ "cd", 2, PASSED_ON },
	{ "core", 1, PASSED_ON },
	{ "directory", 1, PASSED_ON },
	{ "exec", 1, PASSED_ON },
	{ "pid", 1, PASSED_ON },
	{ "symbols", 1, PASSED_ON },
	{ "se", 2, PASSED_ON },
	{ "init-command", 6, PASSED_ON },
	{ "ix", 2, PASSED_ON },
	{ "init-eval-command", 6, PASSED_ON },
	{ "iex", 3, PASSED_ON },
	{ "data-directory", 2, PASSED_ON },
};

/* The option that a word is, or NULL; *value: behind a "=", or NULL. */
static const struct option *find_option(const char *word, const char **value)
{
	size_t n;

	if (word[0] != '-' || !word[1])
		return NULL;
	word += word[1] == '-' ? 2 : 1;
	n = strcspn(word, "=");
	*value = word[n] ? word + n + 1 : NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (strlen(options[i].name) == n && strncmp(options[i].name, word, n) == 0)
			return &options[i];
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (n >= options[i].least && strncmp(options[i].name, word, n) == 0)
			return &options[i];
	return NULL;
}

static void keep_word(GPtrArray *words, const char *word)
{
	g_ptr_array_add(words, g_strdup(word));
}

static void take_option_value(struct session_words *read, const struct option *o, const char *word,
			      const char *value, bool apart)
{
	switch (o->kind) {
	case COMMAND:
		keep_word(read->commands, value);
		return;
	case SCRIPT:
		g_ptr_array_add(read->commands, g_strconcat("source ", value, NULL));
		return;
	case GDB:
		g_free(read->gdb);
		read->gdb = g_strdup(value);
		return;
	default:
		keep_word(read->gdb_args, word);
		if (apart)
			keep_word(read->gdb_args, value);
		return;
	}
}

static bool refuse_word(GError **error, const char *word, const char *why)
{
	g_set_error(error, SESSION_ERROR, SESSION_ERROR_USAGE, "%s: %s", word, why);
	return false;
}

static bool is_all_digits(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word);
}

/* GDB takes a program and a core file or a process, and no more: what else can it be than an
 * argument of the program?  n: how many such words came before. */
static bool is_for_the_program(const char *word, unsigned n)
{
	if (word[0] == '-' && word[1])
		return n && g_ascii_isdigit(word[1]);
	return n > 1 || (n == 1 && !is_all_digits(word) && !g_file_test(word, G_FILE_TEST_EXISTS));
}

static bool read_words(char *const *words, struct session_words *read, GError **error)
{
	unsigned n = 0;

	for (; *words; words++) {
		const char *value = NULL;
		const struct option *o = find_option(*words, &value);

		if (!o && is_for_the_program(*words, n))
			return refuse_word(error, *words,
					   "the program's own arguments come behind --args: "
					   "gdb-why --args PROG ARGS...");
		if (!o) {
			n += words[0][0] != '-' || !words[0][1];
			keep_word(read->gdb_args, *words);
			continue;
		}
		if (o->kind == REFUSED)
			return refuse_word(
				error, *words,
				"a session has its own prompt and terminal; use gdb itself "
				"for that");
		if (o->kind == PROGRAM_FOLLOWS)
			break;
		if (o->kind == BATCH) {
			read->batch = true;
			continue;
		}
		if (!value && !words[1])
			return refuse_word(error, *words, "something has to follow this option");
		take_option_value(read, o, *words, value ? value : words[1], !value);
		words += !value;
	}
	for (; *words; words++)
		keep_word(read->gdb_args, *words);
	return true;
}

bool session_read_words(char *const *words, struct session_words *read, GError **error)
{
	*read = (struct session_words){ .gdb_args = g_ptr_array_new_with_free_func(g_free),
					.commands = g_ptr_array_new_with_free_func(g_free) };
	if (!read_words(words, read, error)) {
		session_words_clear(read);
		return false;
	}
	if (read->batch) {
		g_ptr_array_insert(read->gdb_args, 0, g_strdup("-q"));
		g_ptr_array_insert(read->commands, 0, g_strdup("set confirm off"));
		g_ptr_array_insert(read->commands, 1, g_strdup("set pagination off"));
	}
	g_ptr_array_add(read->gdb_args, NULL);
	g_ptr_array_add(read->commands, NULL);
	return true;
}

void session_words_clear(struct session_words *read)
{
	g_free(read->gdb);
	g_ptr_array_unref(read->gdb_args);
	g_ptr_array_unref(read->commands);
	*read = (struct session_words){ 0 };
}
