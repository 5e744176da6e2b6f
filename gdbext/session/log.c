/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `set logging': behind its machine interface GDB would write down what it and we say to each
 * other, with the program's environment.  So we write what the user sees. */
#include "gdbext/session/internal.h"

#include <errno.h>
#include <string.h>

enum wish { WISH_NONE, WISH_ON, WISH_OFF };

static bool is_word(const char *word, const char *whole, size_t least)
{
	return word && strlen(word) >= least && g_str_has_prefix(whole, word);
}

/* "set logging enabled on", as GDB writes it since 12, or "set logging on". */
static enum wish wish_of(const char *line)
{
	g_auto(GStrv) words = g_strsplit_set(line, " \t", -1);
	const char *named[5] = { NULL }, *last;
	unsigned n = 0;

	for (char **word = words; *word && n < G_N_ELEMENTS(named); word++)
		if (**word)
			named[n++] = *word;
	if (n < 2 || n > 4 || strcmp(named[0], "set") != 0 || !is_word(named[1], "logging", 3))
		return WISH_NONE;
	if (n == 4 && !is_word(named[2], "enabled", 2))
		return WISH_NONE;
	last = n == 2 || (n == 3 && is_word(named[2], "enabled", 2)) ? "on" : named[n - 1];
	return strcmp(last, "on") == 0 ? WISH_ON : strcmp(last, "off") == 0 ? WISH_OFF : WISH_NONE;
}

static void begin_session_log(struct session *s)
{
	g_autofree char *file = session_shown(s, "logging file");
	g_autofree char *overwrite = session_shown(s, "logging overwrite");
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, NULL, "-environment-pwd");
	const char *folder = r ? mi_get_text(r->results, "cwd") : NULL;
	g_autofree char *path =
		g_canonicalize_filename(file && *file ? file : "gdb.txt",
					folder && g_path_is_absolute(folder) ? folder : NULL);

	if (s->log) {
		fprintf(stderr, "Already logging to %s.\n", s->log_path);
		return;
	}
	s->log = fopen(path, g_strcmp0(overwrite, "on") == 0 ? "we" : "ae");
	if (!s->log) {
		fprintf(stderr, "%s: %s.\n", path, g_strerror(errno));
		return;
	}
	s->log_path = g_steal_pointer(&path);
	printf("Copying output to %s.\n", s->log_path);
}

void log_end(struct session *s)
{
	g_clear_pointer(&s->log, fclose);
	g_clear_pointer(&s->log_path, g_free);
}

bool log_execute(struct session *s, const char *line)
{
	enum wish wish = wish_of(line);

	if (wish == WISH_ON) {
		begin_session_log(s);
	} else if (wish == WISH_OFF && s->log) {
		printf("Done logging to %s.\n", s->log_path);
		log_end(s);
	} else if (wish == WISH_OFF) {
		fputs("You aren't set up for logging.\n", stderr);
	}
	return wish != WISH_NONE;
}

void log_text(struct session *s, const char *text, size_t n)
{
	if (!s->log)
		return;
	fwrite(text, 1, n, s->log);
	fflush(s->log);
}

void log_say(struct session *s, const char *text)
{
	fputs(text, stdout);
	log_text(s, text, strlen(text));
}

void log_show(struct session *s, const struct explanation *e, const struct tui_options *o)
{
	tui_print(stdout, e, o);
	if (s->log) {
		tui_print(s->log, e, o);
		fflush(s->log);
	}
}
