/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "mi/stop.h"
#include "mi/text.h"
#include "tui/report/color.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(gdb - why - session, session_error)

/* --- starting and ending --- */

static void ask_for_size(struct session *s)
{
	g_autofree char *width = NULL;
	GError *ignored = NULL;

	screen_measure(s);
	/* GDB breaks lines at the width that it is told, and leaves pages to us. */
	width = g_strdup_printf("-gdb-set width %u", s->columns);
	mi_record_free(mi_conn_command(s->gdb, -1, &ignored, "%s", width));
	g_clear_error(&ignored);
}

static gboolean on_resize(gpointer arg)
{
	struct session *s = arg;

	s->resized = true;
	return G_SOURCE_CONTINUE;
}

static gboolean on_interrupt(gpointer arg)
{
	struct session *s = arg;

	s->interrupted = true;
	return G_SOURCE_CONTINUE;
}

static gboolean on_hangup(gpointer arg)
{
	struct session *s = arg;

	s->hung_up = true;
	return G_SOURCE_CONTINUE;
}

static void watch_signals(struct session *s)
{
	g_unix_signal_add(SIGINT, on_interrupt, s);
	g_unix_signal_add(SIGWINCH, on_resize, s);
	g_unix_signal_add(SIGTERM, on_hangup, s);
	g_unix_signal_add(SIGHUP, on_hangup, s);
}

static gboolean on_session_keyboard(gint fd, GIOCondition condition, gpointer arg)
{
	struct session *s = arg;

	(void)fd;
	(void)condition;
	if (prompt_is_reading(s->prompt)) {
		prompt_feed(s->prompt);
	} else if (!program_feed(s->program)) {
		s->keyboard = 0;
		s->hung_up = true;
		return G_SOURCE_REMOVE;
	}
	return G_SOURCE_CONTINUE;
}

/* Keys typed while nobody reads them wait in the terminal. */
void session_listen(struct session *s, bool listen)
{
	if (listen && !s->keyboard)
		s->keyboard =
			g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_session_keyboard, s);
	else if (!listen && s->keyboard)
		g_source_remove(s->keyboard);
	if (!listen)
		s->keyboard = 0;
}

static gboolean on_program(gint fd, GIOCondition condition, gpointer arg)
{
	struct session *s = arg;

	(void)fd;
	(void)condition;
	prompt_hide(s->prompt);
	screen_show_program(s);
	prompt_show(s->prompt);
	return G_SOURCE_CONTINUE;
}

static gboolean on_gdb(gint fd, GIOCondition condition, gpointer arg)
{
	struct session *s = arg;
	GError *error = NULL;

	(void)fd;
	(void)condition;
	if (s->lost || mi_conn_pump(s->gdb, 0, &error))
		return G_SOURCE_CONTINUE;
	s->lost = error;
	s->gdb_source = 0;
	return G_SOURCE_REMOVE;
}

static void note_breakpoint(struct session *s, const struct mi_record *r)
{
	uint64_t number = 0;

	mi_get_u64(r->results, "bkpt.number", &number);
	s->breakpoints++;
	s->last_breakpoint = (unsigned)number;
}

/* Signals that end a program which does not expect them. */
static bool is_fatal(const char *signal)
{
	static const char *const fatal[] = { "SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE",
					     "SIGILL",	"SIGTRAP", "SIGSYS", NULL };

	return signal && g_strv_contains(fatal, signal);
}

static void note_stop(struct session *s, const struct mi_record *r)
{
	struct mi_stop stop;

	mi_stop_init(&stop, r);
	s->stopped = true;
	s->failed = is_fatal(stop.signal);
	s->ended_badly = s->failed || (stop.reason == MI_STOP_EXITED && stop.status);
	s->stop_breakpoint = stop.reason == MI_STOP_BREAKPOINT ? stop.bkptno : 0;
	mi_stop_clear(&stop);
}

static void note_start(struct session *s)
{
	program_forget_typed(s->program);
	s->breakpoints_at_start = s->last_breakpoint;
	s->runs++;
}

