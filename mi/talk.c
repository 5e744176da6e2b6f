/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/internal.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* How often a wait looks whether GDB still lives: its pipes may be held open by
 * the program. */
#define LOOK_MS 100
/* When the program is gone and GDB has sent no *stopped record, this long is waited for one. */
#define GONE_MS 500
#define LAST_WORDS_MAX 4096

GQuark mi_error_quark(void)
{
	return g_quark_from_static_string("mi-error-quark");
}

/* --- what comes in --- */

static void follow_groups(struct mi_conn *conn, const struct mi_record *record)
{
	const char *id = mi_get_text(record->results, "id");
	uint64_t pid = 0;

	if (!id)
		return;
	if (!strcmp(record->class, "thread-group-started")) {
		mi_get_u64(record->results, "pid", &pid);
		g_hash_table_insert(conn->groups, g_strdup(id), GINT_TO_POINTER((int)pid));
	} else if (!strcmp(record->class, "thread-group-exited")) {
		g_hash_table_remove(conn->groups, id);
		if (!g_hash_table_size(conn->groups))
			conn->running = false;
	}
}

static void follow_state(struct mi_conn *conn, const struct mi_record *record)
{
	if (record->kind == MI_NOTIFY)
		follow_groups(conn, record);
	else if (mi_record_is(record, MI_EXEC, "running"))
		conn->running = true;
	else if (mi_record_is(record, MI_EXEC, "stopped"))
		conn->running = false;
	else if (record->kind == MI_CONSOLE && conn->capture)
		g_string_append_len(conn->capture, record->text, (gssize)record->length);
}

static bool is_awaited(struct mi_conn *conn, const struct mi_record *record)
{
	gpointer known;

	return record->kind == MI_RESULT && record->has_token &&
	       g_hash_table_lookup_extended(conn->results, &record->token, NULL, &known) && !known;
}

void mi_talk_hear(struct mi_record *record, void *arg)
{
	struct mi_conn *conn = arg;

	if (conn->script && record->has_token)
		record->token = mi_script_token(conn->script, record->token);
	conn->speaks |= record->kind == MI_RESULT;
	follow_state(conn, record);
	if (is_awaited(conn, record)) {
		g_hash_table_insert(conn->results, g_memdup2(&record->token, sizeof record->token),
				    record);
		return;
	}
	if (conn->handler)
		conn->handler(conn, record, conn->arg);
	if (mi_record_is(record, MI_EXEC, "stopped"))
		g_queue_push_tail(&conn->stops, record);
	else
		mi_record_free(record);
}

/* --- moving bytes --- */

static void close_deaf(struct mi_conn *conn)
{
	if (conn->deaf)
		return;
	conn->deaf = true;
	mi_parser_end(conn->parser);
}

