/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "mi/cmd.h"
#include "mi/text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static bool session_is_over(const struct session *s)
{
	return s->lost || s->hung_up;
}

/* Reads a line at another prompt than the main one.  NULL: interrupted or ended. */
char *session_ask(struct session *s, const char *text)
{
	bool ended = false;
	char *line = NULL;

	program_detach(s->program);
	prompt_begin(s->prompt, text);
	session_listen(s, true);
	while (!session_is_over(s) && !s->interrupted && !prompt_take(s->prompt, &line, &ended))
		session_turn(s);
	prompt_end(s->prompt);
	session_listen(s, false);
	if (s->interrupted)
		fputs("Quit\n", stdout);
	s->interrupted = false;
	return line;
}

/* Asks until there is an answer, as GDB does; without anyone to answer, the answer is yes. */
bool session_agrees(struct session *s, const char *question)
{
	g_autofree char *text = g_strconcat(question, " (y or n) ", NULL);

	if (!prompt_is_terminal(s->prompt))
		return true;
	while (!session_is_over(s)) {
		g_autofree char *answer = session_ask(s, text);

		if (!answer)
			return false;
		if (g_ascii_tolower(answer[0]) == 'y')
			return true;
		if (g_ascii_tolower(answer[0]) == 'n')
			return false;
		puts("Please answer y or n.");
	}
	return false;
}

static char *question_of(struct session *s, const char *line)
{
	pid_t pid = mi_conn_program_pid(s->gdb);

	switch (rules_question(line)) {
	case RULES_QUIT:
		return pid ? g_strdup_printf("A debugging session is active.\n\n\tInferior 1 "
					     "[process %d] will be killed.\n\nQuit anyway?",
					     pid)
			   : NULL;
	case RULES_DELETE:
		return s->breakpoints ? g_strdup("Delete all breakpoints?") : NULL;
	case RULES_RUN_AGAIN:
		return pid ? g_strdup("The program being debugged has been started already.\n"
				      "Start it from the beginning?")
			   : NULL;
	case RULES_KILL:
		return pid ? g_strdup("Kill the program being debugged?") : NULL;
	case RULES_ATTACH:
		return pid ? g_strdup("A program is being debugged already.  Kill it?") : NULL;
	case RULES_NOTHING:
		break;
	}
	return NULL;
}

static void set_confirm(struct session *s, bool on)
{
	if (!s->lost && mi_conn_send(s->gdb, &s->lost, "-gdb-set confirm %s", on ? "on" : "off"))
		s->confirm = on;
}

/* GDB passes it on to the program where one runs. */
static void interrupt_gdb(struct session *s)
{
	s->interrupted = false;
	if (prompt_is_terminal(s->prompt)) {
		fputs("^C", stdout);
		fflush(stdout);
	}
	kill(mi_conn_gdb_pid(s->gdb), SIGINT);
}

static void introduce_body(struct session *s)
{
	g_autofree char *text = s->introduced || !prompt_is_terminal(s->prompt)
					? NULL
					: rules_introduction(s->command, s->last_breakpoint);

	s->introduced = true;
	if (text)
		fputs(text, stdout);
}

/* A line of the body that GDB reads; at the end of the input, "end". */
static void give_line(struct session *s)
{
	g_autofree char *wanted = g_steal_pointer(&s->wanted);
	g_autofree char *line = NULL;

	if (s->in_script) {
		line = g_queue_pop_head(&s->script);
	} else {
		introduce_body(s);
		line = session_ask(s, wanted);
	}
	g_autofree char *plain = g_strdelimit(g_strdup(line ? line : "end"), "\r\n", ' ');

	if (line && !s->in_script)
		prompt_add_history(s->prompt, line);
	mi_conn_send_line(s->gdb, plain, &s->lost);
}

/* What is typed while GDB is busy waits for the next prompt; what is typed while the
 * program runs is the program's. */
