/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/cmd.h"
#include "mi/internal.h"
#include "mi/text.h"

#include <string.h>

/* A request for more frames at once would be answered by one very long line. */
#define MEMORY_PIECE ((size_t)1 << 20)
#define FRAMES_MAX 100000

/* The options that select a thread and frame for one command, with a blank
 * behind; free it. */
static char *where_options(const struct mi_where *where)
{
	if (!where || !where->thread)
		return g_strdup("");
	return g_strdup_printf("--thread %u --frame %u ", where->thread, where->frame);
}

static void set_bad_answer(GError **error, const char *question)
{
	g_set_error(error, MI_ERROR, MI_ERROR_ANSWER, "GDB's answer to %s does not say it.",
		    question);
}

/* --- expressions --- */

char *mi_cmd_evaluate(struct mi_conn *conn, const struct mi_where *where, const char *expression,
		      GError **error)
{
	g_autofree char *options = where_options(where);
	g_autofree char *quoted = mi_quote(expression);
	g_autoptr(mi_record) record =
		mi_conn_command(conn, conn->command_timeout_ms, error,
				"-data-evaluate-expression %s%s", options, quoted);
	const char *value = record ? mi_get_text(record->results, "value") : NULL;

	if (record && !value)
		set_bad_answer(error, expression);
	return g_strdup(value);
}

bool mi_cmd_evaluate_u64(struct mi_conn *conn, const struct mi_where *where, const char *expression,
			 uint64_t *value, GError **error)
{
	/* GDB shows a pointer with the name it points to, an enum by name; it would cast a
	 * struct too, but not add to it. */
	g_autofree char *number = g_strdup_printf("(unsigned long)((%s) + 0)", expression);
	g_autofree char *text = mi_cmd_evaluate(conn, where, number, error);
	char *end;

	if (!text)
		return false;
	*value = g_ascii_strtoull(text, &end, 0);
	if (end != text && !*end)
		return true;
	set_bad_answer(error, expression);
	return false;
}

/* --- registers --- */

static bool ask_register_names(struct mi_conn *conn, GError **error)
{
	g_autoptr(mi_record) record =
		mi_conn_command(conn, conn->command_timeout_ms, error, "-data-list-register-names");
	const struct mi_value *names = record ? mi_get(record->results, "register-names") : NULL;

	if (!record)
		return false;
	conn->registers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (size_t i = 0; i < mi_count(names); i++) {
		const char *name = mi_get_text(mi_item(names, i), "");

		if (name && *name && !g_hash_table_contains(conn->registers, name))
			g_hash_table_insert(conn->registers, g_strdup(name), GUINT_TO_POINTER(i));
	}
	return true;
}

static void fill_in(struct mi_conn *conn, struct mi_register *regs, size_t n, uint64_t number,
		    const struct mi_value *value)
{
	for (size_t i = 0; i < n; i++) {
		gpointer known;

		if (g_hash_table_lookup_extended(conn->registers, regs[i].name, NULL, &known) &&
		    GPOINTER_TO_UINT(known) == number)
			regs[i].known = mi_get_u64(value, "value", &regs[i].value);
	}
}

/* The command that asks for these registers; NULL when GDB has none of them. */
static char *registers_command(struct mi_conn *conn, const struct mi_where *where,
			       const struct mi_register *regs, size_t n)
{
	g_autofree char *options = where_options(where);
	g_autoptr(GString) line = g_string_new(NULL);
	bool any = false;

	g_string_printf(line, "-data-list-register-values %s--skip-unavailable x", options);
	for (size_t i = 0; i < n; i++) {
		gpointer number;

		if (!g_hash_table_lookup_extended(conn->registers, regs[i].name, NULL, &number))
			continue;
		g_string_append_printf(line, " %u", GPOINTER_TO_UINT(number));
		any = true;
	}
	return any ? g_string_free(g_steal_pointer(&line), FALSE) : NULL;
}

bool mi_cmd_registers(struct mi_conn *conn, const struct mi_where *where, struct mi_register *regs,
		      size_t n, GError **error)
{
	g_autofree char *command = NULL;
	g_autoptr(mi_record) record = NULL;
	const struct mi_value *values;

	for (size_t i = 0; i < n; i++)
		regs[i].known = false;
	if (!conn->registers && !ask_register_names(conn, error))
		return false;
	command = registers_command(conn, where, regs, n);
	if (!command)
		return true;
	record = mi_conn_command(conn, conn->command_timeout_ms, error, "%s", command);
	if (!record)
		return false;
	values = mi_get(record->results, "register-values");
	for (size_t i = 0; i < mi_count(values); i++) {
		uint64_t number;

		if (mi_get_u64(mi_item(values, i), "number", &number))
			fill_in(conn, regs, n, number, mi_item(values, i));
	}
	return true;
}

