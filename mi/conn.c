/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/internal.h"
#include "mi/text.h"

#include <string.h>

#define DEFAULT_TIMEOUT_MS 30000
/* GDB needs a few milliseconds to quit by itself; a stopped or busy one never will. */
#define QUIT_MS 300

/* These settings are made before anything else happens. A headless GDB gets all of them, a
 * person's GDB those that are always needed. An older GDB may not know one of them, which is
 * no error. */
static const struct {
	const char *command;
	bool always;
} settings[] = {
	{ "-gdb-set pagination off", false },
	{ "-gdb-set confirm off", false },
	{ "-gdb-set width 0", false },
	{ "-gdb-set height 0", false },
	{ "-gdb-set style enabled off", false },
	/* With it GDB would ask servers, and wait for ever where there are none. */
	{ "-gdb-set debuginfod enabled off", false },
	/* Without it -exec-interrupt hangs on a pipe. */
	{ "-gdb-set mi-async on", true },
	{ "-gdb-set startup-with-shell off", false },
	{ "-gdb-set auto-load no", false },
	{ "-gdb-set breakpoint pending on", false },
};

/* Variables that GDB, or we for its sake, change in what becomes the program's
 * environment. */
static const char *const changed_variables[] = { "LINES", "COLUMNS", "SHELL", "LC_ALL" };

static struct mi_conn *new_conn(const struct mi_options *options)
{
	struct mi_conn *conn = g_new0(struct mi_conn, 1);

	conn->child = (struct mi_child){ .in = -1, .out = -1, .err = -1 };
	conn->outgoing = g_byte_array_new();
	conn->last_words = g_string_new(NULL);
	conn->parser = mi_parser_new(mi_talk_hear, conn);
	conn->results = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					      (GDestroyNotify)mi_record_free);
	conn->groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_queue_init(&conn->stops);
	conn->handler = options->handler;
	conn->arg = options->arg;
	conn->cancel_fd = options->cancel_fd;
	conn->until = options->until;
	conn->command_timeout_ms =
		options->command_timeout_ms ? options->command_timeout_ms : DEFAULT_TIMEOUT_MS;
	return conn;
}

static bool gdb_has_ended(struct mi_conn *conn, G_GNUC_UNUSED void *arg)
{
	return conn->deaf || mi_child_has_ended(&conn->child);
}

/* Lets GDB kill or release its program by itself, if it does so quickly. */
static void quit_politely(struct mi_conn *conn)
{
	if (conn->deaf || !conn->child.pid || !mi_talk_send(conn, "-gdb-exit", NULL))
		return;
	conn->cancel_fd = 0;
	conn->until = 0;
	mi_talk_until(conn, gdb_has_ended, NULL, QUIT_MS, "GDB to quit", NULL);
}

void mi_conn_free(struct mi_conn *conn)
{
	if (!conn)
		return;
	conn->handler = NULL;
	quit_politely(conn);
	g_free(mi_child_finish(&conn->child));
	mi_transcript_free(conn->transcript);
	mi_script_free(conn->script);
	mi_parser_free(conn->parser);
	mi_conn_forget_stops(conn);
	g_hash_table_unref(conn->results);
	g_hash_table_unref(conn->groups);
	if (conn->registers)
		g_hash_table_unref(conn->registers);
	g_byte_array_unref(conn->outgoing);
	g_string_free(conn->last_words, TRUE);
	g_free(conn->end);
	g_free(conn);
}

/* --- the start --- */

