/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/terminal/prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

struct prompt {
	prompt_complete_fn *complete;
	void *arg;
	bool terminal; /* the keyboard is one: lines are edited */
	bool reading, taken_over;
	char *text;    /* what is shown before the line */
	char *line;    /* read, not taken yet */
	bool ended;    /* no line will come */
	GString *rest; /* keys that came before; without a terminal: not a whole line yet */
	char *history_file;
	unsigned history_size;
	int history_added;
	bool hidden;
	char *status;	   /* NULL: none */
	bool status_shown; /* in the line above */
};

/* Readline is one for the whole process, and its callbacks get no argument: this
 * is the prompt that it works for. */
static struct prompt *served;

/* Where GDB lets a word begin. */
static const char word_breaks[] = " \t\n!@#$%^&*()+=|~`}{[]\"';:?><,-.";

static void line_is_read(char *line)
{
	struct prompt *p = served;

	rl_callback_handler_remove();
	p->reading = false;
	p->ended = !line;
	p->line = line ? g_strdup(line) : NULL;
	free(line);
}

/* The end of the input is shown as what it means; readline would go on in a line of
 * its own, or not, depending on the terminal. */
static void leave_terminal(void)
{
	int ended = rl_eof_found;

	if (RL_ISSTATE(RL_STATE_EOF)) {
		fputs("quit\n", rl_outstream);
		rl_eof_found = 0;
	}
	rl_deprep_terminal();
	rl_eof_found = ended;
}

/* --- completion --- */

/* What all have in common. */
static char *common_head(char **words)
{
	size_t n = strlen(words[0]);

	for (char **w = words + 1; *w; w++) {
		size_t same = 0;

		while (same < n && (*w)[same] == words[0][same])
			same++;
		n = same;
	}
	return g_strndup(words[0], n);
}

/* GDB completes whole lines; readline wants the words from `start` on, after what
 * they have in common, all from malloc. */
static char **complete_for_readline(const char *word, int start, int end)
{
	g_autofree char *line = g_strndup(rl_line_buffer, (gsize)end);
	g_auto(GStrv) lines = served->complete(served->arg, line);
	guint n = lines ? g_strv_length(lines) : 0;
	g_autofree char *head = NULL;
	char **out;

	(void)word;
	rl_attempted_completion_over = 1;
	if (!n)
		return NULL;
	for (guint i = 0; i < n; i++)
		if (strlen(lines[i]) < (size_t)start)
			return NULL;
	out = calloc(n + 2, sizeof *out);
	if (!out)
		return NULL;
	head = common_head(lines);
	out[0] = strdup(strlen(head) > (size_t)start ? head + start : "");
	for (guint i = 0; n > 1 && i < n; i++)
		out[i + 1] = strdup(lines[i] + start);
	return out;
}

/* --- beside other output --- */

/* The cursor is at the beginning of what was cleared. */
static void erase_status(struct prompt *p)
{
	if (p->status_shown)
		fputs("\033[A\033[M", stdout);
	p->status_shown = false;
}

void prompt_hide(struct prompt *p)
{
	if (!p->reading || !p->terminal || p->hidden)
		return;
	p->hidden = true;
	rl_clear_visible_line();
	erase_status(p);
	fflush(stdout);
}

void prompt_show(struct prompt *p)
{
	if (!p->hidden)
		return;
	p->hidden = false;
	if (p->status) {
		printf("%s\n", p->status);
		p->status_shown = true;
	}
	fflush(stdout);
	rl_on_new_line();
	rl_redisplay();
}

/* Where the line above may become another one. */
static void leave_status(struct prompt *p)
{
	g_autofree char *status = g_steal_pointer(&p->status);

	if (!p->status_shown)
		return;
	prompt_hide(p);
	prompt_show(p);
}

/* These end the line, or write below it. */
static int get_key(FILE *in)
{
	GString *ahead = served->rest;
	int key = ahead->len ? (unsigned char)ahead->str[0] : rl_getc(in);

	if (ahead->len)
		g_string_erase(ahead, 0, 1);
	if (key == '\r' || key == '\n' || key == '\t' || (key == CTRL('D') && !rl_end))
		leave_status(served);
	return key;
}

/* --- life --- */

struct prompt *prompt_new(prompt_complete_fn *complete_fn, void *arg)
{
	struct prompt *p = g_new0(struct prompt, 1);

	g_assert(!served);
	served = p;
	p->complete = complete_fn;
	p->arg = arg;
	p->terminal = isatty(STDIN_FILENO);
	p->text = g_strdup("");
	p->rest = g_string_new(NULL);
	rl_readline_name = "gdb";
	rl_deprep_term_function = leave_terminal;
	rl_getc_function = get_key;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_completer_word_break_characters = (char *)word_breaks;
	rl_attempted_completion_function = complete_for_readline;
	rl_basic_quote_characters = "\"'";
	using_history();
	return p;
}

