/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/cmd.h"
#include "mi/internal.h"
#include "mi/text.h"

#include <string.h>

/* A command whose result says no more than that it was done. */
static bool command_is_done(struct mi_record *record)
{
	g_autoptr(mi_record) owned = record;

	return owned != NULL;
}

/* Sends a command of GDB's own language; it may have any bytes. */
static bool run_console(struct mi_conn *conn, const char *command, GError **error)
{
	g_autofree char *quoted = mi_quote(command);

	return command_is_done(mi_conn_command(conn, conn->command_timeout_ms, error,
					       "-interpreter-exec console %s", quoted));
}

bool mi_cmd_file(struct mi_conn *conn, const char *path, GError **error)
{
	g_autofree char *word = mi_quote_word(path);
	g_autofree char *command = NULL;

	g_clear_pointer(&conn->registers, g_hash_table_unref);
	if (!strpbrk(path, "\r\n"))
		return command_is_done(mi_conn_command(conn, conn->command_timeout_ms, error,
						       "-file-exec-and-symbols %s", word));
	command = g_strconcat("file ", word, NULL);
	return run_console(conn, command, error);
}

/* --- arguments --- */

/* GDB splits arguments at blanks and knows no quotes. Can it pass this one unchanged? */
static bool needs_shell(const char *argument)
{
	return !*argument || strpbrk(argument, " \t\n");
}

static void add_shell_word(GString *line, const char *before, const char *word)
{
	g_autofree char *quoted = g_shell_quote(word);

	if (line->len)
		g_string_append_c(line, ' ');
	g_string_append(line, before);
	g_string_append(line, quoted);
}

static void add_redirect(GString *line, const struct mi_redirect *redirect)
{
	if (redirect->in)
		add_shell_word(line, "<", redirect->in);
	if (redirect->out)
		add_shell_word(line, ">", redirect->out);
	if (redirect->err_to_out)
		g_string_append(line, " 2>&1");
	else if (redirect->err)
		add_shell_word(line, "2>", redirect->err);
}

bool mi_cmd_args(struct mi_conn *conn, const char *const *args, const struct mi_redirect *redirect,
		 GError **error)
{
	bool shell = redirect &&
		     (redirect->in || redirect->out || redirect->err || redirect->err_to_out);
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *command = NULL;

	for (const char *const *a = args; *a; a++)
		shell |= needs_shell(*a);
	for (const char *const *a = args; *a; a++) {
		if (shell)
			add_shell_word(line, "", *a);
		else
			g_string_append_printf(line, "%s%s", line->len ? " " : "", *a);
	}
	if (redirect)
		add_redirect(line, redirect);
	if (!mi_cmd_set(conn, "startup-with-shell", shell ? "on" : "off", error))
		return false;
	command = g_strdup_printf("set args %s", line->str);
	return run_console(conn, command, error);
}

/* --- settings --- */

bool mi_cmd_set(struct mi_conn *conn, const char *name, const char *value, GError **error)
{
	g_autofree char *command = g_strdup_printf("set %s %s", name, value);

	if (strpbrk(command, "\r\n"))
		return run_console(conn, command, error);
	return command_is_done(
		mi_conn_command(conn, conn->command_timeout_ms, error, "-gdb-%s", command));
}

char *mi_cmd_show(struct mi_conn *conn, const char *name, GError **error)
{
	g_autoptr(mi_record) record =
		mi_conn_command(conn, conn->command_timeout_ms, error, "-gdb-show %s", name);
	const char *value = record ? mi_get_text(record->results, "value") : NULL;

	if (record && !value)
		g_set_error(error, MI_ERROR, MI_ERROR_ANSWER, "GDB did not say what \"%s\" is.",
			    name);
	return g_strdup(value);
}

bool mi_cmd_cwd(struct mi_conn *conn, const char *directory, GError **error)
{
	if (!g_path_is_absolute(directory)) {
		g_set_error(error, MI_ERROR, MI_ERROR_ARGUMENT,
			    "The program's working directory must be absolute: \"%s\".", directory);
		return false;
	}
	return mi_cmd_set(conn, "cwd", directory, error);
}

bool mi_cmd_env(struct mi_conn *conn, const char *name, const char *value, GError **error)
{
	g_autofree char *command = NULL;

	if (!*name || strpbrk(name, "= \t\r\n")) {
		g_set_error(error, MI_ERROR, MI_ERROR_ARGUMENT,
			    "GDB cannot set an environment variable named \"%s\".", name);
		return false;
	}
	if (value && (*value == ' ' || *value == '\t')) {
		g_set_error(error, MI_ERROR, MI_ERROR_ARGUMENT,
			    "GDB cannot set %s to a value that begins with a blank.", name);
		return false;
	}
	command = value ? g_strdup_printf("set environment %s=%s", name, value)
			: g_strdup_printf("unset environment %s", name);
	return run_console(conn, command, error);
}