static void tie_keyboard(struct session *s, bool tie)
{
	if (tie)
		program_attach(s->program);
	else
		program_detach(s->program);
	session_listen(s, tie && prompt_is_terminal(s->prompt));
}

static void wait_a_turn(struct session *s)
{
	tie_keyboard(s, mi_conn_is_running(s->gdb));
	session_turn(s);
	screen_flush(s);
	if (s->interrupted)
		interrupt_gdb(s);
	if (s->wanted)
		give_line(s);
}

/* Lets GDB do its work until it has answered. */
static void wait_for_gdb_answer(struct session *s, uint64_t token)
{
	while (!session_is_over(s) && !mi_conn_has_result(s->gdb, token))
		wait_a_turn(s);
}

/* What the program left unread was typed for the prompt. */
static void take_back_unread(struct session *s)
{
	GString *unread;

	if (session_is_over(s) || mi_conn_is_running(s->gdb))
		return;
	unread = program_take_unread(s->program);
	prompt_type_ahead(s->prompt, unread);
	g_string_free(unread, TRUE);
}

/* Once a run, when it has failed: what else there is than in GDB. */
static void hint_once(struct session *s)
{
	if (!s->ended_badly || s->hinted == s->runs || !prompt_is_terminal(s->prompt))
		return;
	s->hinted = s->runs;
	puts("`why' explains it.");
}

/* While the program runs, in front, GDB answers nothing: when it does, the commands
 * of a breakpoint are done, too. */
static void settle_gdb(struct session *s)
{
	if (!session_is_over(s))
		wait_for_gdb_answer(s, session_ask_settings(s));
	tie_keyboard(s, false);
	if (!session_is_over(s))
		session_take_settings(s);
	screen_flush(s);
	take_back_unread(s);
	hint_once(s);
}

/* Executes a line as GDB's prompt would. */
static void execute_line(struct session *s, const char *line)
{
	g_autofree char *quoted = mi_quote(line);
	g_autoptr(mi_record) result = NULL;
	uint64_t token;

	s->rows_shown = 0;
	s->skips_output = s->whole = false;
	mi_conn_forget_stops(s->gdb);
	token = mi_conn_send(s->gdb, &s->lost, "-interpreter-exec console %s", quoted);
	if (!token)
		return;
	s->command = line;
	s->introduced = false;
	wait_for_gdb_answer(s, token);
	s->command = NULL;
	if (session_is_over(s))
		return;
	/* an error's message was said already */
	result = mi_conn_result(s->gdb, token, -1, NULL);
	s->command_failed = !result || mi_record_is(result, MI_RESULT, "error");
	settle_gdb(s);
}

/* A number after `quit' is what the session ends with. */
static int quit_status(const char *line)
{
	const char *p = line + strspn(line, " \t");

	p += strcspn(p, " \t");
	return (int)strtol(p, NULL, 0);
}

/* A command of ours; what is left for GDB to do is done. */
static bool handle_own(struct session *s, const char *line)
{
	g_auto(GStrv) go = NULL;

	bool confirms = s->confirm;

	if (!why_execute(s, line, &go))
		return false;
	if (confirms && go && *go)
		set_confirm(s, false);
	for (char **command = go; command && *command && !session_is_over(s); command++)
		execute_line(s, *command);
	if (confirms && go && *go)
		set_confirm(s, true);
	fflush(stdout);
	return true;
}

static bool handle_line(struct session *s, const char *line, int *status)
{
	g_auto(GStrv) lines = script_lines(line);

	s->lines++;
	s->command_failed = false;
	for (guint i = lines ? g_strv_length(lines) : 0; i; i--)
		g_queue_push_head(&s->script, g_steal_pointer(&lines[i - 1]));
	if (lines)
		return true;
	if (handle_own(s, line) || log_execute(s, line))
		return true;
	if (rules_is_tui(line)) {
		puts("GDB's own screen cannot be used here; `panel' shows the source, the values "
		     "and the explanations on a screen.");
		return true;
	}
	g_autofree char *question = s->confirm && !s->in_script ? question_of(s, line) : NULL;
	bool asked = question && prompt_is_terminal(s->prompt);

	if (question && !session_agrees(s, question)) {
		fputs(rules_refused(line), stdout);
		return true;
	}
	if (rules_is_quit(line)) {
		*status = quit_status(line);
		return false;
	}
	/* it was asked here already */
	if (asked)
		set_confirm(s, false);
	execute_line(s, line);
	if (asked)
		set_confirm(s, true);
	return true;
}