/* Nothing here waits: it may have been called from within a wait. */
static void on_record(struct mi_conn *conn, const struct mi_record *r, void *arg)
{
	struct session *s = arg;

	(void)conn;
	if (s->hushed && r->kind != MI_EXEC && r->kind != MI_NOTIFY)
		return;
	if (r->kind == MI_CONSOLE || r->kind == MI_LOG || r->kind == MI_TARGET ||
	    r->kind == MI_TARGET_OUTPUT)
		screen_hear(s, r);
	else if (mi_record_is(r, MI_EXEC, "stopped"))
		note_stop(s, r);
	else if (mi_record_is(r, MI_EXEC, "running"))
		s->stopped = s->failed = s->ended_badly = false;
	else if (mi_record_is(r, MI_NOTIFY, "breakpoint-created"))
		note_breakpoint(s, r);
	else if (mi_record_is(r, MI_NOTIFY, "breakpoint-deleted") && s->breakpoints)
		s->breakpoints--;
	else if (mi_record_is(r, MI_NOTIFY, "thread-group-started"))
		note_start(s);
}

void session_turn(struct session *s)
{
	g_main_context_iteration(NULL, TRUE);
	if (s->resized) {
		s->resized = false;
		prompt_resized(s->prompt);
		program_resized(s->program);
		screen_measure(s);
	}
}

char *session_shown(struct session *s, const char *setting)
{
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, NULL, "-gdb-show %s", setting);
	const char *value = r ? mi_get_text(r->results, "value") : NULL;

	return g_strdup(value);
}

static const char *const settings[] = { "prompt", "confirm", "pagination", "history save",
					"style enabled" };

uint64_t session_ask_settings(struct session *s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(settings) && !s->lost; i++)
		s->asked[i] = mi_conn_send(s->gdb, &s->lost, "-gdb-show %s", settings[i]);
	return s->asked[G_N_ELEMENTS(settings) - 1];
}

static char *take_setting(struct session *s, unsigned i)
{
	g_autoptr(mi_record) r = mi_conn_result(s->gdb, s->asked[i], -1, NULL);

	return g_strdup(r ? mi_get_text(r->results, "value") : NULL);
}

/* GDB shows the characters of a prompt as one types them: "\e[31m(gdb) ". */
static char *without_escapes(const char *shown)
{
	g_autoptr(GString) out = g_string_new(NULL);

	for (const char *p = shown; *p; p++) {
		if (p[0] == '\\' && p[1] == 'e') {
			g_string_append(out, "\\033");
			p++;
		} else {
			g_string_append_c(out, *p);
			if (p[0] == '\\' && p[1])
				g_string_append_c(out, *++p);
		}
	}
	return g_strcompress(out->str);
}

void session_take_settings(struct session *s)
{
	g_autofree char *prompt = take_setting(s, 0);
	g_autofree char *confirm = take_setting(s, 1);
	g_autofree char *pagination = take_setting(s, 2);
	g_autofree char *history = take_setting(s, 3);
	g_autofree char *style = take_setting(s, 4);

	g_free(s->prompt_text);
	s->prompt_text = prompt ? without_escapes(prompt) : NULL;
	s->confirm = g_strcmp0(confirm, "on") == 0;
	s->pagination = g_strcmp0(pagination, "on") == 0;
	s->saves_history = g_strcmp0(history, "on") == 0;
	s->styled = g_strcmp0(style, "on") == 0 && tui_color_wanted(TUI_COLOR_AUTO, stdout);
}

static void load_history(struct session *s)
{
	g_autofree char *file = session_shown(s, "history filename");
	g_autofree char *size = session_shown(s, "history size");

	prompt_load_history(s->prompt, file && *file ? file : NULL,
			    size ? (unsigned)strtoul(size, NULL, 10) : 0);
}

/* GDB has our commands, too, for bodies, and some that they need. */
static bool completes_own(const char *completed)
{
	return why_is_own(completed) || strstr(completed, "why-") != NULL;
}

