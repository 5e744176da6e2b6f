/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "tui/report/gdb-text.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What GDB said and was not shown yet. */
struct words {
	bool error; /* to standard error */
	char *text;
};

static void words_free(void *p)
{
	struct words *w = p;

	g_free(w->text);
	g_free(w);
}

void screen_measure(struct session *s)
{
	struct winsize size;
	bool terminal = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;

	s->rows = terminal ? size.ws_row : 0;
	s->columns = terminal ? size.ws_col : 0;
}

/* ">" asks for a line of a command's body; deeper ones stand further right. */
static bool asks_for_line(const char *text)
{
	return strcmp(text + strspn(text, " "), ">") == 0;
}

void screen_hear(struct session *s, const struct mi_record *r)
{
	struct words *w;

	if (r->kind == MI_CONSOLE && s->command && asks_for_line(r->text)) {
		g_free(s->wanted);
		s->wanted = g_strdup(r->text);
		return;
	}
	w = g_new0(struct words, 1);
	w->error = r->kind == MI_LOG;
	w->text = r->kind == MI_TARGET_OUTPUT && r->ended ? g_strconcat(r->text, "\n", NULL)
							  : g_strdup(r->text);
	g_queue_push_tail(&s->said, w);
}

/* At a full screen: waits for a line; `q' drops what is left of this command. */
static void end_of_page(struct session *s)
{
	g_autofree char *answer =
		session_ask(s, "--Type <RET> for more, q to quit, c to continue without paging--");

	s->rows_shown = 0;
	if (!answer || answer[0] == 'q')
		s->skips_output = true;
	else if (answer[0] == 'c')
		s->whole = true;
	if (s->skips_output)
		fputs("Quit\n", stdout);
}

static bool does_page(const struct session *s)
{
	return s->pagination && s->rows > 1 && !s->whole && prompt_is_terminal(s->prompt) &&
	       !prompt_is_reading(s->prompt);
}

/* Rows that a line of so many bytes takes. */
static unsigned screen_rows_of(const struct session *s, size_t length)
{
	return s->columns && length ? 1 + (unsigned)((length - 1) / s->columns) : 1;
}

/* A line, or a part of one that GDB says in pieces, which stays plain. */
static void put_gdb_line(struct session *s, const struct words *w, const char *line, size_t n,
			 FILE *out)
{
	bool whole = !s->within_line && line[n] == '\n';

	if (whole && s->styled && !w->error) {
		g_autofree char *plain = g_strndup(line, n);
		g_autofree char *styled = tui_gdb_line(plain);

		fprintf(out, "%s\n", styled);
	} else {
		fwrite(line, 1, n + (line[n] == '\n'), out);
	}
	s->within_line = line[n] != '\n';
}

static void show_gdb_words(struct session *s, const struct words *w)
{
	FILE *out = w->error ? stderr : stdout;
	const char *p = w->text;

	if (w->error)
		fflush(stdout);
	while (*p && !s->skips_output) {
		size_t n = strcspn(p, "\n"), whole = n + (p[n] == '\n');

		if (does_page(s) && s->rows_shown + screen_rows_of(s, n) > s->rows - 1)
			end_of_page(s);
		if (s->skips_output)
			break;
		put_gdb_line(s, w, p, n, out);
		log_text(s, p, whole);
		s->rows_shown += p[n] == '\n' ? screen_rows_of(s, n) : 0;
		p += whole;
	}
	if (w->error)
		fflush(stderr);
}

void screen_show_program(struct session *s)
{
	fflush(stdout);
	program_show_output(s->program);
}

/* The program wrote before GDB told of its stop. */
void screen_flush(struct session *s)
{
	struct words *w;

	if (g_queue_is_empty(&s->said))
		return;
	screen_show_program(s);
	while ((w = g_queue_pop_head(&s->said))) {
		show_gdb_words(s, w);
		words_free(w);
	}
	fflush(stdout);
}

void screen_forget(struct session *s)
{
	g_queue_clear_full(&s->said, words_free);
	g_clear_pointer(&s->wanted, g_free);
}
