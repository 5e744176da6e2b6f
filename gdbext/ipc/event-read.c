/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/ipc/event.h"
#include "gdbext/ipc/event-names.h"
#include "solver/answer/json/json-object.h"

#include <json-glib/json-glib.h>
#include <string.h>

G_DEFINE_QUARK(gdb - why - event, event_error)

static bool refuse_event(GError **error, const char *why)
{
	g_set_error(error, EVENT_ERROR, EVENT_ERROR_LINE, "It is no event: %s.", why);
	return false;
}

/* The member's value if it has that type; NULL: it has not. */
static JsonNode *value_of_member(JsonObject *o, const char *name, GType type)
{
	JsonNode *node = json_object_get_member(o, name);

	return node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == type ? node
											     : NULL;
}

/* NULL: it is not there. */
static const char *event_string_of(JsonObject *o, const char *name)
{
	JsonNode *node = value_of_member(o, name, G_TYPE_STRING);

	return node ? json_node_get_string(node) : NULL;
}

static bool read_event_number(JsonObject *o, const char *name, gint64 most, gint64 *out,
			      GError **error)
{
	JsonNode *node = value_of_member(o, name, G_TYPE_INT64);
	gint64 n = node ? json_node_get_int(node) : -1;
	g_autofree char *why = NULL;

	if (n >= 0 && n <= most) {
		*out = n;
		return true;
	}
	why = g_strdup_printf("its \"%s\" is not a number from 0 to %" G_GINT64_FORMAT, name, most);
	return refuse_event(error, why);
}

static bool read_status(JsonObject *o, struct event *e, GError **error)
{
	gint64 status;

	if (!read_event_number(o, "status", 255, &status, error))
		return false;
	e->status = (int)status;
	return true;
}

/* The index of a word in a table; -1: it is not there. */
static int index_of_word(const char *const *names, size_t n, const char *word)
{
	for (size_t i = 0; word && i < n; i++)
		if (strcmp(names[i], word) == 0)
			return (int)i;
	return -1;
}

static bool read_progress(JsonObject *o, struct event *e, GError **error)
{
	int stage = index_of_word(event_stage_names, G_N_ELEMENTS(event_stage_names),
				  event_string_of(o, "stage"));
	gint64 runs;

	if (stage < 0)
		return refuse_event(error, "its \"stage\" is not known");
	if (!read_event_number(o, "runs", G_MAXINT64, &runs, error))
		return false;
	e->stage = (enum event_stage)stage;
	e->runs = (uint64_t)runs;
	return true;
}

static bool read_event_answer(JsonObject *o, struct event *e, GError **error)
{
	JsonNode *node = json_object_get_member(o, "answer");

	if (!node || !JSON_NODE_HOLDS_OBJECT(node))
		return refuse_event(error, "its \"answer\" is missing");
	e->answer = json_object_to_explanation(json_node_get_object(node), error);
	return e->answer != NULL;
}

static bool read_event_text(JsonObject *o, struct event *e, GError **error)
{
	e->text = g_strdup(event_string_of(o, "text"));
	return e->text || refuse_event(error, "its \"text\" is missing");
}

static bool read_members(JsonObject *o, struct event *e, GError **error)
{
	JsonNode *about;

	switch (e->kind) {
	case EVENT_PROGRESS:
		return read_progress(o, e, error);
	case EVENT_FOUND:
		return read_event_answer(o, e, error);
	case EVENT_RESULT:
		e->ends = g_strdup(event_string_of(o, "ends"));
		return event_string_of(o, "text") ? read_event_text(o, e, error)
						  : read_event_answer(o, e, error);
	case EVENT_OUTPUT:
		e->name = g_strdup(event_string_of(o, "name"));
		return e->name ? read_event_text(o, e, error)
			       : refuse_event(error, "its \"name\" is missing");
	case EVENT_NOTE:
	case EVENT_ASK:
		return read_event_text(o, e, error);
	case EVENT_FAILURE:
		about = value_of_member(o, "about_record", G_TYPE_BOOLEAN);
		e->about_record = about && json_node_get_boolean(about);
		return read_status(o, e, error) && read_event_text(o, e, error);
	case EVENT_END:
		return read_status(o, e, error);
	}
	g_assert_not_reached();
}

bool event_read(const char *line, gsize length, struct event *out, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonNode *root;
	struct event e = { 0 };
	int kind;

	if (!g_utf8_validate_len(line, length, NULL))
		return refuse_event(error, "it is not UTF-8");
	if (!json_parser_load_from_data(parser, line, (gssize)length, NULL))
		return refuse_event(error, "it is not JSON");
	root = json_parser_get_root(parser);
	if (!root || !JSON_NODE_HOLDS_OBJECT(root))
		return refuse_event(error, "it is not an object");
	kind = index_of_word(event_kind_names, G_N_ELEMENTS(event_kind_names),
			     event_string_of(json_node_get_object(root), "event"));
	if (kind < 0)
		return refuse_event(error, "its \"event\" is not known");
	e.kind = (enum event_kind)kind;
	if (!read_members(json_node_get_object(root), &e, error)) {
		event_clear(&e);
		return false;
	}
	*out = e;
	return true;
}

void event_clear(struct event *e)
{
	explanation_free(e->answer);
	g_free((char *)e->text);
	g_free((char *)e->name);
	g_free((char *)e->ends);
	*e = (struct event){ 0 };
}