bool mi_cmd_tty(struct mi_conn *conn, const char *path, GError **error)
{
	return mi_cmd_set(conn, "inferior-tty", path, error);
}

/* --- breakpoints --- */

static void read_breakpoint(const struct mi_value *bkpt, struct mi_breakpoint *made)
{
	uint64_t number = 0;

	mi_get_u64(bkpt, "number", &number);
	made->number = (unsigned)number;
	made->addr = 0;
	mi_get_u64(bkpt, "addr", &made->addr);
	made->pending = mi_get(bkpt, "pending") != NULL;
}

bool mi_cmd_break(struct mi_conn *conn, const struct mi_break *want, struct mi_breakpoint *made,
		  GError **error)
{
	g_autoptr(GString) line = g_string_new("-break-insert");
	g_autofree char *location = mi_quote(want->location);
	g_autoptr(mi_record) record = NULL;
	const struct mi_value *bkpt;

	if (want->temporary)
		g_string_append(line, " -t");
	if (want->hardware)
		g_string_append(line, " -h");
	if (want->disabled)
		g_string_append(line, " -d");
	if (want->pending)
		g_string_append(line, " -f");
	if (want->ignore)
		g_string_append_printf(line, " -i %u", want->ignore);
	if (want->condition) {
		g_autofree char *condition = mi_quote(want->condition);

		g_string_append_printf(line, " -c %s", condition);
	}
	record = mi_conn_command(conn, conn->command_timeout_ms, error, "%s %s", line->str,
				 location);
	if (!record)
		return false;
	bkpt = mi_get(record->results, "bkpt");
	if (!mi_get(bkpt, "number")) {
		g_set_error(error, MI_ERROR, MI_ERROR_ANSWER,
			    "GDB set a breakpoint at %s without saying which.", want->location);
		return false;
	}
	if (made)
		read_breakpoint(bkpt, made);
	return true;
}

bool mi_cmd_break_delete(struct mi_conn *conn, unsigned number, GError **error)
{
	return command_is_done(
		mi_conn_command(conn, conn->command_timeout_ms, error, "-break-delete %u", number));
}

/* --- running --- */

static bool set_going(struct mi_conn *conn, const char *command, GError **error)
{
	mi_conn_forget_stops(conn);
	return command_is_done(
		mi_conn_command(conn, conn->command_timeout_ms, error, "%s", command));
}

bool mi_cmd_run(struct mi_conn *conn, GError **error)
{
	return set_going(conn, "-exec-run", error);
}

bool mi_cmd_continue(struct mi_conn *conn, GError **error)
{
	return set_going(conn, "-exec-continue", error);
}

bool mi_cmd_interrupt(struct mi_conn *conn, GError **error)
{
	return command_is_done(
		mi_conn_command(conn, conn->command_timeout_ms, error, "-exec-interrupt"));
}

bool mi_cmd_wait(struct mi_conn *conn, int timeout_ms, struct mi_stop *stop, GError **error)
{
	g_autoptr(mi_record) record = mi_conn_wait_stop(conn, timeout_ms, error);

	if (record)
		mi_stop_init(stop, record);
	return record != NULL;
}

bool mi_cmd_kill(struct mi_conn *conn, GError **error)
{
	g_autoptr(GError) cause = NULL;

	if (run_console(conn, "kill", &cause))
		return true;
	if (!mi_conn_program_pid(conn) && g_error_matches(cause, MI_ERROR, MI_ERROR_COMMAND))
		return true;
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}

/* --- GDB itself --- */

char **mi_cmd_features(struct mi_conn *conn, GError **error)
{
	g_autoptr(mi_record) record =
		mi_conn_command(conn, conn->command_timeout_ms, error, "-list-features");
	const struct mi_value *list = record ? mi_get(record->results, "features") : NULL;
	GPtrArray *names;

	if (!record)
		return NULL;
	names = g_ptr_array_new();
	for (size_t i = 0; i < mi_count(list); i++) {
		const char *name = mi_get_text(mi_item(list, i), "");

		if (name)
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char *mi_cmd_console(struct mi_conn *conn, const char *command, GError **error)
{
	g_autofree char *quoted = mi_quote(command);
	char *output = NULL;

	if (!command_is_done(mi_conn_capture(conn, conn->command_timeout_ms, &output, error,
					     "-interpreter-exec console %s", quoted)))
		return NULL;
	return output;
}