/* --- memory --- */

/* Decodes hexadecimal text into at most n bytes; how many it were. */
static size_t read_hex(const char *hex, guint8 *to, size_t n)
{
	size_t i;

	for (i = 0; i < n && g_ascii_isxdigit(hex[2 * i]) && g_ascii_isxdigit(hex[2 * i + 1]); i++)
		to[i] = (guint8)(g_ascii_xdigit_value(hex[2 * i]) << 4 |
				 g_ascii_xdigit_value(hex[2 * i + 1]));
	return i;
}

static bool read_memory_piece(struct mi_conn *conn, uint64_t addr, guint8 *to, size_t n,
			      size_t *got, GError **error)
{
	g_autoptr(mi_record) record = mi_conn_command(
		conn, conn->command_timeout_ms, error,
		"-data-read-memory-bytes 0x%" G_GINT64_MODIFIER "x %" G_GSIZE_FORMAT, addr, n);
	const char *hex;
	uint64_t begin;

	if (!record)
		return false;
	/* The blocks that can be read, in order. A block after a gap is not used, because the
	 * caller asks for bytes without gaps. */
	hex = mi_get_text(record->results, "memory.0.contents");
	if (!hex || !mi_get_u64(record->results, "memory.0.begin", &begin)) {
		set_bad_answer(error, "what is in memory");
		return false;
	}
	*got = begin == addr ? read_hex(hex, to, n) : 0;
	return true;
}

bool mi_cmd_read_memory(struct mi_conn *conn, uint64_t addr, void *to, size_t n, size_t *got,
			GError **error)
{
	size_t done = 0;

	while (done < n) {
		size_t piece = MIN(n - done, MEMORY_PIECE), read = 0;
		g_autoptr(GError) cause = NULL;

		if (!read_memory_piece(conn, addr + done, (guint8 *)to + done, piece, &read,
				       &cause) &&
		    (!done || !g_error_matches(cause, MI_ERROR, MI_ERROR_COMMAND))) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		done += read;
		if (read < piece)
			break;
	}
	if (n && !done) {
		g_set_error(error, MI_ERROR, MI_ERROR_COMMAND,
			    "Cannot access memory at address 0x%" G_GINT64_MODIFIER "x", addr);
		return false;
	}
	*got = done;
	return true;
}

/* --- frames and variables --- */

static void clear_frame(gpointer frame)
{
	mi_frame_clear(frame);
}

GArray *mi_cmd_frames(struct mi_conn *conn, unsigned thread, unsigned max, GError **error)
{
	g_autofree char *options = thread ? g_strdup_printf("--thread %u ", thread) : g_strdup("");
	unsigned last = (max ? MIN(max, FRAMES_MAX) : FRAMES_MAX) - 1;
	g_autoptr(mi_record) record = mi_conn_command(conn, conn->command_timeout_ms, error,
						      "-stack-list-frames %s0 %u", options, last);
	const struct mi_value *stack = record ? mi_get(record->results, "stack") : NULL;
	GArray *frames;

	if (!record)
		return NULL;
	frames = g_array_new(FALSE, TRUE, sizeof(struct mi_frame));
	g_array_set_clear_func(frames, clear_frame);
	for (size_t i = 0; i < mi_count(stack); i++) {
		struct mi_frame frame;

		mi_frame_init(&frame, mi_item(stack, i));
		if (frame.known)
			g_array_append_val(frames, frame);
	}
	return frames;
}

static void clear_variable(gpointer data)
{
	struct mi_variable *variable = data;

	g_free(variable->name);
	g_free(variable->type);
	g_free(variable->value);
}

GArray *mi_cmd_variables(struct mi_conn *conn, const struct mi_where *where, GError **error)
{
	g_autofree char *options = where_options(where);
	g_autoptr(mi_record) record =
		mi_conn_command(conn, conn->command_timeout_ms, error,
				"-stack-list-variables %s--simple-values", options);
	const struct mi_value *list = record ? mi_get(record->results, "variables") : NULL;
	GArray *variables;

	if (!record)
		return NULL;
	variables = g_array_new(FALSE, TRUE, sizeof(struct mi_variable));
	g_array_set_clear_func(variables, clear_variable);
	for (size_t i = 0; i < mi_count(list); i++) {
		const struct mi_value *item = mi_item(list, i);
		struct mi_variable variable = {
			.name = g_strdup(mi_get_text(item, "name")),
			.type = g_strdup(mi_get_text(item, "type")),
			.value = g_strdup(mi_get_text(item, "value")),
			.is_argument = mi_get(item, "arg") != NULL,
		};

		if (variable.name)
			g_array_append_val(variables, variable);
		else
			clear_variable(&variable);
	}
	return variables;
}