/* Reads what there is on GDB's standard output; false at its end. */
static bool read_out(struct mi_conn *conn)
{
	char bytes[16384];
	gssize n;

	while ((n = read(conn->child.out, bytes, sizeof bytes)) > 0) {
		if (conn->transcript)
			mi_transcript_received(conn->transcript, bytes, (size_t)n);
		g_debug("< %.*s", (int)n, bytes);
		mi_parser_feed(conn->parser, bytes, (size_t)n);
		if (n < (gssize)sizeof bytes)
			return true;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void read_err(struct mi_conn *conn)
{
	char bytes[4096];
	gssize n = read(conn->child.err, bytes, sizeof bytes);

	if (n > 0) {
		g_debug("! %.*s", (int)n, bytes);
		g_string_append_len(conn->last_words, bytes, n);
		if (conn->last_words->len > LAST_WORDS_MAX)
			g_string_erase(conn->last_words, 0,
				       (gssize)(conn->last_words->len - LAST_WORDS_MAX));
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(conn->child.err);
		conn->child.err = -1;
	}
}

static void write_in(struct mi_conn *conn)
{
	gssize n = mi_child_write(&conn->child, conn->outgoing->data, conn->outgoing->len);

	/* No reader: GDB is gone, which its output will say too. */
	if (n < 0)
		n = conn->outgoing->len;
	g_byte_array_remove_range(conn->outgoing, 0, (guint)n);
}

static void move_pipes(struct mi_conn *conn, int wait_ms)
{
	struct pollfd fds[] = {
		{ .fd = conn->child.out, .events = POLLIN },
		{ .fd = conn->child.err, .events = POLLIN },
		{ .fd = conn->outgoing->len ? conn->child.in : -1, .events = POLLOUT },
		{ .fd = conn->cancel_fd > 0 ? conn->cancel_fd : -1, .events = POLLIN },
	};
	int ready = poll(fds, G_N_ELEMENTS(fds), wait_ms);

	if (ready < 0)
		return;
	if (fds[1].revents)
		read_err(conn);
	if (fds[2].revents)
		write_in(conn);
	if (fds[0].revents) {
		if (!read_out(conn))
			close_deaf(conn);
	} else if (mi_child_has_ended(&conn->child)) {
		/* GDB has ended, but what it said last may not have been read yet; the next
		 * call reads it. */
		if (poll(fds, 1, 0) == 0)
			close_deaf(conn);
	}
}

static void move_script(struct mi_conn *conn)
{
	g_autoptr(GBytes) text = NULL;
	bool ended;
	size_t n;
	const char *bytes;

	conn->out_of_order = !mi_script_hear(conn->script, &text, &ended);
	if (conn->out_of_order) {
		if (mi_script_is_over(conn->script))
			close_deaf(conn);
		return;
	}
	bytes = g_bytes_get_data(text, &n);
	mi_parser_feed(conn->parser, bytes, n);
	if (ended)
		mi_parser_feed(conn->parser, "\n", 1);
}

void mi_talk_move(struct mi_conn *conn, int wait_ms)
{
	if (conn->script)
		move_script(conn);
	else if (!conn->deaf)
		move_pipes(conn, wait_ms);
}

/* --- waiting --- */

static bool is_cancelled(const struct mi_conn *conn)
{
	struct pollfd fd = { .fd = conn->cancel_fd, .events = POLLIN };

	return conn->cancel_fd > 0 && poll(&fd, 1, 0) > 0;
}

static void read_all_err(struct mi_conn *conn)
{
	size_t before;

	do {
		before = conn->last_words->len;
		if (conn->child.err >= 0)
			read_err(conn);
	} while (conn->child.err >= 0 && conn->last_words->len != before &&
		 conn->last_words->len < LAST_WORDS_MAX);
}

void mi_talk_forget_words(struct mi_conn *conn)
{
	read_all_err(conn);
	g_string_truncate(conn->last_words, 0);
}

/* The last line of what GDB wrote to its standard error, or "". */
static char *last_words(struct mi_conn *conn)
{
	char *line;

	read_all_err(conn);
	g_strchomp(conn->last_words->str);
	line = strrchr(conn->last_words->str, '\n');
	return g_strdup(line ? line + 1 : conn->last_words->str);
}

static void set_died(struct mi_conn *conn, GError **error)
{
	if (!conn->end && conn->script) {
		conn->end = g_strdup("GDB has said all that the transcript has of it.");
	} else if (!conn->end) {
		g_autofree char *words = last_words(conn);
		g_autofree char *how = mi_child_finish(&conn->child);

		conn->end = *words ? g_strdup_printf("GDB %s; its last words: %s", how, words)
				   : g_strdup_printf("GDB %s.", how);
	}
	g_set_error_literal(error, MI_ERROR, MI_ERROR_DIED, conn->end);
}

/* Is there a reason to wait no longer? Then *error says it. */
static bool is_vain(struct mi_conn *conn, gint64 deadline, const char *awaited, GError **error)
{
	if (conn->deaf) {
		set_died(conn, error);
		return true;
	}
	if (is_cancelled(conn) || (conn->until && g_get_monotonic_time() >= conn->until)) {
		g_set_error(error, MI_ERROR, MI_ERROR_CANCELLED,
			    "Interrupted while waiting for %s.", awaited);
		return true;
	}
	if (conn->out_of_order || (deadline && g_get_monotonic_time() >= deadline)) {
		g_set_error(error, MI_ERROR, MI_ERROR_TIMEOUT,
			    "GDB did not answer in time: still waiting for %s.", awaited);
		return true;
	}
	return false;
}

/* Milliseconds to sleep at most. */
static int nap_milliseconds(gint64 deadline)
{
	gint64 left = (deadline - g_get_monotonic_time() + 999) / 1000;

	return deadline ? (int)CLAMP(left, 0, LOOK_MS) : LOOK_MS;
}

bool mi_talk_until(struct mi_conn *conn, mi_talk_done_fn *done, void *arg, int timeout_ms,
		   const char *awaited, GError **error)
{
	gint64 deadline = timeout_ms < 0 ? 0 : g_get_monotonic_time() + timeout_ms * (gint64)1000;

	while (!done(conn, arg)) {
		if (is_vain(conn, deadline, awaited, error))
			return false;
		mi_talk_move(conn, nap_milliseconds(deadline));
	}
	return true;
}

/* --- commands --- */

/* Can this line be sent? */
static bool is_sendable(struct mi_conn *conn, const char *line, GError **error)
{
	if (strpbrk(line, "\r\n")) {
		g_set_error(error, MI_ERROR, MI_ERROR_ARGUMENT,
			    "A GDB command cannot hold a line break: %s", line);
		return false;
	}
	if (conn->deaf)
		set_died(conn, error);
	return !conn->deaf;
}

static void send_bytes(struct mi_conn *conn, const char *line)
{
	if (conn->transcript)
		mi_transcript_sent(conn->transcript, line);
	g_debug("> %s", line);
	if (conn->script)
		return;
	g_byte_array_append(conn->outgoing, (const guint8 *)line, (guint)strlen(line));
	g_byte_array_append(conn->outgoing, (const guint8 *)"\n", 1);
	write_in(conn);
}

bool mi_conn_send_line(struct mi_conn *conn, const char *line, GError **error)
{
	if (!is_sendable(conn, line, error))
		return false;
	send_bytes(conn, line);
	return true;
}

uint64_t mi_talk_send(struct mi_conn *conn, const char *line, GError **error)
{
	uint64_t token = conn->last_token + 1;
	g_autofree char *sent = NULL;

	if (!is_sendable(conn, line, error))
		return 0;
	if (conn->script && !mi_script_send(conn->script, token, line, error))
		return 0;
	conn->last_token = token;
	sent = g_strdup_printf("%" G_GUINT64_FORMAT "%s", token, line);
	g_hash_table_insert(conn->results, g_memdup2(&token, sizeof token), NULL);
	send_bytes(conn, sent);
	return token;
}

static uint64_t send_formatted(struct mi_conn *conn, GError **error, const char *format,
			       va_list args) G_GNUC_PRINTF(3, 0);
static uint64_t send_formatted(struct mi_conn *conn, GError **error, const char *format,
			       va_list args)
{
	g_autofree char *line = g_strdup_vprintf(format, args);

	return mi_talk_send(conn, line, error);
}

uint64_t mi_conn_send(struct mi_conn *conn, GError **error, const char *format, ...)
{
	va_list args;
	uint64_t token;

	va_start(args, format);
	token = send_formatted(conn, error, format, args);
	va_end(args);
	return token;
}

static bool result_is_there(struct mi_conn *conn, void *token)
{
	return g_hash_table_lookup(conn->results, token) != NULL;
}

bool mi_conn_has_result(struct mi_conn *conn, uint64_t token)
{
	return result_is_there(conn, &token);
}

struct mi_record *mi_conn_result(struct mi_conn *conn, uint64_t token, int timeout_ms,
				 GError **error)
{
	g_autofree char *awaited =
		g_strdup_printf("the answer to command %" G_GUINT64_FORMAT, token);
	struct mi_record *record;
	const char *message;
	gpointer key, value;

	if (!mi_talk_until(conn, result_is_there, &token, timeout_ms, awaited, error)) {
		g_hash_table_remove(conn->results, &token);
		return NULL;
	}
	g_hash_table_steal_extended(conn->results, &token, &key, &value);
	g_free(key);
	record = value;
	if (g_strcmp0(record->class, "error") != 0)
		return record;
	message = mi_get_text(record->results, "msg");
	g_set_error_literal(error, MI_ERROR, MI_ERROR_COMMAND,
			    message && *message ? message : "GDB gave no reason.");
	mi_record_free(record);
	return NULL;
}

struct mi_record *mi_conn_command(struct mi_conn *conn, int timeout_ms, GError **error,
				  const char *format, ...)
{
	va_list args;
	uint64_t token;

	va_start(args, format);
	token = send_formatted(conn, error, format, args);
	va_end(args);
	return token ? mi_conn_result(conn, token, timeout_ms, error) : NULL;
}

struct mi_record *mi_conn_capture(struct mi_conn *conn, int timeout_ms, char **output,
				  GError **error, const char *format, ...)
{
	va_list args;
	uint64_t token;
	struct mi_record *record;

	va_start(args, format);
	token = send_formatted(conn, error, format, args);
	va_end(args);
	if (!token)
		return NULL;
	conn->capture = g_string_new(NULL);
	record = mi_conn_result(conn, token, timeout_ms, error);
	if (record)
		*output = g_string_free(conn->capture, FALSE);
	else
		g_string_free(conn->capture, TRUE);
	conn->capture = NULL;
	return record;
}

/* --- stops --- */

struct stop_wait {
	gint64 gone_since; /* 0: the program is there */
};

static bool stop_is_there_or_gone(struct mi_conn *conn, void *arg)
{
	struct stop_wait *wait = arg;

	if (!g_queue_is_empty(&conn->stops))
		return true;
	if (g_hash_table_size(conn->groups)) {
		wait->gone_since = 0;
		return false;
	}
	if (!wait->gone_since)
		wait->gone_since = g_get_monotonic_time();
	return g_get_monotonic_time() - wait->gone_since > GONE_MS * (gint64)1000;
}

struct mi_record *mi_conn_wait_stop(struct mi_conn *conn, int timeout_ms, GError **error)
{
	struct stop_wait wait = { 0 };

	if (!mi_talk_until(conn, stop_is_there_or_gone, &wait, timeout_ms, "the program to stop",
			   error))
		return NULL;
	if (g_queue_is_empty(&conn->stops)) {
		g_set_error(error, MI_ERROR, MI_ERROR_GONE,
			    "There is no program that could stop: it was not started, or it ended "
			    "without GDB saying how.");
		return NULL;
	}
	return g_queue_pop_head(&conn->stops);
}

void mi_conn_forget_stops(struct mi_conn *conn)
{
	g_queue_clear_full(&conn->stops, (GDestroyNotify)mi_record_free);
}

bool mi_conn_pump(struct mi_conn *conn, int timeout_ms, GError **error)
{
	if (!conn->deaf)
		mi_talk_move(conn, timeout_ms);
	if (conn->deaf)
		set_died(conn, error);
	return !conn->deaf;
}