/* GDB completes a question's expression as that of `print'. */
static char **complete_line(void *arg, const char *line)
{
	struct session *s = arg;
	const char *expression = why_expression(line);
	g_autofree char *head = expression ? g_strndup(line, (gsize)(expression - line)) : NULL;
	g_autofree char *asked = head ? g_strconcat("print ", expression, NULL) : g_strdup(line);
	g_autofree char *quoted = mi_quote(asked);
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, 10000, NULL, "-complete %s", quoted);
	const struct mi_value *matches = r ? mi_get(r->results, "matches") : NULL;
	GPtrArray *out = g_ptr_array_new();

	why_complete(line, out);
	for (size_t i = 0; i < mi_count(matches); i++) {
		const char *text = mi_item(matches, i)->text;

		if (text && (head ? g_str_has_prefix(text, "print ") : !completes_own(text)))
			g_ptr_array_add(out, head ? g_strconcat(head, text + strlen("print "), NULL)
						  : g_strdup(text));
	}
	g_ptr_array_add(out, NULL);
	return (char **)g_ptr_array_free(out, FALSE);
}

static bool start_gdb_session(struct session *s, const struct session_options *o, GError **error)
{
	g_autofree char *tty = NULL;
	const char *commands[2] = { 0 };
	struct mi_options mi = { .gdb = o->gdb,
				 .args = o->gdb_args,
				 .commands = commands,
				 .personal = true,
				 .start_timeout_ms = -1,
				 .handler = on_record,
				 .arg = s };

	s->program = program_new(error);
	if (!s->program)
		return false;
	tty = g_strconcat("-inferior-tty-set ", program_tty(s->program), NULL);
	commands[0] = tty;
	s->gdb = mi_conn_start(&mi, error);
	if (!s->gdb)
		return false;
	s->prompt = prompt_new(complete_line, s);
	script_teach_gdb(s);
	ask_for_size(s);
	load_history(s);
	watch_signals(s);
	s->gdb_source = g_unix_fd_add(mi_conn_fd(s->gdb), G_IO_IN | G_IO_HUP, on_gdb, s);
	s->program_source = g_unix_fd_add(program_fd(s->program), G_IO_IN, on_program, s);
	return true;
}

static void end_session(struct session *s)
{
	session_listen(s, false);
	analysis_end_all(s);
	if (s->prompt && s->saves_history)
		prompt_save_history(s->prompt);
	if (s->gdb_source)
		g_source_remove(s->gdb_source);
	if (s->program_source)
		g_source_remove(s->program_source);
	while (g_source_remove_by_user_data(s))
		;
	log_end(s);
	prompt_free(s->prompt);
	mi_conn_free(s->gdb);
	program_free(s->program);
	screen_forget(s);
	g_queue_clear_full(&s->script, g_free);
	g_free(s->prompt_text);
	g_free(s->last_line);
	g_free(s->tree);
	g_free(s->tree_question);
	g_free(s->tree_about);
	g_queue_free(s->analyses);
	kept_free(s->kept);
	explanation_free(s->answer);
	g_strfreev(s->judges);
	g_free(s->expected);
	g_clear_error(&s->lost);
}

/* `-q', `-quiet', `-silent' */
static bool is_quiet(const char *const *gdb_args)
{
	for (; gdb_args && *gdb_args && strcmp(*gdb_args, "--args") != 0; gdb_args++) {
		const char *word = *gdb_args + strspn(*gdb_args, "-");

		if (word != *gdb_args && (strcmp(word, "q") == 0 || strcmp(word, "quiet") == 0 ||
					  strcmp(word, "silent") == 0))
			return true;
	}
	return false;
}

bool session_run(const struct session_options *options, int *status, GError **error)
{
	struct session s = { .said = G_QUEUE_INIT,
			     .gdb_path = options->gdb,
			     .quiet = is_quiet(options->gdb_args),
			     .analyses = g_queue_new(),
			     .kept = kept_new() };
	bool ok = start_gdb_session(&s, options, error);

	if (ok) {
		ok = command_loop(&s, options->commands, options->batch, status);
		if (s.lost) {
			g_propagate_error(error, g_steal_pointer(&s.lost));
			ok = false;
		}
	}
	end_session(&s);
	return ok;
}