static char **gdb_argv(const struct mi_options *options, unsigned version)
{
	GPtrArray *argv = g_ptr_array_new();

	g_ptr_array_add(argv, g_strdup(options->gdb ? options->gdb : "gdb"));
	if (!options->personal) {
		g_ptr_array_add(argv, g_strdup("-nx"));
		g_ptr_array_add(argv, g_strdup("-q"));
	}
	g_ptr_array_add(argv, g_strdup_printf("--interpreter=mi%u", version));
	if (options->bare)
		g_ptr_array_add(argv, g_strdup("--data-directory=/nonexistent"));
	for (const char *const *a = options->args; a && *a; a++)
		g_ptr_array_add(argv, g_strdup(*a));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

static char **program_environ(const struct mi_options *options)
{
	return options->environ ? g_strdupv((char **)options->environ) : g_get_environ();
}

/* A program that needs a shell gets the same shell everywhere, and what GDB prints does not
 * depend on the locale. */
static char **gdb_environ(const struct mi_options *options)
{
	char **envp = g_environ_setenv(program_environ(options), "SHELL", "/bin/sh", TRUE);

	return g_environ_setenv(envp, "LC_ALL", "C.UTF-8", TRUE);
}

static bool start_gdb(struct mi_conn *conn, const struct mi_options *options, GError **error)
{
	g_auto(GStrv) argv = gdb_argv(options, conn->mi_version);
	g_auto(GStrv) envp = options->personal ? program_environ(options) : gdb_environ(options);
	g_autoptr(GError) cause = NULL;

	if (mi_child_start(&conn->child, argv, envp, options->directory, &cause))
		return true;
	if (g_error_matches(cause, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
		g_set_error(error, MI_ERROR, MI_ERROR_START,
			    "There is no GDB at \"%s\": install gdb, or name the one to use.",
			    argv[0]);
	else
		g_set_error(error, MI_ERROR, MI_ERROR_START, "GDB cannot be started: %s.",
			    cause->message);
	return false;
}

/* Sends all that is needed before the first command of the user's, in one go.
 * *optional is the last token whose failure does not matter. */
static bool send_settings(struct mi_conn *conn, const struct mi_options *options,
			  uint64_t *optional, GError **error)
{
	g_auto(GStrv) envp = program_environ(options);

	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
		if (options->personal && !settings[i].always)
			continue;
		if (!mi_talk_send(conn, settings[i].command, error))
			return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(changed_variables); i++) {
		const char *name = changed_variables[i];
		const char *value = g_environ_getenv(envp, name);
		g_autofree char *command =
			value ? g_strdup_printf("set environment %s=%s", name, value)
			      : g_strdup_printf("unset environment %s", name);
		g_autofree char *quoted = mi_quote(command);

		if (!mi_conn_send(conn, error, "-interpreter-exec console %s", quoted))
			return false;
	}
	*optional = conn->last_token;
	for (const char *const *c = options->commands; c && *c; c++) {
		if (!mi_talk_send(conn, *c, error))
			return false;
	}
	return true;
}

static bool shake_hands(struct mi_conn *conn, const struct mi_options *options, GError **error)
{
	int limit = options->start_timeout_ms ? options->start_timeout_ms : DEFAULT_TIMEOUT_MS;
	gint64 deadline = g_get_monotonic_time() + limit * (gint64)1000;
	uint64_t optional, last;

	if (!send_settings(conn, options, &optional, error))
		return false;
	last = conn->last_token;
	for (uint64_t token = 1; token <= last; token++) {
		gint64 left = (deadline - g_get_monotonic_time()) / 1000;
		g_autoptr(GError) cause = NULL;
		g_autoptr(mi_record) record =
			mi_conn_result(conn, token, limit < 0 ? -1 : (int)MAX(left, 0), &cause);

		if (record)
			continue;
		if (token > optional || !g_error_matches(cause, MI_ERROR, MI_ERROR_COMMAND)) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		g_debug("GDB does not take a setting: %s", cause->message);
	}
	return true;
}

static bool open_transcript(struct mi_conn *conn, GError **error)
{
	const char *file = g_getenv("GDB_WHY_MI_RECORD");
	g_autofree char *remark = NULL;

	if (!file || !*file)
		return true;
	conn->transcript = mi_transcript_new(file, error);
	if (!conn->transcript)
		return false;
	remark = g_strdup_printf("interpreter mi%u", conn->mi_version);
	mi_transcript_remark(conn->transcript, remark);
	return true;
}

/* Does GDB say that it has no such interpreter? */
static bool knows_no_such_mi(const GError *error)
{
	return g_error_matches(error, MI_ERROR, MI_ERROR_DIED) &&
	       strstr(error->message, "nterpreter");
}

/* A GDB that never answered is a failed start, whatever happened to it. */
static void name_the_start(const struct mi_options *options, bool speaks, GError *cause,
			   GError **error)
{
	if (speaks || !g_error_matches(cause, MI_ERROR, MI_ERROR_DIED))
		g_propagate_error(error, g_error_copy(cause));
	else
		g_set_error(error, MI_ERROR, MI_ERROR_START,
			    "\"%s\" does not work as a GDB with MI: %s",
			    options->gdb ? options->gdb : "gdb", cause->message);
}

struct mi_conn *mi_conn_start(const struct mi_options *options, GError **error)
{
	for (unsigned version = 4;; version--) {
		g_autoptr(mi_conn) conn = new_conn(options);
		g_autoptr(GError) cause = NULL;

		conn->mi_version = version;
		if (!open_transcript(conn, error) || !start_gdb(conn, options, error))
			return NULL;
		if (shake_hands(conn, options, &cause)) {
			mi_talk_forget_words(conn);
			return g_steal_pointer(&conn);
		}
		if (version > 2 && knows_no_such_mi(cause))
			continue;
		name_the_start(options, conn->speaks, cause, error);
		return NULL;
	}
}

struct mi_conn *mi_conn_replay(const char *file, const struct mi_options *options, GError **error)
{
	g_autoptr(mi_conn) conn = new_conn(options);

	conn->script = mi_script_new(file, error);
	if (!conn->script)
		return NULL;
	conn->mi_version = mi_script_mi_version(conn->script);
	if (!shake_hands(conn, options, error))
		return NULL;
	return g_steal_pointer(&conn);
}

/* --- questions --- */

void mi_conn_set_handler(struct mi_conn *conn, mi_handler_fn *handler, void *arg)
{
	conn->handler = handler;
	conn->arg = arg;
}

int mi_conn_fd(const struct mi_conn *conn)
{
	return conn->child.out;
}

bool mi_conn_is_running(const struct mi_conn *conn)
{
	return conn->running;
}

pid_t mi_conn_program_pid(const struct mi_conn *conn)
{
	GHashTableIter iter;
	gpointer id, pid, first = NULL;
	const char *first_id = NULL;

	g_hash_table_iter_init(&iter, conn->groups);
	while (g_hash_table_iter_next(&iter, &id, &pid)) {
		if (!first_id || strcmp(id, first_id) < 0) {
			first_id = id;
			first = pid;
		}
	}
	return GPOINTER_TO_INT(first);
}

pid_t mi_conn_gdb_pid(const struct mi_conn *conn)
{
	return conn->child.pid;
}

unsigned mi_conn_mi_version(const struct mi_conn *conn)
{
	return conn->mi_version;
}

int mi_conn_command_timeout(const struct mi_conn *conn)
{
	return conn->command_timeout_ms;
}