/* Above the line that is being typed. */
static void show_news(struct session *s)
{
	g_autofree char *status = NULL;
	bool analysed = analysis_has_news(s);

	if (analysed || !g_queue_is_empty(&s->said)) {
		prompt_hide(s->prompt);
		screen_flush(s);
		if (analysed)
			analysis_show_news(s);
		prompt_show(s->prompt);
	}
	if (s->tick || !analysis_is_busy(s)) {
		status = analysis_status(s);
		prompt_set_status(s->prompt, status);
	}
	s->tick = false;
}

/* The line that the user wants executed: an empty one repeats. */
static char *read_command(struct session *s, bool *ended)
{
	char *line = NULL;

	prompt_begin(s->prompt, s->prompt_text ? s->prompt_text : "(gdb) ");
	session_listen(s, true);
	while (!session_is_over(s) && !prompt_take(s->prompt, &line, ended)) {
		session_turn(s);
		if (s->interrupted) {
			prompt_cancel(s->prompt);
			prompt_hide(s->prompt);
			analysis_cancel(s);
			prompt_show(s->prompt);
		}
		s->interrupted = false;
		show_news(s);
	}
	session_listen(s, false);
	return line;
}

static char *take_command(struct session *s, bool *ended)
{
	char *line = read_command(s, ended);

	if (!line)
		return NULL;
	g_strchug(line);
	/* a blank at the end of `set prompt' is a part of the prompt */
	if (why_is_own(line))
		g_strchomp(line);
	if (!*line && s->last_line) {
		g_free(line);
		return g_strdup(s->last_line);
	}
	prompt_add_history(s->prompt, line);
	if (*line) {
		g_free(s->last_line);
		s->last_line = why_is_own(line) ? NULL : rules_repeat(line);
	}
	return line;
}

/* What one line has brought in; an error ends it, as with GDB. */
static bool execute_script(struct session *s, int *status)
{
	bool more = true, waits = s->in_order;

	s->in_order = s->in_script = true;
	while (more && !session_is_over(s) && !g_queue_is_empty(&s->script)) {
		g_autofree char *line = g_strstrip((char *)g_queue_pop_head(&s->script));

		if (*line && *line != '#')
			more = handle_line(s, line, status);
		if (s->command_failed && !g_queue_is_empty(&s->script)) {
			g_queue_clear_full(&s->script, g_free);
			fprintf(stderr, "What follows `%s' in the script is not executed.\n", line);
		}
	}
	s->in_order = waits;
	s->in_script = false;
	return more;
}

static bool handle_all(struct session *s, const char *line, int *status)
{
	return handle_line(s, line, status) && execute_script(s, status);
}

bool command_loop(struct session *s, const char *const *first, bool batch, int *status)
{
	bool more = true;

	*status = 0;
	settle_gdb(s);
	s->in_order = true;
	for (; more && first && *first && !session_is_over(s); first++)
		more = handle_all(s, *first, status);
	s->in_order = !prompt_is_terminal(s->prompt);
	if (more && !batch && !s->in_order && !s->quiet)
		puts("`run' a failing program, then `why' explains it; `help why' lists the "
		     "questions.");
	if (more && batch) {
		*status = s->command_failed;
		more = false;
	}
	while (more && !session_is_over(s)) {
		bool ended = false;
		g_autofree char *line = take_command(s, &ended);

		if (ended)
			more = handle_line(s, "quit", status);
		else if (line && *line && *line != '#')
			more = handle_all(s, line, status);
	}
	return !s->lost;
}