void prompt_free(struct prompt *p)
{
	if (!p)
		return;
	prompt_end(p);
	clear_history();
	served = NULL;
	g_string_free(p->rest, TRUE);
	g_free(p->history_file);
	g_free(p->text);
	g_free(p->line);
	g_free(p->status);
	g_free(p);
}

bool prompt_is_terminal(const struct prompt *p)
{
	return p->terminal;
}

/* --- history --- */

void prompt_load_history(struct prompt *p, const char *file, unsigned size)
{
	p->history_file = g_strdup(file);
	p->history_size = size;
	if (size)
		stifle_history((int)size);
	if (file)
		read_history(file);
}

void prompt_save_history(struct prompt *p)
{
	if (!p->history_file || !p->terminal)
		return;
	write_history(p->history_file);
	if (p->history_size)
		history_truncate_file(p->history_file, (int)p->history_size);
}

void prompt_add_history(struct prompt *p, const char *line)
{
	HIST_ENTRY *last = history_get(history_base + history_length - 1);

	if (p->terminal && *line && !(last && strcmp(last->line, line) == 0))
		add_history(line);
}

/* --- reading --- */

/* Takes a line out of what was read without a terminal. */
static bool take_plain_line(struct prompt *p)
{
	char *end = strchr(p->rest->str, '\n');

	if (!end)
		return false;
	p->line = g_strndup(p->rest->str, (gsize)(end - p->rest->str));
	g_string_erase(p->rest, 0, end - p->rest->str + 1);
	p->reading = false;
	return true;
}

static void feed_plain(struct prompt *p)
{
	char bytes[4096];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0) {
		g_string_append_len(p->rest, bytes, n);
		take_plain_line(p);
		return;
	}
	p->reading = false;
	p->ended = p->rest->len == 0;
	if (p->rest->len)
		p->line = g_strdup(p->rest->str);
	g_string_truncate(p->rest, 0);
}

void prompt_begin(struct prompt *p, const char *text)
{
	prompt_end(p);
	g_free(p->text);
	p->text = g_strdup(text);
	p->reading = true;
	fflush(stdout);
	if (p->terminal) {
		rl_callback_handler_install(p->text, line_is_read);
		while (p->reading && p->rest->len)
			rl_callback_read_char();
		return;
	}
	fputs(text, stdout);
	fflush(stdout);
	take_plain_line(p);
}

void prompt_type_ahead(struct prompt *p, const GString *keys)
{
	if (p->terminal)
		g_string_append_len(p->rest, keys->str, (gssize)keys->len);
}

bool prompt_is_reading(const struct prompt *p)
{
	return p->reading;
}

void prompt_feed(struct prompt *p)
{
	if (!p->reading)
		return;
	if (p->terminal)
		rl_callback_read_char();
	else
		feed_plain(p);
}

bool prompt_take(struct prompt *p, char **line, bool *ended)
{
	if (p->reading || (!p->line && !p->ended))
		return false;
	*line = g_steal_pointer(&p->line);
	*ended = p->ended;
	p->ended = false;
	return true;
}

void prompt_cancel(struct prompt *p)
{
	if (!p->reading || !p->terminal)
		return;
	leave_status(p);
	rl_callback_sigcleanup();
	rl_point = rl_end;
	rl_redisplay();
	rl_replace_line("", 0);
	rl_point = rl_end = 0;
	fputs("Quit\n", stdout);
	rl_on_new_line();
	rl_redisplay();
}

void prompt_end(struct prompt *p)
{
	if (p->reading && p->terminal)
		rl_callback_handler_remove();
	p->reading = p->status_shown = false;
	g_clear_pointer(&p->line, g_free);
	g_clear_pointer(&p->status, g_free);
}

static bool can_show_status(const struct prompt *p)
{
	const char *term = g_getenv("TERM");

	return p->terminal && isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 &&
	       !strchr(p->text, '\n');
}

void prompt_set_status(struct prompt *p, const char *text)
{
	int rows, columns;

	if (!p->reading || g_strcmp0(text, p->status) == 0 || !can_show_status(p))
		return;
	rl_get_screen_size(&rows, &columns);
	prompt_hide(p);
	g_free(p->status);
	p->status = text && columns > 1 ? g_strndup(text, (gsize)columns - 1) : NULL;
	prompt_show(p);
}

void prompt_resized(struct prompt *p)
{
	/* where it stands now is not known */
	p->status_shown = false;
	if (p->terminal)
		rl_resize_terminal();
}
