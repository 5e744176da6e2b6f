/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes whose run cannot be repeated: what they are, and how to start one like
 * them here.
 */
#include "gdbext/session/internal.h"

#include "mi/cmd.h"
#include "tui/report/hint.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 100, LONGEST_WORD = 4096 };

/* A number in /proc/PID/status; 0: there is none. */
static long status_field(pid_t pid, const char *name)
{
	g_autofree char *file = g_strdup_printf("/proc/%d/status", pid);
	g_autofree char *text = NULL;
	g_autofree char *start = g_strdup_printf("\n%s:", name);
	const char *line;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return 0;
	line = strstr(text, start);
	return line ? strtol(line + strlen(start), NULL, 10) : 0;
}

static bool is_core(struct session *s)
{
	g_autofree char *files = mi_cmd_console(s->gdb, "info files", NULL);

	return files && strstr(files, "core dump file:");
}

/* The text at an address of the program; NULL: it is not known. */
static char *read_text_in_session(struct session *s, uint64_t addr)
{
	char bytes[256];
	size_t got = 0;
	GString *out = g_string_new(NULL);

	while (out->len < LONGEST_WORD &&
	       mi_cmd_read_memory(s->gdb, addr + out->len, bytes, sizeof bytes, &got, NULL) &&
	       got) {
		const char *end = memchr(bytes, '\0', got);

		g_string_append_len(out, bytes, end ? end - bytes : (gssize)got);
		if (end)
			return g_string_free(out, FALSE);
	}
	g_string_free(out, TRUE);
	return NULL;
}

/* The arguments as the loader keeps them, the program's name first; NULL: they are not known. */
static char **words_in_memory(struct session *s)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	uint64_t at, word;
	size_t got;

	if (!mi_cmd_evaluate_u64(s->gdb, NULL, "*(unsigned long *)&_dl_argv", &at, NULL))
		return NULL;
	for (; words->len < MOST_WORDS; at += sizeof word) {
		char *text = NULL;

		if (!mi_cmd_read_memory(s->gdb, at, &word, sizeof word, &got, NULL) ||
		    got != sizeof word || (word && !(text = read_text_in_session(s, word))))
			return NULL;
		g_ptr_array_add(words, text);
		if (!word)
			return (char **)g_ptr_array_steal(words, NULL);
	}
	return NULL;
}

static char **words_of_process(pid_t pid)
{
	g_autofree char *file = g_strdup_printf("/proc/%d/cmdline", pid);
	g_autofree char *text = NULL;
	GPtrArray *words;
	gsize n = 0;

	if (!g_file_get_contents(file, &text, &n, NULL) || !n)
		return NULL;
	words = g_ptr_array_new();
	for (const char *p = text; p < text + n; p += strlen(p) + 1)
		g_ptr_array_add(words, g_strdup(p));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

/* The program's file by what the kernel gave it, without symbols; NULL: not known. */
static char *file_in_memory(struct session *s)
{
	g_autofree char *said = mi_cmd_console(s->gdb, "info auxv", NULL);
	const char *line = said ? strstr(said, " AT_EXECFN ") : NULL;
	const char *from = line ? strchr(line, '"') : NULL;
	const char *to = from ? strchr(from + 1, '"') : NULL;

	return to ? g_strndup(from + 1, (gsize)(to - from - 1)) : NULL;
}

/* "`set args 0 0', then `run'": commands of GDB.  program: the file to name first, NULL = none. */
static char *way_to_start(char *const *words, const char *program)
{
	GString *out = g_string_new(NULL);

	if (program)
		g_string_append_printf(out, "`file %s', ", program);
	if (!words) {
		g_string_append(out, "`run' with the arguments that it had");
		return g_string_free(out, FALSE);
	}
	g_string_append(out, "`set args");
	for (char *const *word = words + 1; words[0] && *word; word++) {
		g_autofree char *quoted = tui_hint_quoted(*word);

		g_string_append_printf(out, " %s", quoted);
	}
	g_string_append(out, "', then `run'");
	return g_string_free(out, FALSE);
}

bool origin_is_here(struct session *s, const char *program, GError **error)
{
	pid_t pid = mi_conn_program_pid(s->gdb), gdb = mi_conn_gdb_pid(s->gdb);
	bool traced = pid && status_field(pid, "TracerPid") == gdb;
	bool core = !traced && pid && is_core(s);
	g_auto(GStrv) words = NULL;
	g_autofree char *file = NULL;
	g_autofree char *way = NULL;

	if (!pid || status_field(pid, "PPid") == gdb)
		return true;
	if (traced)
		words = words_of_process(pid);
	else
		words = core ? words_in_memory(s) : NULL;
	file = program ? NULL : file_in_memory(s);
	way = way_to_start(words, file);
	g_set_error(error, SESSION_ERROR, SESSION_ERROR_QUESTION,
		    core     ? "A core file is the end of a run that cannot be repeated; start "
			       "the program here, %s, and ask when it has failed."
		    : traced ? "This process was attached to, so its run cannot be repeated; "
			       "`detach' and start the program here, %s, and ask when it has "
			       "failed or stopped."
			     : "This process is remote, so its run cannot be repeated; start the "
			       "program here, %s, and ask when it has failed or stopped.",
		    way);
	return false;
}
