/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/internal.h"

#include <string.h>

struct mi_script {
	GArray *turns;
	guint next;
	GHashTable *tokens; /* the transcript's -> ours */
};

struct mi_script *mi_script_new(const char *file, GError **error)
{
	GArray *turns = mi_transcript_read(file, error);
	struct mi_script *script;

	if (!turns)
		return NULL;
	script = g_new0(struct mi_script, 1);
	script->turns = turns;
	script->tokens = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return script;
}

void mi_script_free(struct mi_script *script)
{
	if (!script)
		return;
	g_array_unref(script->turns);
	g_hash_table_unref(script->tokens);
	g_free(script);
}

static const char *turn_text(const struct mi_turn *turn)
{
	return g_bytes_get_data(turn->text, NULL);
}

/* The next turn that is no remark; NULL: none is left. */
static const struct mi_turn *next_turn(const struct mi_script *script)
{
	for (guint i = script->next; i < script->turns->len; i++) {
		const struct mi_turn *turn = &g_array_index(script->turns, struct mi_turn, i);

		if (turn->mark != '#')
			return turn;
	}
	return NULL;
}

static void take_turn(struct mi_script *script, const struct mi_turn *turn)
{
	script->next = (guint)(turn - &g_array_index(script->turns, struct mi_turn, 0)) + 1;
}

unsigned mi_script_mi_version(const struct mi_script *script)
{
	static const char beginning[] = "interpreter mi";

	for (guint i = 0; i < script->turns->len; i++) {
		const struct mi_turn *turn = &g_array_index(script->turns, struct mi_turn, i);
		const char *text = turn_text(turn);

		if (turn->mark == '#' && g_str_has_prefix(text, beginning))
			return (unsigned)g_ascii_strtoull(text + strlen(beginning), NULL, 10);
	}
	return 0;
}

/* Finds the first command that was not sent yet. What GDB said before it is given out later. */
static guint next_command(const struct mi_script *script)
{
	guint i;

	for (i = script->next; i < script->turns->len; i++) {
		if (g_array_index(script->turns, struct mi_turn, i).mark == '>')
			break;
	}
	return i;
}

bool mi_script_send(struct mi_script *script, uint64_t token, const char *line, GError **error)
{
	guint i = next_command(script);
	const char *recorded = NULL;
	char *behind = NULL;
	uint64_t was = 0;

	if (i < script->turns->len) {
		recorded = turn_text(&g_array_index(script->turns, struct mi_turn, i));
		was = g_ascii_strtoull(recorded, &behind, 10);
	}
	if (!recorded || strcmp(behind, line) != 0) {
		g_set_error(error, MI_ERROR, MI_ERROR_ANSWER,
			    "The transcript has the command \"%s\" where \"%s\" is sent.",
			    recorded ? recorded : "(none)", line);
		return false;
	}
	g_hash_table_insert(script->tokens, g_memdup2(&was, sizeof was),
			    g_memdup2(&token, sizeof token));
	g_array_remove_index(script->turns, i);
	return true;
}

bool mi_script_hear(struct mi_script *script, GBytes **text, bool *ended)
{
	const struct mi_turn *turn = next_turn(script);

	if (!turn || turn->mark == '>')
		return false;
	*ended = turn->mark == '<';
	*text = g_bytes_ref(turn->text);
	take_turn(script, turn);
	return true;
}

bool mi_script_is_over(const struct mi_script *script)
{
	return !next_turn(script);
}

uint64_t mi_script_token(const struct mi_script *script, uint64_t recorded)
{
	const uint64_t *token = g_hash_table_lookup(script->tokens, &recorded);

	return token ? *token : recorded;
}
